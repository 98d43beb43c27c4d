// Each line has the direction of its first letter, as in a textarea with `dir="auto"`.

import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

const auto = Decoration.line({ attributes: { dir: "auto" } });

function ofLines(view) {
  const built = new RangeSetBuilder();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      built.add(line.from, line.from, auto);
      at = line.to + 1;
    }
  }
  return built.finish();
}

export const directions = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.define(
    (view) => ({
      lines: ofLines(view),
      update(update) {
        if (update.docChanged || update.viewportChanged) this.lines = ofLines(update.view);
      },
    }),
    { decorations: (plugin) => plugin.lines },
  ),
];
