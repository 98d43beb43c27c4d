// Pasted HTML as Markdown.

import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";

/** Longer HTML is pasted as plain text. */
const MOST = 1_000_000;
/** What Markdown can say. Without any of it, the plain text is better. */
const MEANT = "a[href], b, strong, em, i, code, pre, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, img, del, s, strike, hr";
const DROPPED = "script, style, title, meta, link, noscript, template, iframe, object, svg, button, input:not([type=checkbox])";

let converts;

function converter() {
  const service = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "_",
    hr: "---",
  });
  service.use(gfm);
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
  return service;
}

/** Makes the styles of word processors elements, and removes what is unsafe or has no text. */
function clean(body) {
  for (const element of body.querySelectorAll(DROPPED)) element.remove();
  for (const bold of body.querySelectorAll("b, strong")) if (/^(normal|400)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  for (const span of body.querySelectorAll("span[style]")) {
    const isBold = Number(span.style.fontWeight) >= 600 || span.style.fontWeight == "bold";
    for (const name of [isBold && "strong", span.style.fontStyle == "italic" && "em"]) {
      if (!name || span.closest("h1, h2, h3, h4, h5, h6, pre")) continue;
      const wrap = body.ownerDocument.createElement(name);
      wrap.append(...span.childNodes);
      span.append(wrap);
    }
  }
  for (const link of body.querySelectorAll("a")) {
    const address = link.getAttribute("href") ?? "";
    if (!/^(https?:|mailto:|\/|#)/i.test(address) || !(link.textContent.trim() || link.querySelector("img"))) link.replaceWith(...link.childNodes);
  }
  for (const image of body.querySelectorAll("img")) if (!/^(https?:|\/)/i.test(image.getAttribute("src") ?? "")) image.remove();
}

/** Returns the Markdown; `undefined`: the plain text says the same. */
export function markdownOf(html) {
  if (html.length > MOST) return;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  clean(body);
  if (!body.querySelector(MEANT)) return;
  converts ??= converter();
  return converts.turndown(body).trim() || undefined;
}
