// Loads the Markdown editor for the text field and binds it to the field, after hydration: an element
// more would confuse it, and on a slow line its files come first. Until then, and without the editor,
// the field is a plain textarea.
const d = document, seen = new WeakSet(), tried = new WeakSet();
const EDITOR = d.querySelector("script[data-editor]").dataset.editor;
let view, binds, composes = false;
const bind = async field => {
  tried.add(field);
  try {
    const { mount } = await (binds ??= import(EDITOR));
    // Text that is being composed belongs to the textarea until it is there.
    if (composes) return tried.delete(field);
    if (field.isConnected) view = mount(field, d.querySelector("script[nonce]")?.nonce);
    field.dispatchEvent(new Event("editor-open", { bubbles: true }));
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
  if (!seen.has(field)) {
    seen.add(field);
    field.addEventListener("compositionstart", () => composes = true);
    field.addEventListener("compositionend", () => { composes = false; look(); });
    composes = false;
  }
  if (d.documentElement.hasAttribute("data-live") && !composes) bind(field);
};
new MutationObserver(look).observe(d.documentElement, { childList: true, subtree: true, attributeFilter: ["data-live"] });
look();
