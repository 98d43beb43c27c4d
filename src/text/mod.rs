//! Texts: from Markdown to what readers see, names in addresses, counting and comparing.

pub mod diff;
pub mod html;
pub mod input;
pub mod prose;
pub mod render;
pub mod slug;
pub mod words;
