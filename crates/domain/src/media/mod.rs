//! Media: pictures, PDF documents and audio files that people upload and use in articles.

pub mod address;
mod item;
mod media_type;
pub mod use_cases;

pub use crate::error::problem::media::{MAX_PIXELS, MAX_SIDE, MAX_UPLOAD_BYTES, MediaProblem, MediaUse};
pub use address::WIDTHS;
pub use item::{
    DEFAULT_QUOTA_BYTES, MAX_ALT_CHARS, MAX_FILE_NAME_CHARS, MAX_USES, MediaDetails, MediaItem, MediaList,
    MediaQuery, MediaUsage, NewMedia, ReplaceRefusal, cleaned_name,
};
pub use media_type::MediaType;
