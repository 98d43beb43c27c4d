//! Texts of saved views.

sets!(accounts: SavedViewTexts);
