//! The checklist of an article, the hits in its text, and its links.

pub mod links_page;
pub mod panel;
mod replace;
