//! What people can do: the traits of `domain::desk`, one folder a noun. Each change is one transaction, then hints.

pub mod articles;
pub mod engine;
pub mod hint;
pub mod people;
mod trouble;

pub use trouble::broken;
