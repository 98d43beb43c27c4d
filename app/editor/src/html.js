// Pasted HTML as Markdown. Nothing but what a rule writes and escaped text gets into it.

import TurndownService from "turndown";
import { clean } from "./clean.js";

/** Longer HTML is pasted as plain text. */
const MOST = 1_000_000;
/** What Markdown can say. Without any of it, the plain text is better. */
const MEANT = "a[href], b, strong, em, i, code, pre, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, img, del, s, strike, hr";
/** Marks that hardly any text has but Markdown. */
const MARKDOWN = /^#{1,6} \S|^ {0,3}(```|~~~)|^[-*+] \[[ xX]\] |\*\*[^\s*][^*\n]*\*\*|\[[^\]\n]+\]\([^\s)]+\)|^\|?( *:?-{3,}:? *\|)+/m;

let converts;

/** A row of a table; the first one is its head. */
function row(cells, node) {
  const table = node.closest("table"), rows = [...table.querySelectorAll("tr")];
  const widthOf = (one) => [...one.children].reduce((sum, cell) => sum + span(cell), 0);
  const width = Math.max(...rows.map(widthOf)), line = `${cells}${"     |".repeat(width - widthOf(node))}`;
  return node == rows[0] ? `\n|${line}\n|${" --- |".repeat(width)}` : `\n|${line}`;
}

const span = (cell) => Math.min(Math.max(parseInt(cell.getAttribute("colspan")) || 1, 1), 100);

function cell(content, node) {
  const text = content.trim().replace(/ *\n\s*/g, "<br>").replace(/\|/g, "\\|").padEnd(3);
  return ` ${text} |${"     |".repeat(span(node) - 1)}`;
}

function converter() {
  const service = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "_",
    hr: "---",
  });
  const escape = service.escape.bind(service);
  service.escape = (text) => escape(text).replace(/<(?=[a-z/!?])/gi, "\\<");
  service.addRule("item", {
    filter: "li",
    replacement(content, node, options) {
      const list = node.parentNode, isOrdered = list?.nodeName == "OL";
      const number = Number(list?.getAttribute?.("start") ?? 1) + [...(list?.children ?? [])].indexOf(node);
      const mark = isOrdered ? `${number}. ` : `${options.bulletListMarker} `;
      const text = content.trim().replace(/\n/gm, `\n${" ".repeat(mark.length)}`).replace(/[ \t]+$/gm, "");
      return mark + text + (node.nextSibling ? "\n" : "");
    },
  });
  const box = ({ type, parentNode }) => type == "checkbox" && parentNode.nodeName == "LI";
  service.addRule("box", { filter: box, replacement: (_, node) => (node.checked ? "[x] " : "[ ] ") });
  service.addRule("struck", { filter: ["del", "s", "strike"], replacement: (content) => `~~${content}~~` });
  service.addRule("cell", { filter: ["th", "td"], replacement: cell });
  service.addRule("row", { filter: "tr", replacement: row });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("columns", { filter: ["colgroup", "col"], replacement: () => "" });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.replace(/\n+/g, "\n").trim()}\n\n` });
  return service;
}

/** Whether the clipboard has Markdown as its plain text: a file, or from an editor. Code that shows Markdown is code. */
function isMarkdown(body, plain) {
  if (!MARKDOWN.test(plain)) return false;
  const [only, more] = body.children, isFile = only?.nodeName == "PRE" && !more && !only.querySelector("code");
  return isFile || ![...body.querySelectorAll("code, pre")].some((code) => MARKDOWN.test(code.textContent));
}

/** Returns the Markdown; `undefined`: the plain text says the same. */
export function markdownOf(html, plain = "") {
  if (html.length > MOST) return;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  if (isMarkdown(body, plain)) return;
  clean(body);
  if (!body.querySelector(MEANT)) return;
  converts ??= converter();
  return converts.turndown(body).trim() || undefined;
}
