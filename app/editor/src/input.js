// Keys of the toolbar, pasted HTML and links, dropped and pasted files, inserted lines.

import { isolateHistory } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { isInCode } from "./code.js";
import { markdownOf } from "./html.js";

/** Offers a key to the textarea, whose listeners belong to the toolbar. */
function offerKey(element, event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return false;
  const { key, code, ctrlKey, metaKey, shiftKey } = event;
  const offered = new KeyboardEvent("keydown", { key, code, ctrlKey, metaKey, shiftKey, cancelable: true });
  return !element.dispatchEvent(offered);
}

function insert(view, text) {
  const change = view.state.replaceSelection(text);
  view.dispatch(change, { userEvent: "input.paste", scrollIntoView: true, annotations: isolateHistory.of("full") });
  return true;
}

/** Gives files to the uploads (writing.js). */
function upload(element, files) {
  element.dispatchEvent(new CustomEvent("editor-files", { bubbles: true, detail: [...files] }));
  return true;
}

/** Whether the key that was pressed last pastes without formats. Not every browser leaves the formats out then. */
let isPlain = false;

function paste(element, event, view) {
  const data = event.clipboardData;
  if (!data) return false;
  const plain = data.getData("text/plain"), text = plain.trim(), { main } = view.state.selection;
  if (!text && data.files.length) return upload(element, data.files);
  const selected = view.state.sliceDoc(main.from, main.to);
  const isText = isPlain;
  isPlain = false;
  if (isText || isInCode(view.state, main.from)) return false;
  if (selected && /^https?:\/\/\S+$/.test(text) && !/[[\]\n]/.test(selected)) return insert(view, `[${selected}](${text})`);
  // An editor of code marks its text with colours, which mean nothing here.
  const html = data.types.includes("vscode-editor-data") ? "" : data.getData("text/html");
  const markdown = html && markdownOf(html, plain);
  return markdown ? insert(view, markdown) : false;
}

function drop(element, event, view) {
  const files = event.dataTransfer?.files;
  if (!files?.length) return false;
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
  if (at !== null) view.dispatch({ selection: { anchor: at } });
  view.focus();
  return upload(element, files);
}

export const input = (element) =>
  EditorView.domEventHandlers({
    keydown: (event) => {
      isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() == "v";
      return offerKey(element, event);
    },
    paste: (event, view) => paste(element, event, view),
    drop: (event, view) => drop(element, event, view),
    // Inserted lines, e.g. by dictation or a keyboard of a phone: as one change, without elements of the browser.
    beforeinput: (event, view) =>
      event.inputType == "insertText" && !event.isComposing && !view.composing && event.data?.includes("\n")
        ? insert(view, event.data.replace(/\r\n?/g, "\n"))
        : false,
  });
