//! Files that people upload, and where they are used.

pub mod media_content;
pub mod media_file;
pub mod media_lock;
pub mod media_use;
