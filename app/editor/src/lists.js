// Enter continues lists and quotes and ends them at an empty item, Tab indents items and code. Elsewhere Tab goes to the next field, and after
// Escape it does so everywhere.

import { deleteMarkupBackward, insertNewlineContinueMarkupCommand } from "@codemirror/lang-markdown";
import { insertNewline, insertNewlineKeepIndent, isolateHistory } from "@codemirror/commands";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { isInBlock } from "./code.js";

const ITEM = /^[ \t]*([-*+]|\d{1,9}[.)]) /;
/** An item or a quote without text, not inside of another. */
const EMPTY = /^(([-*+]|\d{1,9}[.)]) (\[[ xX]\])?|>)[ \t]*$/;

/** The selected lines, if Tab indents them. */
function selectedLines(state) {
  const { from, to } = state.selection.main, { doc } = state;
  const first = doc.lineAt(from), last = doc.lineAt(to > from && doc.lineAt(to).from == to ? to - 1 : to);
  if (first.number == last.number && !ITEM.test(first.text) && !isInBlock(state, from)) return [];
  return Array.from({ length: last.number - first.number + 1 }, (_, place) => doc.line(first.number + place));
}

/** Width of a step: below the text of the item. */
const step = (line) => (ITEM.exec(line.text)?.[1].length ?? 1) + 1;

const indent = (isLess) => (view) => {
  const lines = selectedLines(view.state);
  const changes = lines.flatMap((line) => {
    if (!isLess) return line.text ? [{ from: line.from, insert: " ".repeat(step(line)) }] : [];
    const blank = /^(\t| *)/.exec(line.text)[0].slice(0, line.text[0] == "\t" ? 1 : step(line));
    return blank ? [{ from: line.from, to: line.from + blank.length }] : [];
  });
  const selection = view.state.selection.map(view.state.changes(changes), 1);
  if (changes.length) view.dispatch({ changes, selection, userEvent: "input.indent", annotations: isolateHistory.of("full") });
  return lines.length > 0;
};

/**
 * Enter in an empty item below another line ends the list or quote with an empty line. Otherwise the next line would
 * still belong to the item before, e.g. a table.
 */
function end(view) {
  const { state } = view, { main } = state.selection, line = state.doc.lineAt(main.head);
  if (!main.empty || main.head != line.to || !EMPTY.test(line.text) || isInBlock(state, main.head)) return false;
  if (line.number == 1 || !state.doc.line(line.number - 1).text.trim()) return false;
  const changes = { from: line.from, to: line.to, insert: "\n" };
  view.dispatch({ changes, selection: { anchor: line.from + 1 }, userEvent: "input", scrollIntoView: true });
  return true;
}

export const lists = Prec.high(
  keymap.of([
    { key: "Enter", run: end },
    { key: "Enter", run: insertNewlineContinueMarkupCommand({ nonTightLists: false }) },
    { key: "Enter", run: insertNewlineKeepIndent, shift: insertNewline },
    { key: "Backspace", run: deleteMarkupBackward },
    { key: "Tab", run: indent(false), shift: indent(true) },
  ]),
);
