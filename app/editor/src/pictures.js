// A picture on a line of its own is a thumbnail with its description; its Markdown is shown when the cursor is in the line.
// In other lines the addresses of the media library are folded.

import { redo, undo } from "@codemirror/commands";
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, MatchDecorator, ViewPlugin, WidgetType, keymap } from "@codemirror/view";
import { isInBlock } from "./code.js";

/** Indent with `![`, description, address with its brackets. */
const PICTURE = /^( {0,3}!\[)((?:[^[\]\\]|\\.)*)\]\(<?([^\s()<>]+)>?(?: +"[^"]*")?\)[ \t]*$/;
/** A file of the media library in a line. */
const FILE = /!?\[((?:[^[\]\\\n]|\\.)*)\]\(\/media\/[0-9a-f]{64}\/(?:\d+x\d+|file)\.([a-z0-9]+)\)/g;
/** A picture of the media library: its folder, width, height and type. */
const STORED = /^(\/media\/[0-9a-f]{64}\/)(\d+)x(\d+)\.([a-z0-9]+)$/;
/** Longer lines have no thumbnail. */
const LONGEST = 2_000;
/** Sides of a thumbnail, and the height of its tools, in pixels. */
const WIDE = 480, HIGH = 200, TOOLS = 64;
/** The highest picture of which the library has a smaller version, in pixels. */
const HIGHEST_SMALL = 16_383;

const unescaped = (text) => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
/** As the library writes a description (`MediaItem::markdown`). */
const escaped = (text) => text.replace(/[\\[\]<&*_`!]/g, "\\$&");

/** Returns the picture of a line. */
function pictureIn({ from, to, text }) {
  if (text.length > LONGEST || !text.includes("![")) return;
  const found = PICTURE.exec(text);
  if (!found) return;
  const at = from + found[1].length;
  return { from, to, at, end: at + found[2].length, alt: unescaped(found[2]), address: found[3] };
}

function picturesIn(doc, from, to) {
  const found = [];
  for (let at = from; at <= to; ) {
    const line = doc.lineAt(at), picture = pictureIn(line);
    if (picture) found.push(picture);
    at = line.to + 1;
  }
  return found;
}

/** Size of the thumbnail of a stored picture, and its address: the smallest version. */
function thumbnail(address) {
  const [, folder, ...rest] = STORED.exec(address) ?? [];
  if (!folder) return;
  const [width, height] = rest.map(Number), scale = Math.min(1, WIDE / width, HIGH / height);
  const hasSmall = rest[2] != "gif" && width > WIDE && (height * WIDE) / width <= HIGHEST_SMALL;
  const side = (length) => Math.max(1, Math.round(length * scale));
  return { src: hasSmall ? `${folder}480.webp` : address, width: side(width), height: side(height) };
}

const coverField = () => document.querySelector('[name="details[cover]"]:not([readonly])');

function button(label, click) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button small";
  made.textContent = label;
  // The cursor stays in its line: otherwise the line would be folded, and the button move away from the pointer.
  made.onmousedown = (event) => event.preventDefault();
  made.onclick = click;
  return made;
}

const place = (view, dom) => view.state.doc.lineAt(view.posAtDOM(dom));

/** The description in the text follows its field. */
function describe(view, dom, input) {
  const picture = pictureIn(place(view, dom)), text = escaped(input.value);
  if (!picture) return;
  view.dispatch({ changes: { from: picture.at, to: picture.end, insert: text }, userEvent: "input.type" });
}

function onKey(view, dom, event) {
  const { key, shiftKey, altKey, isComposing } = event, isCommand = (event.ctrlKey || event.metaKey) && !altKey;
  const letter = isCommand ? key.toLowerCase() : "";
  if (letter == "z" || letter == "y") {
    event.preventDefault();
    (letter == "y" || shiftKey ? redo : undo)(view);
  } else if ((key == "Enter" && !isComposing && event.keyCode != 229) || key == "Escape") {
    // Enter would send the form.
    event.preventDefault();
    leave(view, place(view, dom));
  }
}

/** Goes to the next paragraph, which is made if there is none. */
function leave(view, line) {
  const { doc } = view.state, next = line.number < doc.lines ? doc.line(line.number + 1) : undefined, isText = next?.text.trim();
  const gap = isText ? "" : "\n".repeat(Math.max(0, line.number + 2 - doc.lines));
  const anchor = isText ? next.from : gap ? doc.length + gap.length : doc.line(line.number + 2).from;
  view.dispatch({ changes: { from: doc.length, insert: gap }, selection: { anchor }, userEvent: "input", scrollIntoView: true });
  view.focus();
}

class Thumbnail extends WidgetType {
  constructor({ alt, address }, texts) {
    super();
    Object.assign(this, { alt, address, texts, shown: thumbnail(address) });
  }

  eq(other) {
    return other.alt == this.alt && other.address == this.address && other.texts == this.texts;
  }

  get estimatedHeight() {
    return (this.shown?.height ?? 24) + TOOLS;
  }

  toDOM(view) {
    const { texts, address, shown } = this, dom = document.createElement("figure"), tools = document.createElement("div");
    dom.className = "cm-picture";
    dom.dataset.address = address;
    tools.className = "cm-picture-tools";
    const input = document.createElement("input");
    input.type = "text";
    input.value = this.alt;
    input.dir = "auto";
    input.autocomplete = "off";
    input.placeholder = texts.pictureAlt;
    input.setAttribute("aria-label", texts.pictureAlt);
    input.oninput = () => describe(view, dom, input);
    input.onkeydown = (event) => onKey(view, dom, event);
    const edit = () => {
      view.dispatch({ selection: { anchor: place(view, dom).to }, scrollIntoView: true });
      view.focus();
    };
    tools.append(input, button(texts.pictureEdit, edit));
    if (shown && coverField()) tools.append(this.#cover(view, input));
    dom.append(this.#picture(), tools);
    return dom;
  }

  /** The pages of the desk load no pictures of other servers. */
  #picture() {
    const { shown, address } = this, picture = document.createElement(shown ? "img" : "span");
    if (shown) return Object.assign(picture, { alt: "", draggable: false, decoding: "async", ...shown });
    picture.className = "cm-picture-away";
    picture.textContent = address;
    return picture;
  }

  #cover(view, input) {
    const cover = button(this.texts.pictureCover, () => {
      const path = coverField()?.value == this.address ? "" : this.address, detail = { path, alt: input.value };
      view.dom.dispatchEvent(new CustomEvent("editor-cover", { bubbles: true, detail }));
    });
    cover.dataset.cover = this.address;
    cover.setAttribute("aria-pressed", String(coverField().value == this.address));
    return cover;
  }

  /** The field keeps the focus while its description changes. */
  updateDOM(dom, _view, from) {
    if (from.address != this.address || from.texts != this.texts) return false;
    const input = dom.querySelector("input");
    if (input.value != this.alt) input.value = this.alt;
    return true;
  }

  /** Dropped files are uploaded. */
  ignoreEvent(event) {
    return !/^drag|^drop/.test(event.type);
  }
}

const focused = StateEffect.define();

/** Whether the cursor, or a selection within the line, shows its Markdown. */
const isOpen = (state, { from, to }) => state.selection.ranges.some((range) => range.from >= from && range.to <= to);

function decorated(state, { found, hasFocus, texts }) {
  const shown = found.filter((picture) => !isInBlock(state, picture.from + 1)).map((picture) => {
    const widget = new Thumbnail(picture, texts);
    return hasFocus && isOpen(state, picture)
      ? Decoration.widget({ widget, block: true, side: 1 }).range(picture.to)
      : Decoration.replace({ widget, block: true }).range(picture.from, picture.to);
  });
  return Decoration.set(shown);
}

/** The pictures after a change: only changed lines are read again. */
function after(found, { changes, newDoc }) {
  const fresh = new Map();
  let kept = found;
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    kept = kept.filter(({ from, to }) => to < fromA || from > toA);
    for (const picture of picturesIn(newDoc, fromB, toB)) fresh.set(picture.from, picture);
  });
  for (const picture of kept) {
    const by = changes.mapPos(picture.from, 1) - picture.from, moved = { ...picture };
    for (const name of ["from", "to", "at", "end"]) moved[name] += by;
    fresh.set(moved.from, moved);
  }
  return [...fresh.values()].sort((one, other) => one.from - other.from);
}

const thumbnails = (texts) =>
  StateField.define({
    create(state) {
      const value = { found: picturesIn(state.doc, 0, state.doc.length), hasFocus: false, texts };
      return { ...value, shown: decorated(state, value) };
    },
    update(value, transaction) {
      const found = transaction.docChanged ? after(value.found, transaction) : value.found;
      const focus = transaction.effects.find((effect) => effect.is(focused));
      // Without a picture a key costs nothing more.
      if (!found.length && !value.found.length && !focus) return value;
      const next = { ...value, found, hasFocus: focus ? focus.value : value.hasFocus };
      return { ...next, shown: decorated(transaction.state, next) };
    },
    provide: (field) => [
      EditorView.decorations.from(field, ({ shown }) => shown),
      Prec.high(keymap.of([{ key: "ArrowDown", run: enter(field, true) }, { key: "ArrowUp", run: enter(field, false) }])),
    ],
  });

/** The arrow keys go into the line of a thumbnail, which the editor itself would pass over. */
const enter = (field, isDown) => (view) => {
  const { state } = view, { main } = state.selection, line = state.doc.lineAt(main.head);
  const next = state.field(field).found.find(({ from, to }) => (isDown ? from == line.to + 1 : to == line.from - 1));
  if (!main.empty || !next) return false;
  const here = view.coordsAtPos(main.head), edge = view.coordsAtPos(isDown ? line.to : line.from);
  // Not from another row of a wrapped line.
  if (!here || !edge || Math.abs(here.top - edge.top) > 2) return false;
  view.dispatch({ selection: { anchor: next.to }, scrollIntoView: true, userEvent: "select" });
  return true;
};

class FileChip extends WidgetType {
  constructor(name, kind) {
    super();
    Object.assign(this, { name, kind });
  }

  eq(other) {
    return other.name == this.name && other.kind == this.kind;
  }

  toDOM() {
    const dom = document.createElement("span"), kind = document.createElement("small");
    dom.className = "cm-file";
    kind.textContent = this.kind.toUpperCase();
    dom.append(this.name, kind);
    return dom;
  }

  ignoreEvent() {
    return false;
  }
}

const matcher = new MatchDecorator({
  regexp: FILE,
  decorate(add, from, to, [, name, kind], view) {
    const line = view.state.doc.lineAt(from);
    if ((view.hasFocus && isOpen(view.state, line)) || pictureIn(line) || isInBlock(view.state, from + 1)) return;
    add(from, to, Decoration.replace({ widget: new FileChip(unescaped(name), kind) }));
  },
});

const chips = ViewPlugin.define(
  (view) => ({
    shown: matcher.createDeco(view),
    update(update) {
      if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged) this.shown = matcher.createDeco(update.view);
    },
  }),
  { decorations: (plugin) => plugin.shown },
);

/** Marks the button of the picture that is the cover, and goes to the description of a picture that was inserted. */
const listener = (element) =>
  ViewPlugin.define((view) => {
    const stop = new AbortController(), { signal } = stop;
    const mark = ({ target }) => {
      if (target.name != "details[cover]") return;
      for (const one of view.dom.querySelectorAll("[data-cover]")) one.setAttribute("aria-pressed", String(one.dataset.cover == target.value));
    };
    const ask = (event) => {
      view.dispatch({ effects: EditorView.scrollIntoView(event.detail) });
      const line = view.state.doc.lineAt(event.detail).from;
      const dom = [...view.dom.querySelectorAll(".cm-picture")].find((one) => place(view, one).from == line);
      if (!dom) return;
      event.preventDefault();
      const input = dom.querySelector("input");
      input.focus();
      input.select();
    };
    document.addEventListener("input", mark, { signal });
    element.addEventListener("editor-describe", ask, { signal });
    return { destroy: () => stop.abort() };
  });

/** Thumbnails with the texts of the page, which are data of the bar above the field. */
export function pictures(element) {
  const { pictureAlt = "", pictureEdit = "", pictureCover = "" } = element.parentElement?.querySelector("[data-picture-alt]")?.dataset ?? {};
  return [
    thumbnails({ pictureAlt, pictureEdit, pictureCover }),
    EditorView.focusChangeEffect.of((_state, isFocused) => focused.of(isFocused)),
    chips,
    listener(element),
  ];
}
