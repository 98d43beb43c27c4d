//! Articles, their texts, the public site, search and import.

pub mod article;
pub mod article_list;
pub mod details;
pub mod export;
pub mod import;
pub mod import_plan;
pub mod publication;
pub mod publish;
pub mod rendered;
pub mod revision;
pub mod search;
pub mod site;
pub mod slug;
pub mod trash;
