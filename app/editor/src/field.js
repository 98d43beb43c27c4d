// The interface of the textarea, acting on the editor: value, selection, focus, `input` events.

import { isolateHistory } from "@codemirror/commands";
import { Annotation, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { changesBetween } from "./changes.js";

const native = HTMLTextAreaElement.prototype;
const nativeValue = Object.getOwnPropertyDescriptor(native, "value");

/** A change by the program: no `input` event follows. */
const isSilent = Annotation.define();

/**
 * From this length on, `input` events wait for a pause, and the textarea gets its copy when the text is left: so a key
 * costs nothing but the editor's own work.
 */
const LONG = 20_000;
/** The pause, and how long an event may wait for it, in milliseconds. */
const PAUSE = 120, MOST_WAIT = 1_500;

const withLineFeeds = (text) => String(text ?? "").replace(/\r\n?/g, "\n");

export class Field {
  #element;
  #view;
  /** The text as a string, and the document that it is. */
  #text = "";
  #document;
  /** What the textarea itself holds. */
  #copy;
  #copied;
  /** The textarea's own selection, as the editor left it. */
  #selection = [0, 0];
  /** The timer of the event that waits, and the time of the first change. */
  #timer;
  #since = 0;
  #listeners = new AbortController();

  constructor(element) {
    this.#element = element;
    this.#copy = nativeValue.get.call(element);
  }

  /** Reports the changes of the editor. */
  extension() {
    return EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      if (!update.transactions.every((one) => !one.docChanged || one.annotation(isSilent))) this.#report();
      if (update.state.doc.length <= LONG) this.#copyText();
    });
  }

  bind(view) {
    this.#view = view;
    const element = this.#element;
    this.#define();
    this.#selection = this.#nativeSelection();
    element.view = view;
    element.dataset.view = "";
    element.tabIndex = -1;
    element.setAttribute("aria-hidden", "true");
    const options = { signal: this.#listeners.signal }, first = { ...options, capture: true };
    element.addEventListener("focus", () => this.#takeFocus(), options);
    element.addEventListener("input", () => this.#takeInput(), options);
    element.form?.addEventListener("formdata", (event) => event.formData.set(element.name, this.text), options);
    view.contentDOM.addEventListener("blur", () => this.#flush(), options);
    // The editor's own events are not those of the field.
    view.dom.addEventListener("input", (event) => event.stopPropagation(), options);
    view.dom.addEventListener("change", (event) => event.stopPropagation(), options);
    for (const kind of ["pagehide", "submit", "click"]) addEventListener(kind, () => this.#flush(), first);
    document.addEventListener("visibilitychange", () => this.#flush(), first);
    // The toolbar inserts like typed text.
    document.execCommand = (command, ui, value) => {
      const isText = command == "insertText" || command == "delete";
      if (!isText || document.activeElement != view.contentDOM) return Document.prototype.execCommand.call(document, command, ui, value);
      const { from, to } = view.state.selection.main;
      this.#replace(command == "delete" ? "" : withLineFeeds(value), from, to, "end");
      return true;
    };
  }

  /** Gives the textarea back, with the text. */
  release() {
    this.#flush();
    this.#copyText();
    this.#listeners.abort();
    delete document.execCommand;
    const element = this.#element;
    for (const name of Object.getOwnPropertyNames(this.#properties())) delete element[name];
    delete element.view;
    delete element.dataset.view;
    element.removeAttribute("tabindex");
    element.removeAttribute("aria-hidden");
  }

  /** The text. Made once for each version of the document. */
  get text() {
    const { doc } = this.#view.state;
    if (doc !== this.#document) {
      this.#text = doc.toString();
      this.#document = doc;
    }
    return this.#text;
  }

  /** Sets the text as few changes. They keep the cursor; undo passes over them. */
  set text(text) {
    const changes = changesBetween(this.#view.state.doc, this.text, withLineFeeds(text));
    const annotations = [isSilent.of(true), Transaction.addToHistory.of(false), Transaction.remote.of(true)];
    if (changes.length) this.#view.dispatch({ changes, annotations });
  }

  #define() {
    Object.defineProperties(this.#element, this.#properties());
  }

  #properties() {
    const main = () => this.#view.state.selection.main;
    const accessor = (get, set) => ({ get, set, configurable: true });
    const method = (value) => ({ value, configurable: true });
    return {
      value: accessor(() => this.text, (text) => (this.text = text)),
      textLength: accessor(() => this.#view.state.doc.length),
      selectionStart: accessor(() => main().from, (at) => this.#select(at, Math.max(at, main().to))),
      selectionEnd: accessor(() => main().to, (at) => this.#select(Math.min(main().from, at), at)),
      selectionDirection: accessor(() => (main().empty ? "none" : main().head < main().anchor ? "backward" : "forward")),
      setSelectionRange: method((from, to, direction) => this.#select(from, to, direction)),
      setRangeText: method((text, from = main().from, to = main().to, mode = "preserve") => {
        this.#replace(withLineFeeds(text), from, to, mode, isSilent.of(true));
      }),
      select: method(() => this.#select(0, Infinity)),
      focus: method((options) => this.#focus(options)),
      blur: method(() => this.#view.contentDOM.blur()),
    };
  }

  #within(at) {
    return Math.max(0, Math.min(Number(at) || 0, this.#view.state.doc.length));
  }

  #select(from, to, direction) {
    const end = this.#within(to), start = Math.min(this.#within(from), end);
    const selection = direction == "backward" ? { anchor: end, head: start } : { anchor: start, head: end };
    this.#view.dispatch({ selection });
  }

  /** Replaces a part, as a step of its own for undo. */
  #replace(insert, from, to, mode, ...annotations) {
    const start = this.#within(from), end = Math.max(start, this.#within(to)), after = start + insert.length;
    const selection = { end: { anchor: after }, start: { anchor: start }, select: { anchor: start, head: after } }[mode];
    const changes = { from: start, to: end, insert };
    this.#view.dispatch({ changes, selection, userEvent: "input", annotations: [isolateHistory.of("full"), ...annotations] });
  }

  #focus(options) {
    this.#view.focus();
    if (!options?.preventScroll) this.#view.dispatch({ scrollIntoView: true });
  }

  #nativeSelection() {
    const of = (name) => Object.getOwnPropertyDescriptor(native, name).get.call(this.#element);
    return [of("selectionStart"), of("selectionEnd")];
  }

  /** The textarea got the focus: by its label, or by a program that selected in it before. */
  #takeFocus() {
    const [from, to] = this.#nativeSelection();
    if (from != this.#selection[0] || to != this.#selection[1]) this.#select(from, to);
    this.#selection = [from, to];
    this.#view.focus();
  }

  /** The textarea itself was changed, e.g. by an extension of the browser. */
  #takeInput() {
    const text = nativeValue.get.call(this.#element);
    if (text === this.#copy) return;
    this.#copy = text;
    this.text = text;
  }

  /** Dispatches `input` on the textarea: at once, or after a pause if the text is long. */
  #report() {
    if (this.#view.state.doc.length <= LONG) return this.#dispatch();
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#dispatch(), PAUSE);
    // Right after the paint of a key, the next one is farthest away.
    if (now - this.#since > MOST_WAIT) requestAnimationFrame(() => setTimeout(() => this.#flushInput()));
  }

  #dispatch() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#element.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: this.#view.composing }));
  }

  /** Nothing waits when the text is left. */
  #flush() {
    this.#flushInput();
    this.#copyText();
  }

  #flushInput() {
    if (this.#timer !== undefined) this.#dispatch();
  }

  #copyText() {
    const { doc } = this.#view.state;
    if (this.#copied === doc) return;
    this.#copied = doc;
    this.#copy = this.text;
    nativeValue.set.call(this.#element, this.#copy);
    this.#selection = this.#nativeSelection();
  }
}
