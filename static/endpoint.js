// The form of a model endpoint. Choosing a service fills in its address, as long as nobody wrote another one.
const form = document.querySelector("[data-endpoint]");
const service = form?.elements.service, address = form?.elements.base_url;
const known = [...document.querySelectorAll("#addresses option")];
service?.addEventListener("change", () => {
  const use = form.elements.use_model; // the first run: whoever chooses a service wants one
  if (use) use.value = "yes";
  if (address.value && !known.some((option) => option.value === address.value)) return;
  address.value = known.find((option) => option.dataset.service === service.value)?.value ?? "";
});
// A test that has ended may have filled in what nobody wrote: an untouched form is shown anew.
const isTesting = () => document.querySelector("#tested[data-fresh]") !== null;
let touched = false, testing = isTesting();
form?.addEventListener("input", () => { touched = true; });
document.addEventListener("htmx:afterSwap", () => {
  if (testing && !isTesting() && !touched) location.reload();
  testing = isTesting();
});
