//! Servers over HTTP: object storage, and sites.

mod ghost;
mod mariadb;
mod s3;
mod wordpress;

pub use ghost::Ghost;
pub use s3::S3;
pub use wordpress::WordPress;
