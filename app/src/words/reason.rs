//! Codes of a task's `reason` as sentences.

use super::{Language, texts};
use domain::task::reason as code;

texts! {
    /// Why something failed, was missed or cancelled.
    ReasonWords {
        late = "It was found later than its late rule allows.", "发现时已超过允许的迟到时间。";
        not_approved = "Its moment passed while its text was not approved.", "到点时文章尚未批准。";
        superseded = "Another task of the same article made it pointless.", "同一文章的另一任务使其不再需要。";
        poison = "It failed again and again and was taken out.", "多次失败，已被移出。";
        target_gone = "What it was about does not exist any more.", "目标已不存在。";
        owner_disabled = "The owner's account was shut.", "所有者的账号已停用。";
        older_text = "A newer text is public, and this one would have taken it back. Cancel the task, or restore the older revision and publish that.", "已公开更新的文本，此任务会将其覆盖。请取消任务，或恢复旧版本后再发布。";
        overdue = "Overdue and nobody has taken it yet.", "已超时，尚未被处理。";
        zone_data = "The rules of time zones have changed. These keep their local time.", "时区规则已更改，以下任务保持其当地时间。";
    }
}

/// The sentence for a code; what is no code is a sentence already.
#[must_use]
pub fn sentence(language: Language, reason: &str) -> String {
    let words = ReasonWords(language);
    match reason {
        code::LATE => words.late(),
        code::NOT_APPROVED => words.not_approved(),
        code::SUPERSEDED => words.superseded(),
        code::POISON => words.poison(),
        code::TARGET_GONE => words.target_gone(),
        code::OWNER_DISABLED => words.owner_disabled(),
        code::ZONE_DATA => words.zone_data(),
        code::OLDER_TEXT => words.older_text(),
        code::OVERDUE => words.overdue(),
        other => return other.to_owned(),
    }
    .to_owned()
}
