//! Review of articles: the waiting ones, one text, links for reviewers without an account, and the
//! settings with the word lists.

pub mod checks;
pub mod comments;
pub mod hits;
pub mod link_page;
pub mod list_page;
pub mod panel;
pub mod server_fns;
pub mod settings;
pub mod state;
pub mod text_page;
pub mod word_fns;
mod words_history;
pub mod words_page;
