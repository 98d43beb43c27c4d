//! Texts of the editor about its save state and about other revisions.

sets!(articles: EditorTexts, UploadTexts, PictureTexts);
