// Panels beside a page: dialogs that show parts of other pages, which the server renders. Without these scripts
// their links lead to those pages.
const PANELS = {
  TIMEOUT_MS: 10000,
  // The dialog of this name. It is made when it is first used.
  box(name) {
    const template = document.getElementById(name + "-template");
    if (template && !document.getElementById(name + "-panel")) document.body.append(template.content.cloneNode(true));
    return document.getElementById(name + "-panel");
  },
  // Returns what `selector` finds in the page at an address; an empty list: it could not be loaded.
  async load(address, selector) {
    try {
      const reply = await fetch(address, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(this.TIMEOUT_MS) });
      if (!reply.ok) return [];
      return [...new DOMParser().parseFromString(await reply.text(), "text/html").querySelectorAll(selector)];
    } catch {
      return [];
    }
  },
  // Whether a press opens no other tab or window.
  isPlain: event => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button),
};

// The help panel: the key ? and links with `data-help` show help about a page beside it.
{
  const d = document;
  let asked = 0;
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
    const box = PANELS.box("help");
    if (!box || d.querySelector("dialog[open]")) return false;
    const own = ++asked, [path, hash] = address.split("#");
    box.querySelector(".help-content").replaceChildren();
    box.querySelector(".help-failed").textContent = "";
    box.showModal();
    PANELS.load(path, ".help-topic").then(([topic]) => { if (own == asked) fill(box, topic, hash); });
    return true;
  };

  addEventListener("presstime-help", () => open("/help/for?path=" + encodeURIComponent(location.pathname)));
  // Keys in the panel are not keys of the page behind it.
  addEventListener("keydown", event => { if (event.target.closest?.(".help-panel")) event.stopPropagation(); }, true);
  // Before the router of the app, which would open the page.
  addEventListener("click", event => {
    const link = event.target.closest?.("a[data-help]");
    if (link && PANELS.isPlain(event) && !link.closest("dialog") && open(link.getAttribute("href"))) event.preventDefault();
  }, true);
}
