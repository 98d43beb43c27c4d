//! The next days, and what waits for the user.

use super::server_fns::DayPlan;
use crate::{
    calendar::clock_text::{clock_on, date_words},
    session::visitor,
    ui::icon::Icon,
};
use domain::calendar::{CalendarDay, CalendarStatus};
use leptos::prelude::*;
use texts::dashboard::DashboardTexts;
use texts::{language, number::counted};

/// Today and the six days after it: how much is planned, and the first free slot.
#[component]
pub fn Week(
    /// The plan.
    plan: Signal<DayPlan>,
) -> impl IntoView {
    let texts = DashboardTexts::here();
    let rows = move || plan.with(|plan| plan.week.iter().map(|day| row(plan, day)).collect_view());
    view! {
        <section class="panel" aria-labelledby="week">
            <header><h2 id="week">{texts.week()}</h2><a href="/calendar">{texts.calendar()}</a></header>
            <ul class="outlook">{rows}</ul>
        </section>
    }
}

/// Number of items of a day that are done, of those that were read.
#[must_use]
pub fn done_today(day: &CalendarDay) -> u64 {
    day.items.iter().filter(|item| item.status == CalendarStatus::Done).count() as u64
}

fn row(plan: &DayPlan, day: &CalendarDay) -> impl IntoView + use<> {
    let texts = DashboardTexts::here();
    let href = format!("/calendar?view=day&date={}", day.date);
    let name = if day.date == plan.today.date {
        texts.today_name().to_owned()
    } else {
        date_words(language(), &day.date, &plan.today.date)
    };
    let done = match day.date == plan.today.date {
        true => done_today(&plan.today).min(day.count),
        false => 0,
    };
    let count = match (done, day.count - done) {
        (0, 0) => texts.nothing_planned().to_owned(),
        (0, planned) => texts.planned(counted(planned)),
        (done, 0) => texts.done(counted(done)),
        (done, planned) => texts.done_and_planned(counted(done), counted(planned)),
    };
    let attention = (day.attention > 0).then(|| {
        view! { <span class="needs"><Icon name="attention" />{texts.needs(counted(day.attention))}</span> }
    });
    let slot = day.free_slots.first().map(|(at, offset)| {
        view! { <span class="muted">{texts.free_slot(clock_on(day, *at, *offset))}</span> }
    });
    view! { <li><a href=href>{name}</a><span>{count}</span>{attention}{slot}</li> }
}

/// Drafts, reviews and notifications of the user.
#[component]
pub fn Waiting(
    /// The plan.
    plan: Signal<DayPlan>,
) -> impl IntoView {
    let (texts, visitor) = (DashboardTexts::here(), visitor());
    let lines = move || {
        let mut lines = Vec::new();
        let mut add = |count: Option<u64>, href, text: fn(DashboardTexts, String) -> String| {
            if let Some(count) = count.filter(|count| *count > 0) {
                lines.push(view! { <li><a href=href>{text(texts, counted(count))}</a></li> });
            }
        };
        add(visitor.reviews, "/review", DashboardTexts::reviews);
        add(plan.with(|plan| plan.drafts), "/articles?state=draft", DashboardTexts::drafts);
        add(Some(visitor.unread), "/notifications", DashboardTexts::unread);
        lines
    };
    view! {
        <section class="panel" aria-labelledby="waiting">
            <header><h2 id="waiting">{texts.waits_for_me()}</h2></header>
            {move || {
                let lines = lines();
                if lines.is_empty() {
                    view! { <p class="muted">{texts.nothing_waits()}</p> }.into_any()
                } else {
                    view! { <ul class="outlook">{lines}</ul> }.into_any()
                }
            }}
        </section>
    }
}
