//! The media library: pictures and files for articles.

pub mod file_page;
pub mod insert;
pub mod library_page;
pub mod picker;
pub mod picture_field;
mod replace;
pub mod result;
pub mod server_fns;
mod upload_form;

/// Where the upload form posts to. No server function: its body is a file.
pub const UPLOAD_PATH: &str = "/fn/upload_media";

/// MIME types that a field for pictures offers.
pub const ACCEPT_PICTURES: &str = "image/png,image/jpeg,image/webp,image/gif";

/// MIME types that the file fields offer.
pub const ACCEPT: &str = "image/png,image/jpeg,image/webp,image/gif,application/pdf,audio/*";
