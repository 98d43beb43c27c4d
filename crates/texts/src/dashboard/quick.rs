//! Texts of quick add.

sets!(dashboard: QuickTexts);
