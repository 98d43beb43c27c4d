//! Texts of the media library.

sets!(articles: MediaTexts, MediaResultTexts);
