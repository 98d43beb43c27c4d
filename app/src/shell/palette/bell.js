// The panel of notifications: the bell in the head shows the latest ones beside the page.
{
  const d = document, PAGE = "/notifications", LATEST = 10;
  let asked = 0;
  const fill = (box, parts) => {
    const find = selector => parts.find(part => part.matches(selector)), failed = box.querySelector(".help-failed");
    const list = find("ul, .empty"), mark = find("form"), own = box.querySelector(".bell-mark");
    // What is undone needs the page, which shows the result.
    for (const undo of list?.querySelectorAll("form") ?? []) undo.remove();
    if (list?.matches("ul")) list.replaceChildren(...[...list.children].slice(0, LATEST));
    failed.textContent = list ? "" : failed.dataset.failed;
    own.replaceChildren(...(mark ? [mark] : []));
    box.querySelector(".bell-content").replaceChildren(...(list ? [list] : []));
  };
  const show = box => {
    const own = ++asked, parts = `main .notification-list, main .empty, main form[action="/fn/mark_all_read"]`;
    return PANELS.load(PAGE, parts).then(found => { if (own == asked) fill(box, found); });
  };
  // Before the router of the app, which would open the page.
  addEventListener("click", event => {
    const link = event.target.closest?.("a[data-bell]");
    if (!link || !PANELS.isPlain(event) || location.pathname == PAGE || d.querySelector("dialog[open]")) return;
    const box = PANELS.box("bell");
    if (!box) return;
    event.preventDefault();
    box.showModal();
    show(box);
  }, true);
  // The page behind the panel stays, with what is typed there.
  addEventListener("submit", event => {
    const form = event.target, box = form.closest?.("#bell-panel");
    if (!box || form.getAttribute("method") == "dialog") return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form)), headers = { accept: "application/json" };
    fetch(form.getAttribute("action"), { method: "POST", body, headers })
      .then(reply => { if (reply.ok) dispatchEvent(new Event("presstime-read")); }, () => {})
      .then(() => show(box))
      .then(() => box.querySelector("h2").focus());
  });
}
