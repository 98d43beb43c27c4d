//! Texts of `/settings/words`.

sets!(review: WordTexts);
