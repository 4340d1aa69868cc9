// A form that saves by itself (`form[data-autosave]`), there from the beginning or put into the page later.
const one = (css, root = document) => root.querySelector(css);
const IDLE = 1000, AGAIN = 5000;

// Every edit has a number; what was sent is known by the number it went up to.
let form = null, made = 0, sent = 0, kept = 0, refused = -1, timer, busy = false, composing = false, leave = null;
const current = () => {
  const there = one("form[data-autosave]");
  if (there === form) return form;
  form = there; made = sent = kept = 0; refused = -1; busy = composing = false; leave = null;
  clearTimeout(timer);
  return form;
};
const own = (e) => current() && e.target.form === form;
const unsaved = () => current() && made > kept, fresh = () => unsaved() && made !== refused;
const say = (text) => { one("#saved").textContent = text; };
const save = () => { clearTimeout(timer); if (fresh() && !composing && !(busy && sent === made)) htmx.trigger(form, "autosave"); };
const later = (wait) => { clearTimeout(timer); timer = setTimeout(save, wait); };
const on = (name, act, capture = false) => document.addEventListener(name, act, capture);
on("input", (e) => { if (own(e)) { made++; later(IDLE); } });
on("change", (e) => { if (own(e)) save(); });
// A word that is still being composed is not saved; its end is an edit.
on("compositionstart", (e) => { if (own(e)) composing = true; });
on("compositionend", (e) => { if (own(e)) { composing = false; made++; later(IDLE); } });
on("htmx:beforeRequest", (e) => { if (current() && e.target === form) { sent = made; busy = true; say(form.dataset.saving); } });
// Only answers made for it take the place of the line; a page of refusal (too long, gone, not allowed) is told in words.
on("htmx:beforeSwap", (e) => {
  const { status } = e.detail.xhr;
  if (!form || e.detail.requestConfig?.elt !== form || [200, 409, 422].includes(status)) return;
  e.detail.shouldSwap = false;
  say(status === 413 ? form.dataset.long : form.dataset.refused);
});
// Whoever was signed out while typing is not led away from what they wrote.
on("htmx:beforeOnLoad", (e) => {
  if (!form || e.target !== form || !e.detail.xhr.getResponseHeader("HX-Redirect")) return;
  e.preventDefault();
  say(form.dataset.out);
});
on("htmx:afterRequest", (e) => {
  if (!form || e.target !== form) return;
  const { status } = e.detail.xhr, saved = status === 200;
  busy = false;
  if (saved) kept = sent;
  else if (status && status < 500) refused = sent;
  else later(AGAIN);
  if (!status) say(form.dataset.offline);
  const go = leave;
  if (saved && kept !== made) return;
  leave = null;
  if (go && saved) go();
});
// Whoever leaves leaves nothing unsaved: first the save, then the way. What was refused is the browser's question.
const first = (e, go) => {
  if (!fresh()) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  leave = go; composing = false;
  save();
};
on("click", (e) => {
  const a = e.target.closest?.("a[href]");
  if (a && !e.ctrlKey && !e.metaKey && !e.shiftKey && !a.hasAttribute("hx-get") && !a.hash) first(e, () => a.click());
}, true);
on("submit", (e) => {
  const { target, submitter } = e;
  if (current() && target !== form && target.method === "post") first(e, () => target.requestSubmit(submitter));
}, true);
addEventListener("beforeunload", (e) => { if (unsaved() && !leave) e.preventDefault(); });
