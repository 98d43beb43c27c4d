//! Texts of lists.

sets!(lists: TableTexts);
