//! One file is one address. The table of routes is in `lib.rs`.

pub mod article;
pub mod article_new;
pub mod articles;
pub mod attention;
pub mod channels;
pub mod desk;
pub mod engine;
pub mod invite;
pub mod login;
pub mod not_found;
pub mod people;
pub mod profile;
pub mod revisions;
pub mod settings;
pub mod setup;
pub mod task;
pub mod tasks;
pub mod tokens;
