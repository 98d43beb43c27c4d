// Loads the Markdown editor for the text field, and binds it to the field after hydration: an element
// more would confuse it. Without the editor the field stays a plain textarea.
const d = document, tried = new WeakSet();
let view, binds;
const bind = async field => {
  tried.add(field);
  try {
    const { mount } = await (binds ??= import(EDITOR));
    if (!field.isConnected) return;
    view?.destroy();
    view = mount(field, d.querySelector("script[nonce]")?.nonce);
  } catch (error) {
    // The next field tries again.
    binds = undefined;
    console.warn(error);
  }
};
const look = () => {
  if (view && !view.field.isConnected) view = view.destroy();
  const field = d.getElementById("body");
  if (!EDITOR || !field?.matches("textarea.editor-text:not([readonly])") || tried.has(field)) return;
  binds ??= import(EDITOR);
  binds.catch(() => {});
  if (d.documentElement.hasAttribute("data-live")) bind(field);
};
new MutationObserver(look).observe(d.documentElement, { childList: true, subtree: true, attributeFilter: ["data-live"] });
look();
