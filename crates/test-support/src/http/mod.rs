//! Servers over HTTP: object storage, and a site.

mod s3;
mod wordpress;

pub use s3::S3;
pub use wordpress::WordPress;
