//! Texts of the command palette.

sets!(layout: PaletteTexts);
