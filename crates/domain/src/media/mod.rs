//! Media: pictures, PDF documents and audio files that people upload and use in articles.

pub mod address;
mod item;
mod media_type;
mod problem;
pub mod use_cases;

pub use address::WIDTHS;
pub use item::{
    DEFAULT_QUOTA_BYTES, MAX_ALT_CHARS, MAX_FILE_NAME_CHARS, MAX_PIXELS, MAX_SIDE, MAX_UPLOAD_BYTES,
    MAX_USES, MediaDetails, MediaItem, MediaList, MediaQuery, MediaUsage, MediaUse, NewMedia, cleaned_name,
};
pub use media_type::MediaType;
pub use problem::MediaProblem;
