//! What people can do: the traits of `domain::desk`, one folder a noun. Each change is one transaction, then hints.

mod apart;
pub mod articles;
pub mod attention;
pub mod channels;
pub mod engine;
pub mod hint;
mod lens;
pub mod people;
pub mod proof;
pub mod rendering;
pub mod tasks;
mod trouble;

pub use apart::apart;
pub use lens::Lens;
pub use trouble::{broken, unsaved};
