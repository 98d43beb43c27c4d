//! HTTP: object storage, sites, and the device with which a browser answers.

mod authenticator;
mod ghost;
mod mariadb;
mod s3;
mod wordpress;

pub use authenticator::{CreatedPasskey, PasskeyProof, SoftPasskey};
pub use ghost::Ghost;
pub use s3::S3;
pub use wordpress::WordPress;
