//! Texts of the pages of reviews.

pub mod words;

sets!(review: ReviewTexts, ReviewSettingsTexts, WaitingTexts);

sets!(review: CommentTexts, CheckTexts);
