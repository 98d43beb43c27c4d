//! The pages, one file per URL. The routes are in `lib.rs`.

pub mod accounts;
pub mod article;
pub mod article_new;
pub mod articles;
pub mod attention;
pub mod channels;
pub mod dashboard;
pub mod engine;
pub mod invite;
pub mod login;
pub mod not_found;
pub mod profile;
pub mod revisions;
pub mod settings;
pub mod setup;
pub mod task;
pub mod tasks;
pub mod tokens;
