//! Decides whether an article can be published or reverted with its release. Pure.

use super::{ItemProblem, ReleaseAction};

/// What is known of an article of a release. The numbers are those of revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemFacts {
    /// What the release does with it.
    pub action: ReleaseAction,
    /// Whether the article exists.
    pub exists: bool,
    /// Whether it is in the trash.
    pub is_deleted: bool,
    /// The pinned revision; `None`: it does not exist.
    pub pinned: Option<i32>,
    /// The public one; `None`: the article is not public.
    pub public: Option<i32>,
}

/// Why an article cannot be published or unpublished; `None`: it can, as far as this says. An article
/// to be unpublished that is not public is no problem: see [`ItemProblem::NotPublic`].
#[must_use]
pub fn problem_of(facts: ItemFacts) -> Option<ItemProblem> {
    let ItemFacts { action, exists, is_deleted, pinned, public } = facts;
    match (action, pinned) {
        _ if !exists => Some(ItemProblem::Gone),
        _ if is_deleted => Some(ItemProblem::InTrash),
        (ReleaseAction::Publish, None) => Some(ItemProblem::Gone),
        (ReleaseAction::Publish, Some(pinned)) if public.is_some_and(|public| public > pinned) => {
            Some(ItemProblem::OlderText)
        }
        _ => None,
    }
}

/// Whether what is public of an article is as its release left it.
#[must_use]
pub fn is_as_left(facts: ItemFacts) -> bool {
    let ItemFacts { action, exists, is_deleted, pinned, public } = facts;
    exists
        && !is_deleted
        && match action {
            ReleaseAction::Publish => pinned.is_some() && public == pinned,
            ReleaseAction::Unpublish => public.is_none(),
        }
}

/// Begin of the reason of a task that failed because an article was blocked.
const BLOCKED: &str = "blocked_item:";

/// Reason of a task that failed because this article was blocked: a code, see [`crate::task::reason`].
#[must_use]
pub fn blocked_reason(problem: ItemProblem, title: &str) -> String {
    format!("{BLOCKED}{problem}:{title}")
}

/// Reads [`blocked_reason`]: why, and the title. `None`: it is another reason.
#[must_use]
pub fn read_blocked_reason(reason: &str) -> Option<(ItemProblem, &str)> {
    let (problem, title) = reason.strip_prefix(BLOCKED)?.split_once(':')?;
    Some((problem.parse().ok()?, title))
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: ItemFacts = ItemFacts {
        action: ReleaseAction::Publish,
        exists: true,
        is_deleted: false,
        pinned: Some(2),
        public: Some(1),
    };

    #[test]
    fn an_article_is_blocked_if_it_or_its_revision_is_gone_or_a_newer_one_is_public() {
        let unpublish = ItemFacts { action: ReleaseAction::Unpublish, pinned: None, ..READY };
        for (facts, expected) in [
            (READY, None),
            (ItemFacts { public: None, ..READY }, None),
            (ItemFacts { public: Some(2), ..READY }, None),
            (ItemFacts { public: Some(3), ..READY }, Some(ItemProblem::OlderText)),
            (ItemFacts { pinned: None, ..READY }, Some(ItemProblem::Gone)),
            (ItemFacts { is_deleted: true, ..READY }, Some(ItemProblem::InTrash)),
            (ItemFacts { exists: false, is_deleted: true, ..READY }, Some(ItemProblem::Gone)),
            (unpublish, None),
            (ItemFacts { public: None, ..unpublish }, None),
            (ItemFacts { is_deleted: true, ..unpublish }, Some(ItemProblem::InTrash)),
        ] {
            assert_eq!(problem_of(facts), expected, "{facts:?}");
        }
    }

    #[test]
    fn a_release_is_reverted_only_while_the_public_text_is_as_it_left_it() {
        let unpublished = ItemFacts { action: ReleaseAction::Unpublish, pinned: None, public: None, ..READY };
        for (facts, expected) in [
            (ItemFacts { public: Some(2), ..READY }, true),
            (READY, false),
            (ItemFacts { public: None, ..READY }, false),
            (ItemFacts { public: Some(2), is_deleted: true, ..READY }, false),
            (unpublished, true),
            (ItemFacts { public: Some(1), ..unpublished }, false),
            (ItemFacts { exists: false, ..unpublished }, false),
        ] {
            assert_eq!(is_as_left(facts), expected, "{facts:?}");
        }
    }

    #[test]
    fn the_reason_of_a_failed_task_names_the_article() {
        let reason = blocked_reason(ItemProblem::WordsBlock, "Part 2: the end");
        assert_eq!(reason, "blocked_item:words_block:Part 2: the end");
        assert_eq!(read_blocked_reason(&reason), Some((ItemProblem::WordsBlock, "Part 2: the end")));
        for other in
            ["words_block", "blocked_item:", "blocked_item:unknown:Title", "A sentence: with a colon"]
        {
            assert_eq!(read_blocked_reason(other), None, "{other}");
        }
    }
}
