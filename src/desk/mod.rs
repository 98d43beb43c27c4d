//! What people can do: the traits of `domain::desk`, one folder a noun. Each change is one transaction, then hints.

pub mod hint;
mod trouble;

pub use trouble::broken;
