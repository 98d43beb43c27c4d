// The preview beside the text is scrolled together with it: headings stand at the same height.

import { ViewPlugin } from "@codemirror/view";

const HEADING = /^ {0,3}#{1,6}[ \t]+\S/, FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Positions of the headings outside of code. */
function headingsOf(doc) {
  const found = [];
  let at = 0, fence = "";
  for (const line of doc.iterLines()) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence) fence = mark.startsWith(fence) ? "" : fence;
    else if (mark) fence = mark;
    else if (HEADING.test(line)) found.push(at);
    at += line.length + 1;
  }
  return found;
}

/** Returns the height in the other text, from pairs of heights that grow. */
function between(pairs, height, from, to) {
  const next = Math.max(1, pairs.findIndex((pair) => pair[from] >= height)), after = pairs[next] ?? pairs.at(-1), before = pairs[next - 1];
  const share = (height - before[from]) / Math.max(1, after[from] - before[from]);
  return before[to] + Math.min(1, Math.max(0, share)) * (after[to] - before[to]);
}

class Together {
  #view;
  #stop = new AbortController();
  #document;
  #headings = [];
  /** Where the last step scrolled to: its own event is no scrolling by the user. */
  #set = -1;
  #isScrolled = false;
  #frame = 0;

  constructor(view) {
    this.#view = view;
    const options = { signal: this.#stop.signal, passive: true, capture: true };
    addEventListener("scroll", ({ target }) => this.#plan(target), options);
  }

  destroy() {
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
  }

  #plan(target) {
    const pane = document.querySelector(".editor-preview"), isPane = target == pane;
    if (!(isPane || target == document) || !pane?.offsetParent || pane.scrollHeight - pane.clientHeight < 2) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#follow(pane, isPane));
  }

  #follow(pane, isPane) {
    const view = this.#view, top = pane.getBoundingClientRect().top, pairs = this.#pairs(pane, top);
    if (isPane) {
      if (Math.abs(pane.scrollTop - this.#set) < 2) return;
      this.#set = pane.scrollTop;
      this.#isScrolled = true;
      scrollBy(0, between(pairs, pane.scrollTop, 1, 0) - (top - view.documentTop));
    } else if (this.#isScrolled) {
      this.#isScrolled = false;
    } else {
      pane.scrollTop = between(pairs, top - view.documentTop, 0, 1);
      this.#set = pane.scrollTop;
    }
  }

  /** Heights in the text and in the preview that belong together: the beginning, the headings, the end. */
  #pairs(pane, top) {
    const view = this.#view, { doc } = view.state;
    if (doc != this.#document) {
      this.#document = doc;
      this.#headings = headingsOf(doc);
    }
    const end = [Math.max(1, view.contentHeight - pane.clientHeight), pane.scrollHeight - pane.clientHeight];
    const shown = [...pane.querySelectorAll(".prose :is(h1, h2, h3, h4, h5, h6)")], pairs = [[0, 0]];
    if (shown.length == this.#headings.length) {
      for (const [index, heading] of shown.entries()) {
        const pair = [view.lineBlockAt(this.#headings[index]).top, heading.getBoundingClientRect().top - top + pane.scrollTop];
        if (pair.every((height, side) => height > pairs.at(-1)[side] && height < end[side])) pairs.push(pair);
      }
    }
    return [...pairs, end];
  }
}

export const preview = ViewPlugin.fromClass(Together);
