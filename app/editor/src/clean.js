// Pasted HTML of word processors, mail and web pages, made plain: lists, headings and marks as elements, and nothing that is
// unsafe or has no text. It works on a document that loads and runs nothing.

const DROPPED =
  "script, style, title, meta, link, noscript, template, iframe, object, svg, xml, button, input:not([type=checkbox]), select, [hidden]";
const HEADINGS = "h1, h2, h3, h4, h5, h6";
const BLOCK = /^(ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|DIV|DL|FIGURE|FOOTER|H[1-6]|HEADER|HR|LI|MAIN|OL|P|PRE|SECTION|TABLE|UL)$/;
/** Addresses that a link may have. Words in brackets are safe for all others. */
const LINKED = /^(https?:|mailto:|\/|#)/i;

const styleOf = (element) => element.getAttribute("style") ?? "";
/** A property of the style attribute, in lower case. The document has the content security policy of the page, which leaves `style` empty. */
const property = (element, name) =>
  new RegExp(`(?:^|;)\\s*${name}\\s*:([^;]*)`, "i").exec(styleOf(element))?.[1].replace("!important", "").trim().toLowerCase() ?? "";
const unwrap = (element) => element.replaceWith(...element.childNodes);

function wrap(element, name) {
  const made = element.ownerDocument.createElement(name);
  made.append(...element.childNodes);
  element.append(made);
}

function rename(element, name) {
  const made = element.ownerDocument.createElement(name);
  made.append(...element.childNodes);
  element.replaceWith(made);
  return made;
}

/** Styles that mean something become elements. */
function marks(body) {
  for (const bold of body.querySelectorAll("b, strong")) {
    if (/^(normal|400)$/.test(property(bold, "font-weight")) || bold.closest(HEADINGS)) unwrap(bold);
  }
  for (const span of body.querySelectorAll("span[style], font[style]")) {
    const weight = property(span, "font-weight");
    if (span.closest("pre, code")) continue;
    if (/\b(courier|consolas|menlo|monaco|monospace|\w+ mono)\b/i.test(property(span, "font-family"))) wrap(span, "code");
    if (/line-through/.test(styleOf(span))) wrap(span, "del");
    if (span.closest(HEADINGS)) continue;
    if (property(span, "font-style") == "italic") wrap(span, "em");
    if (Number(weight) >= 600 || weight == "bold") wrap(span, "strong");
  }
}

/** Word: a paragraph for each item, with its list, level and mark in its style. */
function wordLists(body) {
  let before, open = [];
  for (const item of [...body.querySelectorAll('p[style*="mso-list"], div[style*="mso-list"]')]) {
    const level = Number(/mso-list:\s*\S+\s+level(\d)/.exec(styleOf(item))?.[1]);
    if (!level) continue;
    const mark = [...item.querySelectorAll("[style]")].find((one) => /mso-list:\s*ignore/i.test(styleOf(one)));
    const sign = mark?.textContent.trim() ?? "";
    mark?.remove();
    const name = /^\(?(\d{1,9}|[a-z]{1,5})[.)]$/i.test(sign) ? "ol" : "ul";
    if (item.previousElementSibling !== before) open = [];
    open = open.slice(0, open[level - 1]?.localName == name ? level : level - 1);
    const document = item.ownerDocument;
    while (open.length < level) {
      const list = document.createElement(name);
      if (/^\d+/.test(sign)) list.setAttribute("start", parseInt(sign));
      const parent = open.at(-1)?.lastElementChild ?? open.at(-1);
      if (parent) parent.append(list);
      else item.before(list);
      open.push(list);
    }
    const entry = document.createElement("li");
    entry.append(...item.childNodes);
    open.at(-1).append(entry);
    item.remove();
    before = open[0];
  }
}

/** Word: names of styles that are headings and quotes. */
function wordStyles(body) {
  for (const [selector, name] of [["p.MsoTitle", "h1"], ["p.MsoQuote, p.MsoIntenseQuote", "blockquote"]]) {
    for (const found of body.querySelectorAll(selector)) rename(found, name);
  }
}

/** Lists belong to the item before them, and an item of one paragraph is its text. */
function lists(body) {
  for (const list of body.querySelectorAll("ul > ul, ul > ol, ol > ul, ol > ol")) list.previousElementSibling?.append(list);
  for (const item of body.querySelectorAll("li")) {
    const paragraphs = [...item.children].filter(({ nodeName }) => nodeName == "P" || nodeName == "DIV");
    if (item.getAttribute("role") == "checkbox") {
      for (const sign of [...item.children].filter(({ nodeName }) => nodeName == "IMG")) sign.remove();
      const box = item.ownerDocument.createElement("input");
      box.setAttribute("type", "checkbox");
      if (item.getAttribute("aria-checked") == "true") box.setAttribute("checked", "");
      (paragraphs[0] ?? item).prepend(box);
    }
    if (paragraphs.length == 1) unwrap(paragraphs[0]);
  }
}

/** Code is its text: without colours and numbers of lines, in one element with its language. */
function code(body) {
  for (const block of body.querySelectorAll("pre")) {
    for (const end of block.querySelectorAll("br")) end.replaceWith("\n");
    const classes = [block, block.firstElementChild, block.parentElement].map((one) => one?.className ?? "").join(" ");
    const language = /\b(?:language|lang|highlight-source|highlight-text)-([\w+#-]+)/.exec(classes)?.[1];
    const made = body.ownerDocument.createElement("code");
    made.textContent = block.textContent;
    if (language) made.className = `language-${language}`;
    block.replaceChildren(made);
  }
}

/** A table of one column, or around others, places its content on a page. */
function tables(body) {
  for (const table of [...body.querySelectorAll("table")].reverse()) {
    const rows = [...table.querySelectorAll("tr")].filter((row) => row.closest("table") == table);
    if (!table.querySelector("table") && rows.some((row) => row.children.length > 1)) continue;
    const parts = rows.flatMap((row) => [...row.children]).map((cell) => rename(cell, "div"));
    table.replaceWith(...parts);
  }
}

/** Ends of lines beside a block, and spaces that only keep others apart. */
function spaces(body) {
  const isEnd = (node) => !node || BLOCK.test(node.nodeName);
  for (const end of [...body.querySelectorAll("br")].reverse()) {
    if (end.closest("pre")) continue;
    const isLast = isEnd(end.nextSibling) && (isEnd(end.parentNode) || end.parentNode == body);
    if (isLast || (isEnd(end.previousSibling) && end.previousSibling)) end.remove();
  }
  const walker = body.ownerDocument.createTreeWalker(body, 4);
  while (walker.nextNode()) {
    const node = walker.currentNode, plain = node.data.replace(/\u00a0(?=\s|$)|(?<=\s|^)\u00a0/g, " ");
    if (plain != node.data && !node.parentNode.closest("pre, code")) node.data = plain;
  }
}

/** Changes the body of a pasted document. */
export function clean(body) {
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  wordLists(body);
  wordStyles(body);
  marks(body);
  code(body);
  lists(body);
  tables(body);
  for (const link of body.querySelectorAll("a")) {
    const isEmpty = !link.textContent.trim() && !link.querySelector("img");
    if (isEmpty || !LINKED.test(link.getAttribute("href") ?? "")) unwrap(link);
  }
  for (const image of body.querySelectorAll("img")) if (!/^(https?:|\/)/i.test(image.getAttribute("src") ?? "")) image.remove();
  spaces(body);
}
