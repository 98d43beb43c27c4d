//! Articles and the public site.

mod editing;
mod import;
mod list;
pub(crate) mod media;
mod rendering;
mod review;
mod search;
mod site;
mod trash;
mod word_lists;
