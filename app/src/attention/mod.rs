//! `/attention`: everything that needs a person. One card for each cause, the worst first.

mod actions;
mod card;
mod card_texts;
mod headline;
mod move_group;
mod outcome;
pub mod server_fns;
#[cfg(feature = "ssr")]
pub mod texts;

use crate::{
    deliveries::refresh::refresh_tick,
    live::{live, live_resource},
    shell::texts::LayoutTexts,
    texts::{Language, gap, language, number::counted, time::relative},
    ui::{
        async_view::AsyncView,
        page_header::PageHeader,
        table::address::{ListAddress, MOVE},
    },
};
use card::Card;
use card_texts::CardTexts;
use domain::attention::{AttentionCard, AttentionPage};
use leptos::{either::Either, prelude::*};
use move_group::Moving;
use outcome::Outcome;
use server_fns::attention;

/// The page.
#[component]
pub fn Attention() -> impl IntoView {
    let texts = CardTexts::here();
    // That a task becomes overdue or an attempt fails is no event.
    let tick = refresh_tick();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "delivery" | "channel" | "meeting"),
        move || tick.get(),
        |_| attention(),
    );
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <Outcome />
        <AsyncView from=read children=|content| view! { <Cards content=content /> } />
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
                <div class="empty">
                    <strong>{texts.nothing()}</strong>
                    <p><Checked content=content /></p>
                    <a class="button" href="/">{LayoutTexts::here().to_dashboard()}</a>
                </div>
            })
        } else {
            Either::Right(view! {
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
    let comma = if texts.0 == Language::Zh { "，" } else { ", " };
    [Some(texts.scheduled(counted(page.scheduled))), channels]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(comma)
}
