// The help panel: the key ? and links with `data-help` show help about a page beside it. What it shows is
// rendered by the server. Without this script the links lead to the pages of help.
{
  const d = document, TIMEOUT_MS = 10000;
  let asked = 0;
  // The dialog is made when it is first used.
  const panel = () => {
    const template = d.getElementById("help-template");
    if (template && !d.getElementById("help-panel")) d.body.append(template.content.cloneNode(true));
    return d.getElementById("help-panel");
  };
  // Returns the topic at an address; null: it could not be loaded.
  const load = async address => {
    try {
      const reply = await fetch(address, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!reply.ok) return null;
      return new DOMParser().parseFromString(await reply.text(), "text/html").querySelector(".help-topic");
    } catch {
      return null;
    }
  };
  const fill = (box, topic, hash) => {
    const title = box.querySelector("h2"), failed = box.querySelector(".help-failed");
    title.textContent = topic?.dataset.title ?? title.dataset.title;
    failed.textContent = topic ? "" : failed.dataset.failed;
    const word = hash && topic?.querySelector("#" + CSS.escape(hash));
    // The page below may be help itself.
    for (const named of topic?.querySelectorAll("[id]") ?? []) if (d.getElementById(named.id)) named.removeAttribute("id");
    box.querySelector(".help-content").replaceChildren(...(topic ? [topic] : []));
    word ? word.scrollIntoView({ block: "center" }) : box.scrollTo(0, 0);
  };
  // Opens the panel; returns whether it could.
  const open = address => {
    const box = panel();
    if (!box || d.querySelector("dialog[open]")) return false;
    const own = ++asked, [path, hash] = address.split("#");
    box.querySelector(".help-content").replaceChildren();
    box.querySelector(".help-failed").textContent = "";
    box.showModal();
    load(path).then(topic => { if (own == asked) fill(box, topic, hash); });
    return true;
  };

  addEventListener("presstime-help", () => open("/help/for?path=" + encodeURIComponent(location.pathname)));
  // Keys in the panel are not keys of the page behind it.
  addEventListener("keydown", event => { if (event.target.closest?.("#help-panel")) event.stopPropagation(); }, true);
  // Before the router of the app, which would open the page.
  addEventListener("click", event => {
    const link = event.target.closest?.("a[data-help]"), isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (link && isPlain && !event.button && !link.closest("dialog") && open(link.getAttribute("href"))) event.preventDefault();
  }, true);
}
