//! Why an action on a release is refused, and why an article of it is blocked.

use crate::{Language, texts};
use domain::releases::{ItemProblem, ReleaseProblem, read_blocked_reason};

texts! {
    /// Sentences.
    ReleaseProblemTexts {
        gone = "does not exist any more", "已不存在";
        in_trash = "is in the trash", "在回收站中";
        older_text = "is public with a newer revision", "已公开更新的修订版";
        not_public = "is not public", "尚未公开";
        checklist = "lacks what the checklist requires", "未满足检查清单的要求";
        not_approved = "is not approved", "尚未批准";
        words_block = "contains words that must not be published", "含有禁止发布的内容";
        words_approval = "contains words that a reviewer must approve", "含有须经审核人批准的内容";
        changed_since = "was changed since the release was published", "在发布组发布后已有更改";
        in_other_release = "is in another release by now", "现已在另一个发布组中";
        blocked(title: &str, why: &str) = "“{title}” {why}. Nothing was changed.", "“{title}”{why}。未作任何更改。";
        blocked_and(title: &str, why: &str, others: usize) = "“{title}” {why}, and {others} more are blocked. Nothing was changed.", "“{title}”{why}，另有 {others} 篇受阻。未作任何更改。";
        no_articles = "This release has no articles. Add one first.", "此发布组没有文章，请先添加。";
        taken(title: &str, release: &str) = "“{title}” is already in the release “{release}”. Remove it there first.", "“{title}”已在发布组“{release}”中，请先从那里移除。";
        scheduled = "This release is scheduled. Unschedule it first.", "此发布组已安排，请先取消安排。";
        published = "This release is published. Revert it, or create another one.", "此发布组已发布。请将其恢复，或另建一个。";
        not_published = "This release is not published. There is nothing to revert.", "此发布组尚未发布，无可恢复。";
        in_scheduled(release: &str) = "This article is in the scheduled release “{release}”. Remove it there before you delete it.", "文章在已安排的发布组“{release}”中，请先从那里移除再删除。";
    }
}

/// Says why an article is blocked, as the end of a sentence about it.
#[must_use]
pub fn item_problem(language: Language, problem: ItemProblem) -> &'static str {
    let texts = ReleaseProblemTexts(language);
    match problem {
        ItemProblem::Gone => texts.gone(),
        ItemProblem::InTrash => texts.in_trash(),
        ItemProblem::OlderText => texts.older_text(),
        ItemProblem::NotPublic => texts.not_public(),
        ItemProblem::Checklist => texts.checklist(),
        ItemProblem::NotApproved => texts.not_approved(),
        ItemProblem::WordsBlock => texts.words_block(),
        ItemProblem::WordsApproval => texts.words_approval(),
        ItemProblem::ChangedSince => texts.changed_since(),
        ItemProblem::InOtherRelease => texts.in_other_release(),
    }
}

/// Says why.
pub(crate) fn release_problem(language: Language, problem: &ReleaseProblem) -> String {
    let texts = ReleaseProblemTexts(language);
    match problem {
        ReleaseProblem::NoArticles => texts.no_articles().to_owned(),
        ReleaseProblem::Blocked { title, problem, others: 0 } => {
            texts.blocked(title, item_problem(language, *problem))
        }
        ReleaseProblem::Blocked { title, problem, others } => {
            texts.blocked_and(title, item_problem(language, *problem), *others)
        }
        ReleaseProblem::Taken { title, release } => texts.taken(title, release),
        ReleaseProblem::Scheduled => texts.scheduled().to_owned(),
        ReleaseProblem::Published => texts.published().to_owned(),
        ReleaseProblem::NotPublished => texts.not_published().to_owned(),
        ReleaseProblem::InScheduled { release } => texts.in_scheduled(release),
    }
}

/// Sentence for the reason of a task of a release; `None`: it is another reason.
pub(crate) fn blocked_sentence(language: Language, reason: &str) -> Option<String> {
    let (problem, title) = read_blocked_reason(reason)?;
    Some(ReleaseProblemTexts(language).blocked(title, item_problem(language, problem)))
}
