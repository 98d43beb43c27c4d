//! The result of an action on all items of a card.

use super::server_fns::{UndoDismissal, is_of_channel};
use crate::{
    deliveries::held_result::held_result,
    live::live,
    ui::{
        form,
        result::{ActionResult, Undo, UndoForm, last_result, view::ResultView, words::result_words},
    },
};
use domain::task::{BulkResult, Dismissal};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::attention::card::CardTexts;
use texts::{deliveries::ChannelTexts, sentences};

/// What was done with all items of a card.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// They were retried.
    Retried,
    /// They were dismissed.
    Dismissed,
    /// They were rescheduled.
    Moved,
    /// Their dismissal was undone.
    Reopened,
}

impl Done {
    const ALL: [Self; 4] = [Self::Retried, Self::Dismissed, Self::Moved, Self::Reopened];

    /// Name of the number among the words of the result.
    const fn parameter(self) -> &'static str {
        match self {
            Self::Retried => "retried",
            Self::Dismissed => "dismissed",
            Self::Moved => "moved",
            Self::Reopened => "reopened",
        }
    }

    /// Returns the result that is shown.
    pub fn result(self, texts: CardTexts, BulkResult { done, refused }: BulkResult) -> ActionResult {
        let first = match (self, done, refused) {
            (_, 0, 0) => texts.nothing_left().to_owned(),
            (Self::Retried, done, _) => texts.was_retried(done),
            (Self::Dismissed, done, _) => texts.was_dismissed(done),
            (Self::Moved, done, _) => texts.was_moved(done),
            (Self::Reopened, done, _) => texts.was_reopened(done),
        };
        let text = if refused > 0 { sentences(&first, &texts.was_refused(refused)) } else { first };
        ActionResult { is_warning: refused > 0, ..ActionResult::new(text) }
    }
}

/// Returns the result of a retry of the items of a card. `card`: id of the card.
pub fn retried(texts: CardTexts, card: &str, result: BulkResult) -> ActionResult {
    let is_held = is_of_channel(card) && live().are_deliveries_held().get_untracked();
    match is_held && result.done > 0 {
        true => held_result(ChannelTexts(texts.0)),
        false => Done::Retried.result(texts, result),
    }
}

/// Returns the result of a dismissal, with its undo. `card`: id of the card.
pub fn dismissed(card: String, dismissal: Dismissal) -> ActionResult {
    let texts = CardTexts::here();
    let result = Done::Dismissed.result(texts, dismissal.result);
    if dismissal.result.done == 0 {
        return result;
    }
    let (began_at, ended_at) = (dismissal.began_at.to_string(), dismissal.ended_at.to_string());
    result.with_undo(Undo::Form(UndoForm {
        function: UndoDismissal::PATH,
        fields: vec![("id", card), ("began_at", began_at), ("ended_at", ended_at)],
        label: texts.undo_dismiss(),
    }))
}

/// Shows the result of the last form, unless the page shows a refused form.
#[component]
pub fn Outcome() -> impl IntoView {
    let (texts, words, last) = (CardTexts::here(), result_words(), last_result());
    let is_refused = form::is_form_result();
    let number = move |name: &str| words.with(|words| words.get(name)?.parse::<u64>().ok());
    let result = move || {
        let (done, n) = Done::ALL.into_iter().find_map(|one| Some((one, number(one.parameter())?)))?;
        let result = BulkResult { done: n, refused: number("refused").unwrap_or_default() };
        let is_shown = !is_refused && !last.is_page_over.get();
        let word = |name: &str| words.with(|words| words.get(name));
        let moment = |name: &str| word(name)?.parse().ok();
        let is_held = done == Done::Retried && n > 0 && word("held").is_some();
        let dismissal = (done == Done::Dismissed)
            .then(|| Some((word("card")?, moment("began")?, moment("ended")?)))
            .flatten();
        is_shown.then(|| match dismissal {
            _ if is_held => held_result(ChannelTexts(texts.0)),
            Some((card, began_at, ended_at)) => dismissed(card, Dismissal { result, began_at, ended_at }),
            None => done.result(texts, result),
        })
    };
    move || result().map(|result| view! { <div class="results"><ResultView result=result /></div> })
}
