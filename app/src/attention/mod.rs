//! Everything that needs a person, on Today. One card for each cause, the worst first.

mod actions;
mod card;
mod headline;
mod move_group;
mod outcome;
pub mod server_fns;

use crate::{
    deliveries::refresh::refresh_tick,
    live::{live, live_resource},
    server_fns::Refused,
    ui::table::address::{ListAddress, MOVE},
};
use card::Card;
use domain::attention::{AttentionCard, AttentionPage};
use leptos::{either::Either, prelude::*};
use move_group::Moving;
use outcome::Outcome;
use server_fns::attention;
use texts::attention::card::CardTexts;
use texts::{gap, language, number::counted, punctuation, time::relative};

/// Reads the cards, and follows them.
#[must_use]
pub fn read_attention() -> Resource<Result<AttentionPage, Refused>> {
    // That a task becomes overdue or an attempt fails is no event.
    let tick = refresh_tick();
    live_resource(
        |change| matches!(change.entity.as_str(), "task" | "delivery" | "channel" | "meeting"),
        move || tick.get(),
        |_| attention(),
    )
}

/// The cards, or the sentence that nothing needs attention.
#[component]
pub fn NeedsYou(
    /// The cards.
    content: Signal<AttentionPage>,
) -> impl IntoView {
    view! {
        <section id="needs-you" class="needs-you" aria-label=CardTexts::here().title()>
            <Outcome />
            <Cards content=content />
        </section>
    }
}

#[component]
fn Cards(content: Signal<AttentionPage>) -> impl IntoView {
    let (texts, address, moving) = (CardTexts::here(), ListAddress::here(), Moving::default());
    let content = Memo::new(move |last: Option<&AttentionPage>| {
        let task = address.with(|address| address.get(MOVE));
        let mut page = content.get();
        if let Some(last) = last {
            keep_used(&mut page, last, |card| {
                moving.is(&card.id)
                    || card.tasks.iter().any(|one| task.as_deref() == Some(&one.id.to_string()))
            });
        }
        page
    });
    let content: Signal<AttentionPage> = content.into();
    let is_empty = Memo::new(move |_| content.with(|page| page.cards.is_empty()));
    let ids = Memo::new(move |_| {
        content.with(|page| page.cards.iter().map(|card| card.id.clone()).collect::<Vec<_>>())
    });
    move || {
        if is_empty.get() {
            Either::Left(view! {
                <p class="nothing-needed muted"><Checked content=content before=format!("{}{}", texts.nothing(), gap()) /></p>
            })
        } else {
            Either::Right(view! {
                <h2>{texts.title()}</h2>
                <For
                    each=move || ids.get()
                    key=Clone::clone
                    children=move |id| view! { <Card content=content id=id moving=moving /> }
                />
                <p class="nothing-else"><Checked content=content before=format!("{}{}", texts.nothing_else(), gap()) /></p>
            })
        }
    }
}

/// Keeps the card whose form is in use at its place, even if its cause is gone.
fn keep_used(page: &mut AttentionPage, last: &AttentionPage, is_used: impl Fn(&AttentionCard) -> bool) {
    let used = last.cards.iter().enumerate().find(|(_, card)| is_used(card));
    if let Some((place, card)) = used.filter(|(_, card)| page.cards.iter().all(|one| one.id != card.id)) {
        page.cards.insert(place.min(page.cards.len()), card.clone());
    }
}

/// When everything was checked, and what works.
#[component]
fn Checked(
    content: Signal<AttentionPage>,
    /// Text before it.
    #[prop(optional)]
    before: String,
) -> impl IntoView {
    let (texts, language, now, beat) = (CardTexts::here(), language(), live().now(), live().heartbeat());
    // Each heartbeat counts again.
    let at = Memo::new(move |_| beat.with(|beat| beat.now).max(content.with(|page| page.checked_at)));
    let what = Memo::new(move |_| content.with(|page| what_works(texts, page)));
    move || {
        let checked = match now.get().since(at.get()) {
            ..1_000 => texts.checked_now(what.get()),
            _ => texts.checked(relative(language, at.get(), now.get()), what.get()),
        };
        format!("{before}{checked}")
    }
}

/// `4 scheduled, 1 channel delivering`.
fn what_works(texts: CardTexts, page: &AttentionPage) -> String {
    let channels = match page.delivering {
        0 => None,
        1 => Some(texts.delivering_one().to_owned()),
        many => Some(texts.delivering(counted(many))),
    };
    let comma = punctuation::comma(texts.0);
    [Some(texts.scheduled(counted(page.scheduled))), channels]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(comma)
}
