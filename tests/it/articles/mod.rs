//! Articles and the public site.

mod editing;
mod import;
mod rendering;
mod search;
mod site;
mod trash;
