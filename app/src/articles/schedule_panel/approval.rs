//! Which version of a text is published, and which approval it needs before.

use crate::{
    articles::{editor::draft::Draft, schedule_fns::ScheduleArticle},
    live::live,
    session::visitor,
    ui::form::typed,
};
use domain::{
    LocalizedTime,
    article::Article,
    review::{
        Verdict,
        workflow::{ReviewState, Workflow},
    },
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{
    articles::schedule::{ScheduleTexts, VersionTexts},
    language,
    review::ReviewTexts,
    time::moment,
};

/// An approved version beside newer edits that are not approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovedVersion {
    /// When it was approved.
    at: LocalizedTime,
    /// Number of newer revisions; 0: what was typed is not saved yet.
    newer_edits: u32,
}

impl ApprovedVersion {
    /// Returns the approved version of an article, unless the newest text needs no approval.
    /// `is_typed`: the text has changes that are not saved.
    #[must_use]
    pub fn of(article: &Article, is_typed: bool) -> Option<Self> {
        let approved = article.approved.filter(|approved| {
            let is_newest = approved.newer_edits == 0;
            approved.is_default || (is_newest && is_typed && article.workflow.reviewers() > 0)
        })?;
        Some(Self { at: approved.at, newer_edits: approved.newer_edits + u32::from(is_typed) })
    }

    /// "With 2 newer edits, which need approval".
    #[must_use]
    pub fn with_edits(self) -> String {
        VersionTexts::here().with_edits(self.newer_edits)
    }
}

/// Whether the text has changes that are not saved.
pub fn is_typed(draft: Draft) -> bool {
    draft.text.with(|_| draft.is_changed())
}

/// The choice between the approved version and the newest one. Nothing if there is no choice.
#[component]
pub fn VersionChoice(
    /// The approved version; `None`: the newest one is published.
    approved: Memo<Option<ApprovedVersion>>,
) -> impl IntoView {
    let texts = VersionTexts::here();
    let is_newest = typed(ScheduleArticle::PATH, "revision").as_deref() == Some("current");
    move || {
        approved.get().map(|version| {
            let when = moment(language(), version.at, visitor().zone(), live().now().get_untracked());
            view! {
                <fieldset class="field version-choice">
                    <legend class="label">{texts.which()}</legend>
                    <label class="choice">
                        <input type="radio" name="revision" value="approved" checked=!is_newest />
                        <span>{texts.approved_of(when)}</span>
                    </label>
                    <label class="choice">
                        <input type="radio" name="revision" value="current" checked=is_newest />
                        <span>{version.with_edits()}</span>
                    </label>
                </fieldset>
            }
        })
    }
}

/// Which approval the newest text of an article needs before it is published; `None`: none, as far as is
/// known.
#[must_use]
pub fn needed_now(article: &Article, is_typed: bool) -> Option<&'static str> {
    let is_approved = article.approved.is_some_and(|approved| approved.newer_edits == 0) && !is_typed;
    (article.workflow.reviewers() > 0 && !is_approved).then(|| match article.workflow {
        Workflow::TwoReviewers => ScheduleTexts::here().needs_two(),
        _ => ScheduleTexts::here().needs_one(),
    })
}

/// Which approval a scheduled version needs before it is published.
#[must_use]
pub fn needed(article: &Article) -> &'static str {
    let texts = ReviewTexts::here();
    let any = match article.workflow {
        Workflow::TwoReviewers => texts.must_be_approved_twice(),
        _ => texts.must_be_approved(),
    };
    let Some(review) = &article.review else { return any };
    match (review.state, review.verdict) {
        (ReviewState::Submitted | ReviewState::Held, Verdict::Block) => texts.must_be_mended(),
        (ReviewState::SentBack | ReviewState::Expired, _) => texts.must_be_submitted(),
        _ if review.first.is_some() && review.state.is_open() => texts.must_be_approved_again(),
        _ => any,
    }
}
