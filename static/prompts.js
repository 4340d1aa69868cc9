// The list of prompts: moved by its handle or its keys, a prompt opened beside it, the focus kept.
const one = (css, root = document) => root.querySelector(css);
const on = (name, act) => document.addEventListener(name, act);
// Every button of the list sends by itself, one after the other; the answer holds the rows that it changed.
const send = (button, values) => htmx.ajax("POST", one("#rows").action, { source: button, swap: "none", values });
on("submit", (e) => {
  if (e.defaultPrevented || e.target.id !== "rows") return;
  e.preventDefault();
  if (e.submitter?.value && !e.submitter.matches("[name=move]")) send(e.submitter);
});

// The handle: what is dragged stands before or after the row under it, which the server may refuse.
let drag = null;
const clear = () => { for (const row of document.querySelectorAll(".into")) row.classList.remove("into", "below"); };
const put = (row, beside, after) => {
  const form = one("#rows");
  form.elements.beside.value = beside.id.slice(2);
  form.elements.after.value = after ? "1" : "";
  send(one("[name=move]", row));
};
const under = (e) => {
  const row = document.elementFromPoint(e.clientX, e.clientY)?.closest("#line li, #inside li");
  if (!row || row === drag.row || drag.row.contains(row)) return null;
  const { top, height } = one("div", row).getBoundingClientRect();
  // Below the head of the history is its inside: what is dropped there stands after the whole of it.
  return { row, after: e.clientY > top + height / 2 };
};
on("pointerdown", (e) => {
  const grip = e.target.closest?.("[name=move]");
  if (!grip || e.button) return;
  e.preventDefault();
  grip.focus();
  grip.setPointerCapture(e.pointerId);
  drag = { row: grip.closest("li"), grip, to: null };
  one("div", drag.row).classList.add("lifted");
});
on("pointermove", (e) => {
  if (!drag) return;
  clear();
  drag.to = under(e);
  if (drag.to) { const mark = one("div", drag.to.row).classList; mark.add("into"); mark.toggle("below", drag.to.after); }
  const edge = e.clientY < 90 ? -1 : e.clientY > innerHeight - 60 ? 1 : 0;
  if (edge) scrollBy(0, edge * 14);
});
const drop = (e) => {
  if (!drag) return;
  const { row, to } = drag;
  one("div", row).classList.remove("lifted");
  clear();
  drag = null;
  if (to && e.type === "pointerup") put(row, to.row, to.after);
};
on("pointerup", drop);
on("pointercancel", drop);
on("keydown", (e) => {
  if (e.key === "Escape" && drag) { drag.to = null; drop(e); return; }
  const grip = e.target.closest?.("#rows [name=move]"), by = { ArrowUp: "up", ArrowDown: "down" }[e.key];
  if (!grip || !by) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  send(grip, { [by]: grip.value });
});

// A row that is put elsewhere takes the focus along.
let held = null;
on("htmx:beforeRequest", (e) => {
  const button = e.target, row = button.closest?.("#list li");
  if (!row || !button.matches("button")) return;
  const css = button.matches("[role=switch]") ? "[role=switch]" : "[name=move]";
  if (row.contains(document.activeElement)) held = { row: row.id, css };
});
on("htmx:afterRequest", (e) => {
  if (!held || !e.target.matches?.("#list button")) return;
  const row = document.getElementById(held.row);
  if (row && !row.contains(document.activeElement)) one(held.css, row)?.focus();
  held = null;
});

// A prompt opens beside the list; its address is that of its own page.
on("click", (e) => {
  const a = e.target.closest?.("#list li a");
  if (!a || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  htmx.ajax("GET", a.href, { source: a, target: "#pane", swap: "outerHTML" }).then(() => {
    if (!one("#entry")) return;
    history.pushState(null, "", a.href);
    for (const was of document.querySelectorAll("#list a[aria-current]")) was.removeAttribute("aria-current");
    a.setAttribute("aria-current", "true");
    one("#title").focus();
  });
});
addEventListener("popstate", () => location.reload());
