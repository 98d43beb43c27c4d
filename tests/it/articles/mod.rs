//! Articles and the public site.

mod editing;
mod import;
mod list;
mod quick_add;
mod rendering;
mod review;
mod search;
mod site;
mod trash;
mod word_lists;
