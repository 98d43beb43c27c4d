// Reloads this page when `cargo xtask watch` has built something new.
{
  let first;
  const source = new EventSource("http://127.0.0.1:PORT/");
  source.addEventListener("build", ({ data }) => {
    first ??= data;
    if (data !== first) location.reload();
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
