//! Full-text search over articles: the same results on SQLite and PostgreSQL, because both hold the tokens made here.
//!
//! * `spelling` folds case, width and diacritics; `pieces` splits a text into words; `tokens` makes an article's tokens.
//! * `index` writes them: into an FTS5 table on SQLite, into a `tsvector` on PostgreSQL.
//! * `query` turns what a person typed into a condition over tokens; `page` ranks and pages what it finds.
//! * `excerpt` cuts the sentence that holds the first hit; `fill` indexes what was there before the index was.

mod excerpt;
mod fill;
mod index;
mod page;
mod pieces;
mod query;
mod spelling;
mod tokens;

pub use fill::{Filled, fill, is_filled};
pub use index::{Entry, put, put_current};
pub use page::{Found, Hit, Place, Scope, bodies, page};
pub use query::Query;
pub use tokens::Tokens;

pub(crate) use index::{forget_all, remove};
