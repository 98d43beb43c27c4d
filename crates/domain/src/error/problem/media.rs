//! Why a file is refused.

use crate::ArticleId;
use serde::{Deserialize, Serialize};

/// Maximum size of an uploaded file, in bytes.
pub const MAX_UPLOAD_BYTES: usize = 20 * 1024 * 1024;
/// Maximum number of pixels of a picture.
pub const MAX_PIXELS: u64 = 50_000_000;
/// Maximum length of a side of a picture, in pixels.
pub const MAX_SIDE: u32 = 20_000;

/// An article that uses a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaUse {
    /// The article.
    pub article: ArticleId,
    /// Its title.
    pub title: String,
    /// Whether its public text uses the file.
    pub is_public: bool,
    /// Whether a scheduled text uses it.
    pub is_scheduled: bool,
    /// Whether its current text uses it.
    pub is_current: bool,
}

/// Why an upload or a change of a file is refused. Nothing was stored or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaProblem {
    /// No file was sent.
    #[error("choose a file first; nothing was stored")]
    NoFile,
    /// The upload could not be read.
    #[error("the upload could not be read; send one file as multipart/form-data, or its raw bytes")]
    Unreadable,
    /// The file is too large.
    #[error("the file is larger than {} MiB; nothing was stored", MAX_UPLOAD_BYTES / 1_048_576)]
    TooLarge,
    /// The picture has too many pixels.
    #[error(
        "the picture has {width} × {height} pixels, more than {} million; make it smaller",
        MAX_PIXELS / 1_000_000
    )]
    TooManyPixels {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// A side of the picture is too long.
    #[error("the picture has {width} × {height} pixels, and a side may have {MAX_SIDE}; cut or shrink it")]
    SideTooLong {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// The frames of an animation have too many pixels together.
    #[error("the animation has too many or too large frames; make it shorter or smaller")]
    TooManyFrames,
    /// The picture could not be processed in time.
    #[error("processing this picture takes too long; make it smaller, or save it in another format")]
    TooSlow,
    /// The content is of a type that is not accepted.
    #[error(
        "this is not a PNG, JPEG, WebP or GIF picture, a PDF or an audio file; other files are not accepted"
    )]
    UnknownType,
    /// The picture cannot be decoded.
    #[error("this picture is damaged or incomplete; nothing was stored")]
    Damaged,
    /// The picture is an animated WebP or PNG.
    #[error("animated WebP and PNG pictures are not accepted; upload a GIF")]
    Animated,
    /// The quota of the desk is used up.
    #[error(
        "the files of this desk reach their limit of {quota_mib} MiB; delete some, or ask an admin to raise it"
    )]
    QuotaReached {
        /// The quota, MiB.
        quota_mib: u64,
    },
    /// The disk of the server is full.
    #[error("the disk of the server is full; nothing was stored, and everything else keeps working")]
    DiskFull,
    /// The bucket of the files is unavailable or refuses the upload.
    #[error(
        "the storage of files is unavailable; nothing was stored, and everything else keeps working: try again later"
    )]
    StorageUnavailable,
    /// Too many pictures are being processed.
    #[error("too many pictures are being processed; nothing was stored, try again in a few seconds")]
    Busy,
    /// Something public or scheduled uses it.
    #[error("{}", used_by(.uses))]
    InUse {
        /// What uses it, at most [`crate::media::MAX_USES`].
        uses: Vec<MediaUse>,
    },
    /// It is the logo or the icon of the site, or its stylesheet uses it.
    #[error(
        "this file is the logo or the icon of the site, or its stylesheet uses it; change that first, then delete it"
    )]
    OnSite,
    /// The new content of a file is of another kind.
    #[error(
        "the new file must be of the same kind: a picture for a picture, else the same type; nothing was replaced"
    )]
    OtherKind,
    /// Texts are reviewed, and one that is public, scheduled or approved uses the file.
    #[error(
        "texts are reviewed here, and one that is public, scheduled or approved uses this file: ask a reviewer or an admin to replace it"
    )]
    Reviewed,
    /// The file was never replaced.
    #[error("this file was never replaced: there is no earlier one")]
    NoEarlier,
}

impl MediaProblem {
    /// The code in API errors.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoFile => "no_file",
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
            Self::TooManyPixels { .. } => "too_many_pixels",
            Self::SideTooLong { .. } => "side_too_long",
            Self::TooManyFrames => "too_many_frames",
            Self::TooSlow => "too_slow",
            Self::UnknownType => "unknown_type",
            Self::Damaged => "damaged",
            Self::Animated => "animated",
            Self::QuotaReached { .. } => "quota_reached",
            Self::DiskFull => "disk_full",
            Self::StorageUnavailable => "storage_unavailable",
            Self::Busy => "busy",
            Self::InUse { .. } => "in_use",
            Self::OnSite => "on_site",
            Self::OtherKind => "other_kind",
            Self::Reviewed => "reviewed",
            Self::NoEarlier => "no_earlier",
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::TooLarge => 413,
            Self::Reviewed => 403,
            Self::UnknownType | Self::Animated | Self::OtherKind => 415,
            Self::NoFile
            | Self::Unreadable
            | Self::TooManyPixels { .. }
            | Self::SideTooLong { .. }
            | Self::TooManyFrames
            | Self::TooSlow
            | Self::Damaged => 422,
            Self::QuotaReached { .. } | Self::InUse { .. } | Self::OnSite | Self::NoEarlier => 409,
            Self::Busy | Self::StorageUnavailable => 503,
            Self::DiskFull => 507,
        }
    }
}

fn used_by(uses: &[MediaUse]) -> String {
    let titles: Vec<String> = uses
        .iter()
        .filter(|one| one.is_public || one.is_scheduled)
        .map(|one| format!("“{}”", one.title))
        .collect();
    format!("this file is used by {}; remove it there first, then delete it", titles.join(", "))
}
