// What HTML cannot do, by data attributes.
const one = (css, root = document) => root.querySelector(css);
const all = (css, root = document) => [...root.querySelectorAll(css)];
const on = (name, act, target = document) => target.addEventListener(name, act);
const near = (event, css) => event.target.closest?.(css);

// Buttons that open, show or copy
on("click", (e) => {
  const b = near(e, "[data-dialog],[data-reveal],[data-copy]");
  if (!b) return;
  const { dialog, reveal, copy, done } = b.dataset;
  const target = document.getElementById(dialog || reveal || copy);
  if (dialog) { one(":popover-open")?.hidePopover(); target.showModal(); }
  if (reveal) {
    const hidden = target.type === "password";
    target.type = hidden ? "text" : "password";
    b.setAttribute("aria-pressed", hidden);
  }
  if (copy && !navigator.clipboard) getSelection().selectAllChildren(target);
  else if (copy) navigator.clipboard.writeText(target.innerText.trim()).then(() => { b.textContent = done; });
});

// Keys: not in fields or while an IME composes
let at = -1, g = 0;
const step = (by) => {
  const links = all("[data-rows] :is(tr, li)").map((r) => one("a[href]", r)).filter(Boolean);
  at = Math.max(0, Math.min(links.length - 1, at + by));
  links[at]?.focus();
};
const press = (css) => { const b = one(css); b?.matches("input") ? b.focus() : b?.click(); return b; };
on("keydown", (e) => {
  if (e.isComposing || e.keyCode === 229 || !one("[data-shortcuts]")) return;
  const field = near(e, "input,textarea,select,[contenteditable]"), key = e.key;
  if (e.ctrlKey || e.metaKey) {
    const form = field?.form || (key === "s" && one("form[data-save]"));
    if (form && form.method === "post" && (key === "s" || key === "Enter")) { e.preventDefault(); form.requestSubmit(); }
    return;
  }
  if (key === "Escape" && !one("dialog[open],:popover-open")) { if (press("[data-cancel]")) e.preventDefault(); return; }
  if (field || e.altKey || one("dialog[open]")) return;
  const go = g > Date.now() && one(`[data-go="${CSS.escape(key)}"]`);
  g = key === "g" ? Date.now() + 1500 : 0;
  const acts = { "?": "[data-dialog=keys]", "/": "[data-search]", n: "[data-new]", e: "[data-edit]" };
  const by = { j: 1, k: -1 }[key] || (near(e, "[data-rows]") && { ArrowDown: 1, ArrowUp: -1 }[key]);
  if (go) go.click();
  else if (acts[key]) { if (press(acts[key])) e.preventDefault(); }
  else if (by) { e.preventDefault(); step(by); }
});

// Forms: unsaved changes, one press only
let dirty = false;
on("input", (e) => { if (near(e, "form[data-guard]")) dirty = true; });
on("submit", (e) => {
  dirty = false;
  const b = e.submitter;
  if (b?.dataset.busy && !e.target.matches("[hx-post]")) setTimeout(() => { b.disabled = true; b.textContent = b.dataset.busy; });
});
on("beforeunload", (e) => { if (dirty) e.preventDefault(); }, window);
on("pageshow", (e) => { if (e.persisted && one("[data-busy][disabled]")) location.reload(); }, window);

// Files: size checked first, progress, cancel
const mb = (n) => Math.ceil(n / 104857.6) / 10;
const tooLarge = (input, f) => f.size > +input.dataset.max && input.dataset.tooLarge.replace("{size}", mb(f.size)).replace("{max}", mb(+input.dataset.max));
on("change", (e) => {
  const input = near(e, "input[type=file][data-max]");
  if (!input) return;
  input.setCustomValidity([...input.files].map((f) => tooLarge(input, f)).find(Boolean) || "");
  if (input.form.matches("[data-drop]")) { send(input.form, [...input.files]); input.value = ""; } else input.reportValidity();
});
const upload = (form, input, file) => new Promise((over) => {
  const row = one("template", form).content.cloneNode(true).firstElementChild, x = new XMLHttpRequest();
  const [name, bar, stop, error] = ["[data-name]", "progress", "[data-stop]", "[data-error]"].map((css) => one(css, row));
  const fail = (text) => { error.textContent = text; bar.remove(); stop.remove(); over(); };
  name.textContent = file.name;
  one("[data-uploads]", form).append(row);
  const refused = tooLarge(input, file);
  if (refused) return fail(refused);
  const data = new FormData(form);
  data.set(input.name, file);
  x.upload.onprogress = (p) => p.loaded < p.total ? bar.value = p.loaded / p.total : bar.removeAttribute("value");
  x.onerror = () => fail(form.dataset.failed);
  x.onabort = () => { row.remove(); over(); };
  x.onload = () => x.status < 400 ? over(x.responseURL) : fail(all("p", new DOMParser().parseFromString(x.responseText, "text/html")).slice(0, 2).map((p) => p.textContent).join(" "));
  stop.onclick = () => x.abort();
  x.open("POST", form.action);
  x.setRequestHeader("HX-Request", "true");
  x.send(data);
});
const send = async (form, files) => {
  const input = one("input[type=file]", form), made = [];
  for (const f of files) made.push(await upload(form, input, f));
  input.value = "";
  if (files.length && made.every(Boolean)) location = made.length > 1 && form.dataset.after || made[0];
};
for (const name of ["dragover", "dragleave", "drop"]) on(name, (e) => {
  const zone = near(e, "form[data-drop]");
  if (!zone) return;
  e.preventDefault();
  zone.classList.toggle("over", name === "dragover");
  if (name === "drop") send(zone, [...e.dataTransfer.files]);
});

// A ring: look again ("rung")
let wait = 1e3, bell;
const watch = () => bell?.readyState === 1 && bell.send(JSON.stringify({ watch: all("[data-bell]").map((e) => e.dataset.bell) }));
const listen = () => {
  bell = new WebSocket(location.origin.replace("http", "ws") + "/bell/");
  bell.onopen = () => { wait = 1e3; watch(); };
  bell.onmessage = (m) => document.body.dispatchEvent(new CustomEvent("rung", { detail: JSON.parse(m.data) }));
  bell.onclose = (c) => { if (c.code !== 4401) setTimeout(listen, wait = Math.min(6e4, wait * 2)); };
};
if (one("[data-bell]")) listen();
one("[data-focus]")?.focus();
on("htmx:afterSettle", (e) => { one("[data-focus]", e.target)?.focus(); watch(); });
// A fresh part that has focus or is open waits
for (const to of ["Request", "Swap"]) on(`htmx:before${to}`, (e) => e.detail.requestConfig.elt.matches("[data-fresh]:is(:focus-within, :has([open]))") && e.preventDefault());
