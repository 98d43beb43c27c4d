// What the tests of layout do in the page: longer text, and a list of what does not fit. Runs in the browser: no imports.

/** Replaces letters by accented ones and adds 40 % to every text, label and placeholder that is shown; a second call adds nothing. */
export function lengthen() {
  const accents: Record<string, string> = { A: "Å", C: "Ç", E: "É", I: "Î", N: "Ñ", O: "Ö", S: "Ŝ", U: "Û", W: "Ŵ", a: "å", c: "ç", e: "é", h: "ĥ", i: "î", l: "ļ", n: "ñ", o: "ö", r: "ŕ", s: "š", t: "ţ", u: "û", w: "ŵ" };
  const longer = (text: string) => {
    const core = text.trim();
    if (!/\p{L}/u.test(core) || /[ÅÇÉŜŴåçéĥļŕšţŵ]/.test(core)) return text;
    const extra = " ôñé ţŵô ţĥŕéé".repeat(Math.ceil(core.length / 20)).slice(0, Math.ceil(core.length * 0.4));
    return text.replace(core, () => [...core].map((letter) => accents[letter] ?? letter).join("") + extra);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (texts.nextNode()) nodes.push(texts.currentNode as Text);
  for (const node of nodes) {
    if (!node.parentElement?.closest("script, style, template, textarea, pre, code, time")) node.data = longer(node.data);
  }
  for (const name of ["placeholder", "label"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) one.setAttribute(name, longer(one.getAttribute(name) ?? ""));
  }
}

/** Returns what does not fit the window at its current size, one sentence each. */
export function misfits(): string[] {
  type Box = { left: number; right: number; top: number; bottom: number };
  const found: string[] = [];
  const width = document.documentElement.clientWidth;
  const wider = document.documentElement.scrollWidth - width;
  if (wider > 0) found.push(`the document is ${wider} px wider than the window`);
  const name = (one: Element) => {
    const own = one.tagName.toLowerCase() + [...one.classList].map((word) => `.${word}`).join("");
    return `${one.parentElement ? `${one.parentElement.tagName.toLowerCase()}${[...one.parentElement.classList].map((word) => `.${word}`).join("")} > ` : ""}${own} "${(one.textContent ?? "").trim().slice(0, 30)}"`;
  };
  /** The part of an element, or of its text at a place, that its scrolling and clipping ancestors show; `null` if none. */
  const shown = (one: Element, place: Box = one.getBoundingClientRect()): Box | null => {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    const { left, right, top, bottom } = place;
    const box = { left, right, top, bottom };
    let position = getComputedStyle(one).position;
    for (let outer = one.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
      if (position === "fixed") break;
      const style = getComputedStyle(outer);
      if (position === "absolute" && style.position === "static") continue;
      position = style.position;
      if (style.clipPath !== "none") return null;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const edge = outer.getBoundingClientRect();
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
    }
    const hidden = getComputedStyle(one).clipPath !== "none";
    return hidden || box.right - box.left < 2 || box.bottom - box.top < 2 ? null : box;
  };
  /** The nearest element that stays in place while the page scrolls. */
  const layer = (one: Element): Element | null => {
    for (let outer: Element | null = one; outer; outer = outer.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(outer).position)) return outer;
    }
    return null;
  };

  for (const one of document.body.querySelectorAll("*")) {
    const box = shown(one);
    if (!box || one.closest("svg")) continue;
    if (box.left < -1) found.push(`${name(one)} sticks out ${Math.round(-box.left)} px on the left`);
    if (box.right > width + 1) found.push(`${name(one)} sticks out ${Math.round(box.right - width)} px on the right`);
    const style = getComputedStyle(one);
    // A text that does not wrap can be wider than its element.
    for (const text of style.overflowX === "visible" ? one.childNodes : []) {
      if (text.nodeType !== Node.TEXT_NODE || !(text as Text).data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const part = shown(one, range.getBoundingClientRect());
      if (part && (part.left < -1 || part.right > width + 1)) found.push(`the text of ${name(one)} sticks out`);
    }
    const clips = ["hidden", "clip"].includes(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
    const shortens = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    if (clips && !shortens && (one.textContent ?? "").trim()) {
      const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      const edge = one.getBoundingClientRect();
      while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement!;
        if (!(texts.currentNode as Text).data.trim() || getComputedStyle(parent).textOverflow === "ellipsis" || !shown(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        const text = range.getBoundingClientRect();
        if (text.width > 0 && (text.right > edge.right + 1 || text.left < edge.left - 1)) {
          found.push(`${name(one)} cuts off "${(texts.currentNode as Text).data.trim().slice(0, 30)}"`);
          break;
        }
      }
    }
  }

  const targets = [...document.querySelectorAll("a[href], button, summary, :is(input:not([type=hidden]), select, textarea):enabled")].flatMap((one) => {
    const box = shown(one);
    return box ? [{ one, box, layer: layer(one) }] : [];
  });
  for (const { one, box } of targets) {
    const { width, height } = one.getBoundingClientRect();
    const whole = Math.abs(width - (box.right - box.left)) < 1 && Math.abs(height - (box.bottom - box.top)) < 1;
    // A link in a sentence is as high as its line; the browser draws boxes, and axe checks the space around them.
    const inText = getComputedStyle(one).display === "inline" || one.matches("[type=checkbox], [type=radio]");
    if (whole && !inText && Math.min(width, height) < 23.5) found.push(`${name(one)} is only ${Math.round(width)} × ${Math.round(height)} px`);
  }
  targets.forEach(({ one, box, layer }, place) => {
    for (const other of targets.slice(place + 1)) {
      if (other.layer !== layer || one.contains(other.one) || other.one.contains(one)) continue;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 2 && down > 2) found.push(`${name(one)} and ${name(other.one)} overlap by ${Math.round(across)} × ${Math.round(down)} px`);
    }
  });
  return found;
}
