//! Articles and the public site.

mod bulk;
mod details;
mod editing;
mod import;
mod list;
pub(crate) mod media;
mod quick_add;
mod releases;
mod rendering;
mod review;
mod search;
mod site;
mod trash;
mod word_lists;
