// Shortcuts of all pages and the command palette. None fires while the user types or composes text;
// those of a single key only if the profile has them. The help panel is in help.js.
{
  const d = document, FIELDS = "input:not([type=checkbox],[type=radio],[type=button],[type=submit])," +
    "textarea:not([readonly]),select,[contenteditable],dialog *";
  const PAGES = { d: "/", a: "/articles", c: "/calendar", m: "/meetings", r: "/reminders", t: "/tasks",
    n: "/notifications", s: "/settings/profile" };
  const template = () => d.getElementById("palette-template"), field = () => d.getElementById("palette-q");
  // The dialog is made when it is first used.
  const box = () => {
    if (!d.getElementById("palette")) d.body.append(template().content.cloneNode(true));
    return d.getElementById("palette");
  };
  const rows = () => [...box().querySelectorAll("li:not([hidden])")];
  const go = path => box().querySelector(`a[href="${path}"]`)?.click();
  // The button of the page that undoes the last change.
  const undo = () => d.querySelector(".layout [data-undo]");
  let until = 0, timer, asked = 0;

  const mark = at => {
    const all = rows(), row = all[Math.max(0, Math.min(at, all.length - 1))];
    for (const one of box().querySelectorAll("li")) one.setAttribute("aria-selected", one == row);
    row?.scrollIntoView({ block: "nearest" });
    row ? field().setAttribute("aria-activedescendant", row.id) : field().removeAttribute("aria-activedescendant");
  };
  const marked = () => rows().findIndex(row => row.getAttribute("aria-selected") == "true");
  // Whether the letters of `typed` are in `text`, in this order.
  const fits = (text, typed) => {
    let at = 0;
    for (const letter of text.toLowerCase()) if (letter == typed[at]) at++;
    return at >= typed.length;
  };
  const say = isDone => {
    const state = d.getElementById("palette-state");
    if (rows().length) state.textContent = "";
    else if (isDone) state.textContent = state.dataset.none;
  };
  const show = items => {
    const list = box().querySelector("ul");
    for (const old of list.querySelectorAll(".found")) old.remove();
    items.forEach((item, number) => {
      const row = d.createElement("li"), link = d.createElement("a");
      row.id = "found-" + number; row.className = "found"; row.setAttribute("role", "option");
      link.href = item.path; link.textContent = item.title; link.dir = "auto"; link.tabIndex = -1;
      row.append(link); list.append(row);
    });
    mark(0);
    say(true);
  };
  const filter = () => {
    const typed = field().value.trim().toLowerCase(), letters = [...typed.replace(/\s/g, "")];
    // Rows with the typed text in their name, or with a word that begins with it; else those with its letters.
    const own = [...box().querySelectorAll("li:not(.found)")].filter(row => !row.querySelector("[data-palette-undo]") || undo());
    const isNamed = row => row.textContent.toLowerCase().includes(typed) ||
      row.dataset.words.split(" ").some(word => word.startsWith(typed)) || row.dataset.words.includes(" " + typed);
    const named = typed ? own.filter(isNamed) : own;
    const shown = new Set(named.length ? named : own.filter(row => fits(row.textContent, letters)));
    for (const row of box().querySelectorAll("li:not(.found)")) row.hidden = !shown.has(row);
    mark(0);
    say(false);
    clearTimeout(timer);
    const question = ++asked;
    if (!typed) return show([]);
    timer = setTimeout(async () => {
      const body = new URLSearchParams({ q: typed.slice(0, 200) });
      const found = await fetch("/fn/find_items", { method: "POST", body, headers: { accept: "application/json" } })
        .then(reply => reply.ok ? reply.json() : []).catch(() => []);
      if (question == asked) show(found);
    }, 80);
  };
  const open = (dialog, typed = "") => {
    if (!dialog || d.querySelector("dialog[open]")) return;
    if (dialog == box()) { field().value = typed; filter(); }
    dialog.showModal();
  };
  const inPalette = event => {
    const at = { ArrowDown: marked() + 1, ArrowUp: marked() - 1 }[event.key];
    if (at !== undefined) { event.preventDefault(); mark(at); }
    // A search field with text would only be emptied.
    if (event.key == "Escape") { event.preventDefault(); box().close(); }
    if (event.key == "Enter") { event.preventDefault(); rows()[marked()]?.querySelector("a, button").click(); }
  };

  addEventListener("keydown", event => {
    if (event.isComposing || event.keyCode == 229 || !template()) return;
    if (d.getElementById("palette")?.open) return inPalette(event);
    // A dialog that was just closed has the focus until the next frame.
    const focused = d.activeElement, active = focused?.closest("dialog:not([open])") ? null : focused;
    const isTyping = active?.matches(FIELDS);
    const latin = event.key.charCodeAt(0) > 127 && event.code.startsWith("Key") ? event.code[3] : event.key;
    const key = latin.length == 1 ? latin.toLowerCase() : latin;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      // In a text, it inserts a link.
      if (key == "k" && !active?.matches("textarea, .cm-content")) { event.preventDefault(); open(box()); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping || d.documentElement.dataset.keys == "off") return;
    const stop = () => { event.preventDefault(); event.stopImmediatePropagation(); };
    if (until > event.timeStamp) {
      until = 0;
      if (PAGES[key]) { stop(); go(PAGES[key]); return; }
    }
    if (key == "?") { stop(); dispatchEvent(new Event("presstime-help")); }
    else if (event.shiftKey) return;
    else if (key == "g") { stop(); until = event.timeStamp + 1500; }
    // On the days of the calendar, N begins something new at a time.
    else if (key == "n" && !active?.closest(".calendar-main")) { stop(); go("/quick"); }
    else if (key == "/" && !d.getElementById("q")) { stop(); open(box()); }
    else {
      // A button or a summary of the page that names this key.
      const button = /^[a-z]$/.test(key) && d.querySelector(`[data-page-key][aria-keyshortcuts="${key}"]`);
      if (!button) return;
      stop();
      button.click();
      button.closest("details[open]")?.querySelector("textarea")?.focus();
    }
  }, true);
  addEventListener("input", event => { if (event.target.id == "palette-q") filter(); });
  addEventListener("click", event => {
    const dialog = event.target.closest?.("dialog");
    if (dialog && (event.target == dialog || event.target.closest("a, [data-palette-undo]"))) dialog.close();
    if (event.target.closest?.("[data-palette-undo]")) undo()?.click();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const opener = event.target.closest?.("[data-palette]");
    if (isPlain && opener) { event.preventDefault(); open(box(), opener.dataset.palette); }
    // A press beside an open menu closes it. The entries of *More* are beside its button.
    for (const menu of d.querySelectorAll("details:is(.menu, .row-menu)[open]"))
      if (!(menu.closest(menu.matches(".more, .row-menu") ? "nav, td" : "details") ?? menu).contains(event.target)) menu.open = false;
  });
  // Esc closes an open menu, and its button has the focus.
  addEventListener("keydown", event => {
    const menu = event.key == "Escape" && d.querySelector("details.menu[open]");
    if (!menu || event.defaultPrevented || d.querySelector("dialog[open]")) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
