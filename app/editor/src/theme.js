// The look: the box of the textarea (`editor-text` in the stylesheet), colours of the desk.

import { EditorView } from "@codemirror/view";

const control = {
  minHeight: "2.25rem",
  margin: 0,
  padding: "0 var(--s3)",
  border: "1px solid var(--border)",
  borderRadius: "var(--radius)",
  background: "var(--surface)",
  color: "var(--text)",
  font: "400 var(--size-m)/1.4 var(--sans)",
};

export const theme = EditorView.theme({
  "&": { padding: "0", resize: "none", color: "var(--text)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { font: "inherit", lineHeight: "inherit", flex: "1 1 auto" },
  ".cm-content": { padding: "var(--s4)", caretColor: "var(--text)" },
  ".cm-line": { padding: "0" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".md-heading, .md-strong": { fontWeight: "700" },
  ".md-emphasis": { fontStyle: "italic" },
  ".md-struck": { textDecoration: "line-through" },
  ".md-code": { background: "var(--inset)" },
  ".md-link": { color: "var(--accent)" },
  ".md-address, .md-quote, .md-mark": { color: "var(--muted)" },
  ".cm-picture": { display: "grid", gap: "var(--s2)", margin: 0, padding: "var(--s2) 0", font: "400 var(--size-s)/1.4 var(--sans)" },
  // Its size is known before it is loaded.
  ".cm-picture img": { display: "block", maxWidth: "100%", height: "auto", borderRadius: "var(--radius)", background: "var(--inset)" },
  ".cm-picture-away": { color: "var(--muted)", overflowWrap: "anywhere" },
  ".cm-picture-tools": { display: "flex", flexWrap: "wrap", gap: "var(--s2)" },
  ".cm-picture-tools input": { ...control, flex: "1 1 12rem", minWidth: 0 },
  ".cm-picture-tools button[aria-pressed=true]": { background: "var(--accent-wash)" },
  ".cm-file": { padding: "0 var(--s2)", border: "1px solid var(--border)", borderRadius: "var(--radius)", font: "400 var(--size-s)/1.4 var(--sans)" },
  ".cm-file small": { marginInlineStart: "var(--s2)", color: "var(--muted)" },
  ".cm-searchMatch": { background: "var(--due-wash)", outline: "1px solid var(--due)" },
  ".cm-searchMatch-selected": { background: "var(--accent-wash)", outline: "2px solid var(--accent)" },
  ".cm-selectionMatch": { background: "none" },
  ".cm-panels": { background: "var(--inset)", color: "var(--text)", zIndex: "1" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--divider)" },
  ".cm-panel.cm-search": {
    display: "flex", flexWrap: "wrap", alignItems: "center", gap: "var(--s2)",
    padding: "var(--s2) 3rem var(--s2) var(--s3)", font: "400 var(--size-s)/1.4 var(--sans)",
  },
  // "All" needs several cursors.
  ".cm-panel.cm-search br, .cm-panel.cm-search [name=select]": { display: "none" },
  ".cm-panel.cm-search label": {
    display: "inline-flex", alignItems: "center", gap: "var(--s1)", minHeight: "1.75rem", margin: 0, fontSize: "inherit",
  },
  ".cm-panel.cm-search input[type=checkbox]": { width: "1rem", height: "1rem", margin: 0, accentColor: "var(--accent)" },
  ".cm-panel.cm-search .cm-textfield": { ...control, flex: "1 1 12rem", minWidth: 0, maxWidth: "20rem" },
  ".cm-panel.cm-search .cm-button": { ...control, backgroundImage: "none", cursor: "pointer" },
  ".cm-panel.cm-search .cm-button:active": { background: "var(--inset)", backgroundImage: "none" },
  ".cm-panel.cm-search [name=close]": {
    top: "var(--s2)", right: "var(--s2)", width: "2.25rem", height: "2.25rem", color: "inherit", fontSize: "1.25rem", cursor: "pointer",
  },
  "@media (width < 48rem)": { ".cm-panel.cm-search .cm-textfield, .cm-picture-tools input": { fontSize: "1rem" } },
});
