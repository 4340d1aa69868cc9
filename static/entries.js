// Entries of a lorebook: keys are chips, a list is ticked at once. The form saves by itself (autosave.js).
const one = (css, root = document) => root.querySelector(css);

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
