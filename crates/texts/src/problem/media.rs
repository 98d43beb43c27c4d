//! Why a file of the media library is refused.

use crate::Language;
use domain::media::{MAX_PIXELS, MAX_SIDE, MAX_UPLOAD_BYTES, MediaProblem, MediaUse};

sets!(problem: MediaProblemTexts);

/// Says why.
pub(crate) fn media_problem(language: Language, problem: &MediaProblem) -> String {
    let texts = MediaProblemTexts(language);
    match problem {
        MediaProblem::NoFile => texts.no_file().to_owned(),
        MediaProblem::Unreadable => texts.unreadable().to_owned(),
        MediaProblem::TooLarge => texts.too_large(MAX_UPLOAD_BYTES / 1_048_576),
        MediaProblem::TooManyPixels { width, height } => {
            texts.too_many_pixels(*width, *height, MAX_PIXELS / 1_000_000)
        }
        MediaProblem::SideTooLong { width, height } => texts.side_too_long(*width, *height, MAX_SIDE),
        MediaProblem::TooManyFrames => texts.too_many_frames().to_owned(),
        MediaProblem::TooSlow => texts.too_slow().to_owned(),
        MediaProblem::UnknownType => texts.unknown_type().to_owned(),
        MediaProblem::Damaged => texts.damaged().to_owned(),
        MediaProblem::Animated => texts.animated().to_owned(),
        MediaProblem::QuotaReached { quota_mib } => texts.quota(*quota_mib),
        MediaProblem::DiskFull => texts.disk_full().to_owned(),
        MediaProblem::StorageUnavailable => texts.storage_unavailable().to_owned(),
        MediaProblem::Busy => texts.busy().to_owned(),
        MediaProblem::InUse { uses } => texts.in_use(titles(language, uses)),
        MediaProblem::OnSite => texts.on_site().to_owned(),
        MediaProblem::OtherKind => texts.other_kind().to_owned(),
        MediaProblem::Reviewed => texts.reviewed().to_owned(),
        MediaProblem::NoEarlier => texts.no_earlier().to_owned(),
    }
}

fn titles(language: Language, uses: &[MediaUse]) -> String {
    let blocking = uses.iter().filter(|one| one.is_public || one.is_scheduled);
    let quoted: Vec<String> = blocking.map(|one| format!("“{}”", one.title)).collect();
    quoted.join(crate::punctuation::list_comma(language))
}
