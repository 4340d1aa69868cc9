// The list of prompts: moved by its handle or its keys, a prompt opened beside it, the focus kept.
const one = (css, root = document) => root.querySelector(css);
const on = (name, act) => document.addEventListener(name, act);
const ROWS = "#line li, #inside li";

// Every button of the list sends by itself, one after the other; the answer holds the rows that it changed.
// It is sent for the whole part, which stays: a row is another one by the time the answer comes.
let held = null;
const send = (button, values = {}) => {
  held = { row: button.closest("li").id, css: button.matches("[role=switch]") ? "[role=switch]" : "[name=move]" };
  const { name, value } = button;
  htmx.ajax("POST", one("#rows").action, { source: "#listing", swap: "none", values: { [name]: value, ...values } });
};
on("submit", (e) => {
  if (e.defaultPrevented || e.target.id !== "rows") return;
  e.preventDefault();
  if (e.submitter && e.submitter.name !== "move") send(e.submitter);
});
// A row that is put elsewhere takes the focus along.
on("htmx:afterRequest", (e) => {
  if (held && e.target.id === "listing" && document.activeElement === document.body)
    one(held.css, document.getElementById(held.row) || document.createElement("i"))?.focus();
});

// The handle: what is dragged stands before or after the row under it, which the server may refuse.
let drag = null;
const clear = () => { for (const row of document.querySelectorAll(".into")) row.classList.remove("into", "below"); };
const under = (e) => {
  const row = document.elementFromPoint(e.clientX, e.clientY)?.closest(ROWS);
  if (!row || drag.row.contains(row)) return null;
  const { top, height } = one("div", row).getBoundingClientRect();
  return { row, after: e.clientY > top + height / 2 };
};
on("pointerdown", (e) => {
  const grip = e.target.closest?.("#rows [name=move]");
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
  if (drag.to) {
    const mark = one("div", drag.to.row).classList;
    mark.add("into");
    mark.toggle("below", drag.to.after);
  }
  const edge = e.clientY < 90 ? -1 : e.clientY > innerHeight - 60 ? 1 : 0;
  if (edge) scrollBy(0, edge * 14);
});
const drop = (e) => {
  if (!drag) return;
  const { row, grip, to } = drag;
  one("div", row).classList.remove("lifted");
  clear();
  drag = null;
  if (to && e.type === "pointerup") send(grip, { beside: to.row.id.slice(2), after: to.after ? "1" : "" });
};
on("pointerup", drop);
on("pointercancel", drop);
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && drag) return drop(e);
  const grip = e.target.closest?.("#rows [name=move]"), by = { ArrowUp: "up", ArrowDown: "down" }[e.key];
  if (!grip || !by) return;
  e.preventDefault();
  e.stopImmediatePropagation();
  send(grip, { [by]: grip.value });
}, true); // before the keys of the whole page, for which an arrow goes to the next row

// A prompt opens beside the list; its address is that of its own page.
on("click", (e) => {
  const a = e.target.closest?.("#list li a");
  if (!a || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  htmx.ajax("GET", a.href, { target: "#pane", swap: "outerHTML" }).then(() => {
    if (!one("#entry")) return;
    history.pushState(null, "", a.href);
    for (const was of document.querySelectorAll("#list a[aria-current]")) was.removeAttribute("aria-current");
    one(`#list a[href="${new URL(a.href).pathname}"]`)?.setAttribute("aria-current", "true");
    one("#title").focus();
  });
});
addEventListener("popstate", () => location.reload());
