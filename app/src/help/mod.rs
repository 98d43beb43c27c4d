//! `/help`: what each page is for, its keys, and the words that it uses, in all languages. The texts are
//! static tables. They are in a part of the wasm of their own; the main module has only [`link`] and
//! [`paths`].

pub mod keys;
pub mod keys_table;
pub mod link;
pub mod page;
pub mod paths;
pub mod phrase;
mod search;
#[cfg(test)]
mod tests;
pub mod topics;
pub mod words;
