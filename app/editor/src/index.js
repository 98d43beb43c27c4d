// The Markdown editor: CodeMirror as the view of a textarea. The textarea keeps its interface (field.js), so
// everything that works on it goes on working: saving, merging, checks, uploads.

import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { directions } from "./directions.js";
import { Field } from "./field.js";
import { input } from "./input.js";
import { language } from "./language.js";
import { lists } from "./lists.js";
import { phrases } from "./phrases.js";
import { pictures } from "./pictures.js";
import { preview } from "./preview.js";
import { theme } from "./theme.js";

/** Attributes of the textarea that its view has too. */
const ATTRIBUTES = ["aria-describedby", "aria-invalid", "aria-required", "lang"];

/** Keys of the search that are not keys of Presstime or of the browser. */
const SEARCH_KEYS = ["Mod-f", "F3", "Mod-g", "Escape"];

function attributes(field) {
  const named = { "aria-label": field.labels?.[0]?.textContent.trim() ?? field.getAttribute("aria-label") ?? "" };
  const typed = { spellcheck: String(field.spellcheck), autocorrect: "on", autocapitalize: "sentences" };
  const copied = ATTRIBUTES.filter((name) => field.hasAttribute(name)).map((name) => [name, field.getAttribute(name)]);
  return [
    EditorView.contentAttributes.of({ ...named, ...typed, ...Object.fromEntries(copied) }),
    placeholder(field.getAttribute("placeholder") ?? ""),
  ];
}

/** The line with the save state lies over the end of the window. */
function covered() {
  const line = document.querySelector(".save-line")?.getBoundingClientRect();
  return line && line.top < innerHeight ? { top: 8, bottom: innerHeight - line.top + 8 } : { top: 8, bottom: 8 };
}

/**
 * Shows the editor for a textarea, with the nonce of the page for its styles. Returns the textarea and `destroy`,
 * which gives the textarea back.
 */
export function mount(element, nonce = "") {
  const shown = new Compartment();
  const field = new Field(element);
  const hadFocus = document.activeElement == element;
  const state = EditorState.create({
    doc: element.value,
    selection: { anchor: element.selectionStart, head: element.selectionEnd },
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorView.editorAttributes.of({ class: "editor-text" }),
      EditorView.lineWrapping,
      EditorView.scrollMargins.of(covered),
      EditorState.tabSize.of(4),
      EditorState.phrases.of(phrases(document.documentElement.lang)),
      shown.of(attributes(element)),
      field.extension(),
      input(element),
      lists,
      language,
      directions,
      pictures(element),
      preview,
      history(),
      search({ top: true }),
      keymap.of([
        ...searchKeymap.filter(({ key }) => SEARCH_KEYS.includes(key)),
        { key: "Mod-Alt-f", run: openSearchPanel },
        ...historyKeymap,
        ...standardKeymap,
      ]),
      theme,
    ],
  });
  const view = new EditorView({ state });
  element.after(view.dom);
  field.bind(view);
  const watcher = new MutationObserver(() => view.dispatch({ effects: shown.reconfigure(attributes(element)) }));
  watcher.observe(element, { attributeFilter: [...ATTRIBUTES, "placeholder", "spellcheck"] });
  if (hadFocus) view.focus();
  const destroy = () => {
    watcher.disconnect();
    field.release();
    view.destroy();
  };
  return { field: element, destroy };
}
