//! Full-text search over articles. SQLite and PostgreSQL return the same results, because both
//! index the tokens made here.
//!
//! * `spelling` folds case, width and diacritics; `pieces` splits a text into words; `tokens` makes an article's tokens.
//! * `index` writes them: into an FTS5 table on SQLite, into a `tsvector` on PostgreSQL.
//! * `query` parses the search text into a condition over tokens; `page` ranks and pages the
//!   results.
//! * `excerpt` returns the sentence with the first hit; `fill` indexes older articles in the
//!   background.

mod excerpt;
mod fill;
mod index;
mod page;
mod pieces;
mod query;
mod spelling;
mod tokens;

pub use fill::{FillStep, fill, is_filled};
pub use index::{Entry, put, put_current};
pub use page::{Hit, Scope, SearchCursor, SearchPage, bodies, page};
pub use query::Query;
pub use tokens::Tokens;

pub(crate) use index::{clear, remove};
pub(crate) use spelling::fold_case;
