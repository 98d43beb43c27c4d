//! The button that replaces a hit of a word list: in the open editor like typed text, and without
//! JavaScript by a new revision.

use crate::{review::server_fns::ReplaceTerm, ui::form::FromField};
use domain::{
    ArticleId,
    review::{Field, FoundTerm},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::review::CheckTexts;

/// Whether a replacement is offered at a hit. The words of a summary include those of the cover and the
/// tags, which are changed in their own fields.
#[must_use]
pub fn is_offered(hit: &FoundTerm, summary: &str) -> bool {
    match hit.field {
        Field::Title | Field::Text => hit.replacement.is_some() && hit.quote.is_some(),
        Field::Summary => hit.replace_in(summary).is_some(),
    }
}

/// The form of one hit. The script of the editor replaces the hit in the field instead, see
/// `editor/writing.js`.
#[component]
pub fn ReplaceForm(
    /// The article.
    id: ArticleId,
    /// The revision in which the hit is.
    seen: i32,
    /// The hit.
    hit: FoundTerm,
) -> impl IntoView {
    let texts = CheckTexts::here();
    let (by, quote) = (hit.replacement.unwrap_or_default(), hit.quote.unwrap_or_default());
    let label = if by.is_empty() { texts.replace_by_nothing().to_owned() } else { texts.replace_by(&by) };
    view! {
        <form method="post" action=ReplaceTerm::PATH class="replace-form">
            <FromField />
            <input type="hidden" name="id" value=id.to_string() />
            <input type="hidden" name="seen" value=seen />
            <input type="hidden" name="field" value=hit.field.as_str() />
            <input type="hidden" name="start" value=hit.start.to_string() />
            <input type="hidden" name="by" value=by.clone() />
            <button
                class="button small" type="submit" data-replace=by data-quote=quote
                data-field=hit.field.as_str() data-at=hit.start.to_string()
            >
                {label}
            </button>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{WordListId, review::Action};

    #[test]
    fn a_replacement_is_offered_in_the_summary_but_not_in_the_words_of_the_cover() {
        let hit = FoundTerm {
            term: "bad".to_owned(),
            list: WordListId(uuid::Uuid::nil()),
            action: Action::Replace,
            field: Field::Summary,
            start: 2,
            end: 5,
            replacement: Some("good".to_owned()),
            quote: Some("bad".to_owned()),
        };
        assert!(is_offered(&hit, "a bad day"));
        assert!(!is_offered(&hit, "a"));
        let title = FoundTerm { field: Field::Title, ..hit.clone() };
        assert!(is_offered(&title, ""));
        assert!(!is_offered(&FoundTerm { replacement: None, quote: None, ..title }, ""));
    }
}
