// The form of a model endpoint: choosing a service fills in its address, as long as nobody wrote another one.
const form = document.querySelector("[data-endpoint]");
const service = form?.elements.service, address = form?.elements.base_url;
const known = [...document.querySelectorAll("#addresses option")];
service?.addEventListener("change", () => {
  if (address.value && !known.some((option) => option.value === address.value)) return;
  address.value = known.find((option) => option.dataset.service === service.value)?.value ?? "";
});
