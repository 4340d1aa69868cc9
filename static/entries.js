// Entries of a lorebook: the form saves by itself, keys are chips, a list is ticked at once.
const one = (css, root = document) => root.querySelector(css);
const form = one("form[data-autosave]");
const IDLE = 1000, AGAIN = 5000;

if (form) {
  // Every edit has a number; what was sent is known by the number it went up to.
  let made = 0, sent = 0, kept = 0, refused = -1, timer, composing = false, leave;
  const unsaved = () => made > kept && form.isConnected, fresh = () => unsaved() && made !== refused;
  const say = (text) => { one("#saved").textContent = text; };
  const save = () => { clearTimeout(timer); if (fresh() && !composing) htmx.trigger(form, "autosave"); };
  const later = (wait) => { clearTimeout(timer); timer = setTimeout(save, wait); };
  form.addEventListener("input", () => { made++; later(IDLE); });
  form.addEventListener("change", save);
  // A word that is still being composed is not saved; its end is an edit.
  form.addEventListener("compositionstart", () => { composing = true; });
  form.addEventListener("compositionend", () => { composing = false; made++; later(IDLE); });
  form.addEventListener("htmx:beforeRequest", (e) => { if (e.target === form) { sent = made; say(form.dataset.saving); } });
  // Only answers made for it take the place of the line; a page of refusal (too long, gone, not allowed) is told in words.
  document.addEventListener("htmx:beforeSwap", (e) => {
    const { status } = e.detail.xhr;
    if (e.detail.requestConfig?.elt !== form || [200, 409, 422].includes(status)) return;
    e.detail.shouldSwap = false;
    say(status === 413 ? form.dataset.long : form.dataset.refused);
  });
  // Whoever was signed out while typing is not led away from what they wrote.
  form.addEventListener("htmx:beforeOnLoad", (e) => {
    if (e.target !== form || !e.detail.xhr.getResponseHeader("HX-Redirect")) return;
    e.preventDefault();
    say(form.dataset.out);
  });
  form.addEventListener("htmx:afterRequest", (e) => {
    if (e.target !== form) return;
    const { status } = e.detail.xhr, saved = status === 200;
    if (saved) kept = sent;
    else if (status && status < 500) refused = sent;
    else later(AGAIN);
    if (!status) say(form.dataset.offline);
    if (leave && saved && kept === made) leave();
    if (!saved) leave = null;
  });
  // Whoever leaves leaves nothing unsaved: first the save, then the way. What was refused is the browser's question.
  const first = (e, go) => { if (fresh()) { e.preventDefault(); leave = go; composing = false; save(); } };
  document.addEventListener("click", (e) => {
    const a = e.target.closest?.("a[href]");
    if (a && !e.ctrlKey && !e.metaKey && !e.shiftKey && !a.hasAttribute("hx-get") && !a.hash) first(e, () => { location = a.href; });
  });
  document.addEventListener("submit", (e) => { if (e.target !== form && e.target.method === "post") first(e, () => e.target.submit()); });
  addEventListener("beforeunload", (e) => { if (unsaved() && !leave) e.preventDefault(); });
}

// Chips: a comma or Enter begins the next key, Backspace in an empty one goes back
const chipsOf = (chip) => [...chip.closest("[data-chips]").querySelectorAll("input")];
const after = (chip, value = "") => {
  const next = chip.cloneNode();
  next.removeAttribute("id");
  next.value = value;
  next.classList.toggle("code", value.startsWith("/"));
  chip.after(next);
  return next;
};
document.addEventListener("input", (e) => {
  const chip = e.target.closest?.("[data-chips] input");
  if (!chip || e.isComposing) return;
  chip.classList.toggle("code", chip.value.startsWith("/"));
  chip.size = chip.value.length + 1;
  const parts = chip.value.startsWith("/") ? [chip.value] : chip.value.split(/[,，、\n]/).map((p) => p.trimStart());
  if (parts.length > 1) {
    chip.value = parts.shift();
    let last = chip;
    for (const part of parts) last = after(last, part);
    last.focus();
  }
  const last = chipsOf(chip).at(-1);
  if (last.value) after(last).placeholder = one("[placeholder]", chip.closest("[data-chips]"))?.placeholder || "";
});
document.addEventListener("keydown", (e) => {
  const chip = e.target.closest?.("[data-chips] input");
  if (!chip || e.isComposing || e.keyCode === 229) return;
  const all = chipsOf(chip), at = all.indexOf(chip);
  if (e.key === "Enter" && !e.ctrlKey && !e.metaKey) {
    e.preventDefault();
    (chip.value ? all[at + 1] || after(chip) : chip).focus();
  } else if (e.key === "Backspace" && !chip.value && at > 0) {
    e.preventDefault();
    all[at - 1].focus();
    if (at < all.length - 1) chip.remove();
  }
});

// Ticking: all rows of the page at once
document.addEventListener("change", (e) => {
  if (!e.target.matches?.("[data-tick]")) return;
  for (const box of e.target.form.querySelectorAll("[name=entry]")) box.checked = e.target.checked;
});
