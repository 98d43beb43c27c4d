// Whether a place is in code, where Markdown means nothing.

import { syntaxTree } from "@codemirror/language";

/** A fenced block ends behind its second fence; without one it takes all that follows. */
const isOpen = (block) => block.getChildren("CodeMark").length < 2;

/** Whether a place is in a block of code. */
export function isInBlock(state, at) {
  for (let node = syntaxTree(state).resolveInner(at, -1); node; node = node.parent) {
    if (node.name == "CodeBlock" || (node.name == "FencedCode" && (at < node.to || isOpen(node)))) return true;
  }
  return false;
}

/** Whether a place is in code or in an address. */
export function isInCode(state, at) {
  for (let node = syntaxTree(state).resolveInner(at, -1); node; node = node.parent) {
    if ((node.name == "InlineCode" || node.name == "URL") && at < node.to) return true;
  }
  return isInBlock(state, at);
}
