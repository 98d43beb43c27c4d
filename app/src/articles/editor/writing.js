// Writing in the Markdown field of the editor: uploads of dropped, pasted or chosen files, a pasted
// link around the selected text, lists that continue on the next line, and indents of list items.
// Also the upload of the cover, the outline and the focus mode.
{
  const d = document, MOST = 20 * 1024 * 1024, ITEM = /^([ \t]*)(?:([-*+]|\d{1,9}[.)]) (\[[ xX]\] )?|(>[ >]*))/;
  const isText = field => field?.matches?.("textarea.editor-text:not([readonly])");
  // The Markdown editor stands for the field, see app/editor.
  const hasFocus = field => d.activeElement == (field.view?.contentDOM ?? field);
  // Inserts like typed text, so that it can be undone. A field without the focus keeps none.
  const type = (field, text, from = field.selectionStart, to = field.selectionEnd) => {
    if (d.activeElement == field) {
      field.setSelectionRange(from, to);
      if (text ? d.execCommand("insertText", false, text) : d.execCommand("delete")) return;
    }
    field.setRangeText(text, from, to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // Where a file goes: at the cursor, or after the picture in whose markup the cursor is.
  const place = field => {
    const at = field.selectionEnd, value = field.value;
    for (const found of value.matchAll(/!\[[^\]\n]*\]\([^)\n]*\)\n{0,2}/g)) {
      const end = found.index + found[0].length;
      if (at > found.index && end > at) return end;
    }
    // Never inside of a line: that would break bold text and links.
    const end = value.indexOf("\n", at), start = value.lastIndexOf("\n", at - 1) + 1;
    return value.slice(start, at).trim() ? (end < 0 ? value.length : end) : at;
  };
  const insert = (field, markdown) => {
    const at = place(field);
    if (at != field.selectionEnd) field.setSelectionRange(at, at);
    const before = field.value.slice(0, field.selectionStart), alt = markdown.match(/^!\[(.*?)\]/)?.[1];
    const gap = !before || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    type(field, gap + markdown + "\n\n");
    // What the picture shows is asked for at once.
    if (alt === undefined || !hasFocus(field)) return;
    const begin = before.length + gap.length + 2;
    const asks = new CustomEvent("editor-describe", { detail: begin, cancelable: true });
    if (field.dispatchEvent(asks)) field.setSelectionRange(begin, begin + alt.length);
  };

  // Where an upload is listed, and what is done with the stored file: for the text, and for the cover.
  const toText = () => ({
    list: d.querySelector(".uploads"),
    use: file => { const field = d.getElementById("body"); if (isText(field)) insert(field, file.markdown); },
  });
  const toCover = input => ({
    list: input.closest(".field").querySelector(".uploads"),
    use: file => {
      const field = input.closest(".field").querySelector("[type=text]");
      if (field.isConnected) fill(field, file.path);
    },
  });

  // One upload after the other; each has a line with its progress, until it is used or dismissed.
  let last = Promise.resolve();
  const line = (name, { list, use }) => {
    const row = d.createElement("li"), title = d.createElement("span"), bar = d.createElement("progress");
    const state = d.createElement("span"), button = d.createElement("button");
    title.textContent = name; title.dir = "auto"; title.className = "name"; bar.max = 1; bar.value = 0;
    bar.setAttribute("aria-label", name); button.type = "button"; button.className = "button small";
    button.textContent = list.dataset.cancel; state.className = "problem"; state.setAttribute("role", "alert");
    row.append(title, bar, state, button);
    list.append(row);
    return { row, bar, state, button, use, texts: list.dataset };
  };
  const fail = (at, why) => {
    at.bar.remove(); at.state.textContent = why;
    at.button.textContent = at.texts.dismiss; at.button.onclick = () => at.row.remove();
  };
  const send = (file, at) => new Promise(done => {
    const texts = at.texts, request = new XMLHttpRequest(), form = new FormData();
    // Cancelled, or the page was left.
    if (!at.row.isConnected) return done();
    if (texts.noPicture && !file.type.startsWith("image/")) { fail(at, texts.noPicture); return done(); }
    if (file.size > MOST) { fail(at, texts.large); return done(); }
    form.append("file", file);
    request.open("POST", "/fn/upload_media");
    request.setRequestHeader("accept", "application/json");
    request.upload.onprogress = event => { if (event.lengthComputable) at.bar.value = event.loaded / event.total; };
    request.upload.onload = () => at.bar.removeAttribute("value");
    request.onload = () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { /* The answer of a proxy. */ }
      if (request.status != 201) fail(at, answer.message ?? texts.failed);
      else if (texts.noPicture && !answer.markdown?.startsWith("!")) fail(at, texts.noPicture);
      else { at.row.remove(); at.use(answer); }
      done();
    };
    request.onerror = () => { fail(at, texts.failed); done(); };
    request.onabort = () => { at.row.remove(); done(); };
    at.button.onclick = () => request.abort();
    request.send(form);
  });
  const upload = (files, to = toText()) => {
    for (const file of to.list ? files : []) {
      const at = line(file.name, to);
      at.button.onclick = () => at.row.remove();
      last = last.then(() => send(file, at));
    }
  };

  // A file of the media library, chosen in its dialog.
  const fill = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return field;
  };
  const setCover = (path, alt) => {
    const set = (name, value) => fill(d.querySelector(`[name="details[${name}]"]`), value);
    if (alt && !d.querySelector('[name="details[cover_alt]"]').value) set("cover_alt", alt);
    return set("cover", path);
  };
  addEventListener("editor-cover", event => setCover(event.detail.path, event.detail.alt));
  addEventListener("click", event => {
    const choice = event.target.closest?.(".media-choice"), field = d.getElementById(choice?.dataset.field ?? "body");
    if (!choice) return;
    choice.closest("dialog").close();
    if (choice.dataset.field) return fill(field, choice.dataset.cover).focus();
    if (choice.dataset.cover) return setCover(choice.dataset.cover, choice.dataset.alt).focus();
    (field.view ?? field).focus();
    if (isText(field)) insert(field, choice.dataset.markdown);
  });

  addEventListener("change", event => {
    const input = event.target, isCover = input.matches?.("[data-upload-cover]");
    if (!isCover && !input.matches?.("[data-upload]")) return;
    input.closest("dialog")?.close();
    const to = isCover ? toCover(input) : toText();
    // The error of an earlier cover.
    if (isCover) for (const row of to.list.querySelectorAll("li:not(:has(progress))")) row.remove();
    upload([...input.files], to);
    input.value = "";
  });
  addEventListener("editor-files", event => upload(event.detail));
  addEventListener("dragover", event => {
    if (isText(event.target) && event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", event => {
    if (!isText(event.target) || !event.dataTransfer.files.length) return;
    event.preventDefault();
    upload([...event.dataTransfer.files]);
  });
  addEventListener("paste", event => {
    const field = event.target, data = event.clipboardData;
    if (!isText(field) || !data) return;
    const text = data.getData("text/plain").trim(), [from, to] = [field.selectionStart, field.selectionEnd];
    if (!text && data.files.length) { event.preventDefault(); upload([...data.files]); }
    else if (to > from && /^https?:\/\/\S+$/.test(text) && !/[[\]\n]/.test(field.value.slice(from, to))) {
      event.preventDefault();
      type(field, `[${field.value.slice(from, to)}](${text})`);
    }
  });

  // Enter in the title goes to the text, which saves itself.
  addEventListener("keydown", event => {
    const field = d.getElementById("body");
    if (event.key != "Enter" || event.isComposing || event.keyCode == 229 || event.target.id != "title" || !isText(field)) return;
    event.preventDefault();
    field.focus();
  });

  // Escape, then Tab leaves the field.
  let leaves = false;
  addEventListener("keydown", event => {
    const mayLeave = leaves;
    leaves = event.key == "Escape" || (leaves && event.key == "Shift");
    if (mayLeave && event.key == "Tab") return;
    const field = event.target, isEnter = event.key == "Enter", isTab = event.key == "Tab";
    if (!(isEnter || isTab) || event.isComposing || event.keyCode == 229 || !isText(field)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || (isEnter && event.shiftKey)) return;
    const at = field.selectionStart, start = field.value.lastIndexOf("\n", at - 1) + 1;
    const end = (field.value + "\n").indexOf("\n", at), item = ITEM.exec(field.value.slice(start, end));
    if (!item || (isTab && !item[2]) || (isEnter && (at != field.selectionEnd || start + item[0].length > at))) return;
    event.preventDefault();
    const [mark, indent, bullet, box, quote] = item;
    if (isTab) {
      const less = Math.min(2, indent.length), moved = event.shiftKey ? -less : 2;
      if (moved) type(field, event.shiftKey ? "" : "  ", start, start + (event.shiftKey ? less : 0));
      return field.setSelectionRange(at + moved, at + moved);
    }
    // An empty item ends the list: with an empty line, so that the next line does not belong to the item before.
    if (!field.value.slice(start + mark.length, end).trim()) {
      const isBelow = !indent && /\S.*\n$/.test(field.value.slice(Math.max(0, start - 500), start));
      return type(field, isBelow ? "\n" : "", start, end);
    }
    const next = bullet && /^\d/.test(bullet) ? `${parseInt(bullet) + 1}${bullet.at(-1)}` : bullet;
    type(field, "\n" + indent + (quote ?? `${next} ${box ? "[ ] " : ""}`));
  });

  // The place of the cursor, in sight: the browser scrolls to the selection when the field gets the focus.
  const select = (field, from, to = from) => {
    field.setSelectionRange(from, to);
    field.blur();
    field.focus();
  };

  // The outline: headings that begin with #, outside of code, from three on.
  const headings = text => {
    const found = [];
    let at = 0, fence;
    for (const line of text.split("\n")) {
      const [, mark, rest] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? [];
      if (fence) { if (mark?.startsWith(fence) && !rest.trim()) fence = undefined; }
      else if (mark) fence = mark;
      else {
        const [, signs, title] = /^ {0,3}(#{1,6})[ \t]+(.*)/.exec(line.slice(0, 200)) ?? [];
        const name = title?.replace(/[*_`]/g, "").replace(/ #+ *$/, "").trim();
        if (name) found.push({ at, level: signs.length, name });
      }
      at += line.length + 1;
    }
    return found;
  };
  const outline = () => {
    const list = d.querySelector(".outline"), field = d.getElementById("body");
    if (!list || !isText(field) || !root.hasAttribute("data-live")) return;
    const all = headings(field.value), top = Math.min(...all.map(one => one.level));
    list.hidden = all.length < 3;
    const row = ({ level, name }) => {
      const item = d.createElement("li"), button = d.createElement("button");
      button.type = "button"; button.textContent = name; item.dataset.level = level - top;
      item.append(button);
      return item;
    };
    list.querySelector("ol").replaceChildren(...(list.hidden ? [] : all.map(row)));
  };
  let outlined;
  addEventListener("input", event => {
    if (event.target.id != "body") return;
    clearTimeout(outlined);
    outlined = setTimeout(outline, 300);
  });
  addEventListener("click", event => {
    const item = event.target.closest?.(".outline li"), field = d.getElementById("body");
    if (!item || !isText(field)) return;
    const heading = headings(field.value)[[...item.parentNode.children].indexOf(item)];
    if (heading) select(field, heading.at);
  });

  // The focus mode: nothing but the text, see editor.css.
  const root = d.documentElement;
  const showFocus = () => d.querySelector(".focus-toggle")?.setAttribute("aria-pressed", root.hasAttribute("data-focus"));
  const toggleFocus = () => { root.toggleAttribute("data-focus"); showFocus(); };
  addEventListener("editor-open", () => { outline(); showFocus(); });
  addEventListener("click", event => { if (event.target.closest?.(".focus-toggle")) toggleFocus(); });
  addEventListener("keydown", event => {
    if (event.key != "." || !(event.ctrlKey || event.metaKey) || event.altKey || !d.querySelector(".focus-toggle")) return;
    event.preventDefault();
    toggleFocus();
  });

  // A finding of the checks selects its place, which is counted in characters.
  addEventListener("click", event => {
    const link = event.target.closest?.("a[data-select]"), field = d.getElementById("body");
    if (!link || !isText(field) || !field.offsetParent) return;
    event.preventDefault();
    const letters = [...field.value], unit = count => letters.slice(0, count).join("").length;
    const [from, to] = link.dataset.select.split("-").map(Number);
    select(field, unit(from), unit(to));
  });

  // A replacement of a word list is typed at its hit: at its place, or at the nearest equal word, since the text may have
  // changed after it was checked. Without a field of the editor, the form saves it.
  const isWord = letter => /[\p{L}\p{N}]/u.test(letter ?? "") && !/\p{Script=Han}/u.test(letter);
  const placeOf = (value, quote, at) => {
    const places = [], isCut = (one, other) => isWord(one) && isWord(other);
    for (let place = value.indexOf(quote); place >= 0; place = value.indexOf(quote, place + 1)) {
      const before = value[place - 1], after = value[place + quote.length];
      if (place == at || !(isCut(before, quote[0]) || isCut(quote.at(-1), after))) places.push(place);
    }
    return places.sort((one, other) => Math.abs(one - at) - Math.abs(other - at))[0];
  };
  addEventListener("click", event => {
    const button = event.target.closest?.("button[data-replace]");
    if (!button) return;
    const { field: name, at, quote, replace } = button.dataset;
    const field = name == "summary" ? d.querySelector('[name="details[summary]"]') : d.getElementById(name == "text" ? "body" : name);
    if (!field || field.readOnly) return;
    event.preventDefault();
    const from = placeOf(field.value, quote, [...field.value].slice(0, at).join("").length);
    const gone = d.querySelector(".replace-gone");
    gone.textContent = from === undefined ? gone.dataset.text : "";
    if (from === undefined) return;
    const panel = field.closest("details");
    if (panel) panel.open = true;
    select(field, from, from + quote.length);
    type(field, replace, from, from + quote.length);
  });
}
