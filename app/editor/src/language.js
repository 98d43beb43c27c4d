// Markdown: the syntax, and the classes of its colours.

import { Language, syntaxHighlighting } from "@codemirror/language";
import { markdownLanguage } from "@codemirror/lang-markdown";
import { Tag, tagHighlighter, tags } from "@lezer/highlight";

const footnote = Tag.define();

/** `[^name]` in a text, and before the text of the note. */
const Footnotes = {
  defineNodes: [{ name: "Footnote", style: footnote }],
  parseInline: [
    {
      name: "Footnote",
      before: "Link",
      parse(context, next, at) {
        if (next != 91 || context.char(at + 1) != 94) return -1;
        const found = /^\[\^[^\]\s[]{1,100}\]/.exec(context.slice(at, Math.min(context.end, at + 104)));
        return found ? context.addElement(context.elt("Footnote", at, at + found[0].length)) : -1;
      },
    },
  ],
};

const classes = tagHighlighter([
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-struck" },
  { tag: tags.monospace, class: "md-code" },
  { tag: tags.link, class: "md-link" },
  { tag: [tags.url, tags.labelName, tags.string, footnote], class: "md-address" },
  { tag: tags.quote, class: "md-quote" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.comment, tags.escape, tags.character], class: "md-mark" },
]);

const parser = markdownLanguage.parser.configure([Footnotes]);

export const language = [
  new Language(markdownLanguage.data, parser, [], "markdown").extension,
  syntaxHighlighting(classes),
];
