//! Titles and messages of the Attention page. Compiled for the server only.

pub mod card;

sets!(attention: AttentionTexts);
