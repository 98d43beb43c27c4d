//! Codes of a task's `reason` as sentences.

use crate::{Language, problem::release::blocked_sentence};
use domain::task::reason as code;

sets!(reason: ReasonTexts);

/// Sentence for a code. Other text is returned unchanged: it is a sentence already.
#[must_use]
pub fn sentence(language: Language, reason: &str) -> String {
    let texts = ReasonTexts(language);
    match reason {
        code::LATE => texts.late(),
        code::NOT_APPROVED => texts.not_approved(),
        code::WORDS_BLOCK => texts.words_block(),
        code::WORDS_APPROVAL => texts.words_approval(),
        code::SUPERSEDED => texts.superseded(),
        code::POISON => texts.poison(),
        code::TARGET_GONE => texts.target_gone(),
        code::OWNER_DISABLED => texts.owner_disabled(),
        code::ZONE_DATA => texts.zone_data(),
        code::OLDER_TEXT => texts.older_text(),
        code::OVERDUE => texts.overdue(),
        code::SIGNAL => texts.signal(),
        code::RULE => texts.rule(),
        code::TEMPLATE_FIELD => texts.template_field(),
        code::TEMPLATE_RESULT => texts.template_result(),
        code::TOO_DEEP => texts.too_deep(),
        code::TOO_MANY_DESCENDANTS => texts.too_many_descendants(),
        code::SIGNAL_RATE => texts.signal_rate(),
        code::NO_MAIL_SERVER => texts.no_mail_server(),
        code::RECIPIENT_GONE => texts.recipient_gone(),
        code::SERIES_RULE => texts.series_rule(),
        code::CAPPED => texts.capped(),
        code::PASSED => texts.passed(),
        code::TARGET_OVER => texts.target_over(),
        code::CHANNEL_GONE => texts.channel_gone(),
        code::PUBLISH_NOW_FAILED => texts.publish_now_failed(),
        other => {
            let words = other.strip_prefix(code::WORDS).map(|terms| texts.words(terms));
            let said = words.or_else(|| blocked_sentence(language, other));
            return said.unwrap_or_else(|| other.to_owned());
        }
    }
    .to_owned()
}
