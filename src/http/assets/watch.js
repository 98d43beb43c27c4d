// Reloads this page when `cargo xtask` has built something new; a page with input waits for its owner.
{
  let first;
  const changed = (field) =>
    field.type === "checkbox" || field.type === "radio"
      ? field.checked !== field.defaultChecked
      : field.matches("input:not([type=hidden]), textarea") && field.value !== field.defaultValue;
  const reload = () => {
    if ([...document.querySelectorAll("input, textarea")].some(changed)) return;
    source.close();
    location.reload();
  };
  const source = new EventSource("http://127.0.0.1:PORT/");
  source.addEventListener("build", ({ data }) => {
    first ??= data;
    if (data !== first) reload();
  });
  source.addEventListener("style", ({ data }) => {
    for (const url of data.split(" ")) {
      const name = url.split(".")[0];
      for (const old of document.querySelectorAll(`link[rel=stylesheet][href^="${name}."]`)) {
        if (old.getAttribute("href") === url) continue;
        const fresh = old.cloneNode();
        fresh.href = url;
        fresh.onload = () => old.remove();
        old.after(fresh);
      }
    }
  });
}
