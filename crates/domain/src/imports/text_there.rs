//! The text of an article as another site has it now.

use crate::{article::DiffLine, post::Post};
use serde::{Deserialize, Serialize};

/// The text of an article as another site has it now, and what was changed there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextThere {
    /// The article at that site.
    pub post: Post,
    /// Title that was sent there.
    pub sent_title: String,
    /// Title there.
    pub title: String,
    /// Text there as Markdown, without what is not for everyone.
    pub body: String,
    /// Hash of title and text there: what is taken must still have it.
    pub hash: String,
    /// Names of what is not in `body`.
    pub left_out: Vec<String>,
    /// The difference between the text that was sent there and the one there.
    pub lines: Vec<DiffLine>,
    /// Whether it can become the text here.
    pub can_take: bool,
}
