//! Why a file of the media library is refused.

use crate::{Language, texts};
use domain::media::{MAX_PIXELS, MAX_SIDE, MAX_UPLOAD_BYTES, MediaProblem, MediaUse};

texts! {
    /// Sentences.
    MediaProblemTexts {
        no_file = "Choose a file first. Nothing was stored.", "请先选择文件。未存储任何内容。";
        unreadable = "The upload could not be read. Nothing was stored; try again.", "无法读取上传内容。未存储任何内容，请重试。";
        too_large(max: usize) = "The file is larger than {max} MiB. Nothing was stored.", "文件超过 {max} MiB。未存储任何内容。";
        too_many_pixels(width: u32, height: u32, max: u64) =
            "The picture has {width} × {height} pixels, more than {max} million. Make it smaller and upload it again.",
            "图片为 {width} × {height} 像素，超过 {max} 百万像素。请缩小后重新上传。";
        unknown_type =
            "This is not a PNG, JPEG, WebP or GIF picture, a PDF or an audio file. Other files are not accepted.",
            "这不是 PNG、JPEG、WebP 或 GIF 图片，也不是 PDF 或音频文件。不接受其他文件。";
        damaged = "This picture is damaged or incomplete. Nothing was stored.", "图片已损坏或不完整。未存储任何内容。";
        side_too_long(width: u32, height: u32, max: u32) =
            "The picture has {width} × {height} pixels, and a side may have {max}. Cut or shrink it and upload it again.",
            "图片为 {width} × {height} 像素，单边不得超过 {max} 像素。请裁剪或缩小后重新上传。";
        too_many_frames =
            "The animation has too many or too large frames. Make it shorter or smaller and upload it again.",
            "动图的帧过多或过大。请缩短或缩小后重新上传。";
        too_slow =
            "Processing this picture takes too long. Make it smaller, or save it in another format.",
            "处理此图片耗时过长。请缩小图片，或另存为其他格式。";
        animated = "Animated WebP and PNG pictures are not accepted. Upload a GIF.", "不接受 WebP 和 PNG 动图，请上传 GIF。";
        quota(mib: u64) =
            "The files of this desk have reached their limit of {mib} MiB. Delete some, or ask an admin to raise it.",
            "本工作台的文件已达到 {mib} MiB 的上限。请删除一些文件，或请管理员提高上限。";
        disk_full =
            "The disk of the server is full. Nothing was stored; everything else keeps working. Ask an admin to free some space.",
            "服务器磁盘已满。未存储任何内容，其他功能照常工作。请通知管理员。";
        storage_unavailable =
            "The storage of files is unavailable. Nothing was stored; everything else keeps working. Try again later, or ask an admin to check it with presstime doctor.",
            "文件存储不可用。未存储任何内容，其他功能照常工作。请稍后重试，或请管理员用 presstime doctor 检查。";
        busy = "Too many pictures are being processed. Nothing was stored; try again in a few seconds.", "正在处理的图片过多。未存储任何内容，请几秒后重试。";
        on_site = "This file is the logo or the icon of the site, or its stylesheet uses it. Change that under Settings → Public site first, then delete it.", "此文件是网站的徽标或图标，或正被网站样式表使用。请先在“设置 → 公开网站”中更改，再删除。";
        other_kind = "The new file must be of the same kind: a picture for a picture, otherwise the same type. Nothing was replaced.", "新文件必须是同一种类：图片换图片，其他文件须为相同类型。未替换任何内容。";
        reviewed = "Texts are reviewed here, and one that is public, scheduled or approved uses this file. Ask an admin to replace it, or a reviewer if one approval is enough.", "此处的文章需要审核，且已公开、已安排或已批准的文章使用了此文件。请管理员替换；只需一位审核人时，也可请审核人替换。";
        no_earlier = "This file was never replaced: there is no earlier one.", "此文件从未被替换，没有之前的文件。";
        in_use(titles: String) =
            "This file is used by {titles}, which is public or scheduled. Remove it there first.",
            "此文件正被{titles}使用，这些内容已公开或已安排发布。请先在那里移除。";
    }
}

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
