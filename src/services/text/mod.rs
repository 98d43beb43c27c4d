//! Texts: validation, rendering of Markdown, slugs, word counts and diffs.

pub mod checklist;
pub mod csv;
pub mod diff;
pub mod html;
pub mod ical;
pub mod input;
#[cfg(test)]
pub mod linear;
pub mod link_cards;
pub mod page_about;
pub mod percent;
pub mod prose;
pub mod render;
pub mod slug;
pub mod words;
