//! The panel while an item is held: where it is, the keys and their buttons, and the question which
//! time is meant. It has the focus, so that changes of the days do not take it away.

use super::mover::{Mover, Question};
use crate::calendar::moving::dragged::{Held, is_draft, local_text};
use crate::{
    calendar::{
        request::{link_to, link_with},
        server_fns::CalendarBoard,
    },
    tasks::list_page::bulk::{BULK_PATH, slot_change::INSERT},
    ui::table::address::{ListAddress, MOVE},
};
use domain::{
    DomainError, Timestamp,
    base::{calendar::local_seconds, local_time},
    calendar::CalendarItem,
    time::wall_clock_time,
};
use leptos::{ev, html, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use texts::calendar::moving::MovingTexts;
use texts::{
    calendar::CalendarTexts,
    language,
    refusal::sentence,
    time::{offset_text, wall_text},
};

/// The panel, and what is said to screen readers.
#[component]
pub fn CarryPanel(
    /// The moves in flight.
    mover: Mover,
    /// The days.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let key = Memo::new(move |_| mover.held.with(|held| held.as_ref().map(Held::key)));
    follow_days(mover, board, address);
    view! {
        <p class="visually-hidden" role="status">{move || mover.spoken.get()}</p>
        {move || key.get().map(|key| view! { <Carry mover=mover key=key address=address /> })}
    }
}

/// Shows the days to which the item is moved.
fn follow_days(mover: Mover, board: Signal<CalendarBoard>, address: Memo<ListAddress>) {
    let navigate = use_navigate();
    Effect::new(move |_| {
        let Some(date) = mover.held.with(|held| held.as_ref().map(Held::date)) else { return };
        let outside = board.with_untracked(|board| {
            let is_shown = board.page.days.iter().any(|day| day.date == date);
            (!is_shown && !date.is_empty()).then_some(board.view)
        });
        if let Some(view) = outside {
            let to = address.with_untracked(|address| link_to(address, view, &date));
            let options = NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() };
            navigate(&to, options);
        }
    });
}

#[component]
fn Carry(mover: Mover, key: String, address: Memo<ListAddress>) -> impl IntoView {
    let texts = MovingTexts::here();
    let Some(held) = mover.held.get_untracked() else { return ().into_any() };
    let (title, has_length) = (held.item.title.clone(), held.length > 0);
    let draft = is_draft(&held.item).then_some(held.item.id);
    let words = Memo::new(move |_| mover.held.with(|held| held.as_ref().map(|held| mover.words(held))));
    let words = move || words.get().unwrap_or_default();
    let (label, verb) = match draft {
        Some(_) => (texts.schedule_of(title.clone()), texts.schedule_at()),
        None => (CalendarTexts::here().move_of(title.clone()), CalendarTexts::here().move_item()),
    };
    let others = move || mover.selected.with(Vec::len);
    let is_several = mover.selected.with_untracked(|selected| selected.contains(&key));
    let panel = NodeRef::<html::Div>::new();
    panel.on_load(|panel: web_sys::HtmlDivElement| _ = panel.focus());
    let form = move || match draft {
        Some(article) => format!("/articles/{article}?view=schedule"),
        None => address.with(|address| link_with(address, MOVE, &key)),
    };
    let step = move |label: &'static str, icon: &'static str, change: fn(&Held) -> Held| {
        view! {
            <button class="button small" type="button" aria-label=label title=label on:click=move |_| mover.hold(change)>{icon}</button>
        }
    };
    view! {
        <div class="calendar-carry" role="application" tabindex="-1" node_ref=panel
            aria-label=label on:keydown=move |event| follow_key(mover, &event)>
            <p><strong dir="auto">{title}</strong>{is_several.then(|| view! { " " <span class="muted">{move || texts.selected(others())}</span> })}</p>
            <p role="status" class="carry-time">{words}</p>
            {move || mover.question.get().map(|question| question_view(mover, question))}
            <p class="row carry-steps">
                {step(texts.day_before(), "←", |held| held.later_by_days(-1))}
                {step(texts.day_after(), "→", |held| held.later_by_days(1))}
                {step(texts.earlier(), "↑", |held| held.later_by_steps(-1))}
                {step(texts.later(), "↓", |held| held.later_by_steps(1))}
                {has_length.then(|| step(texts.shorter(), "−15", |held| held.longer_by_steps(-1)))}
                {has_length.then(|| step(texts.longer(), "+15", |held| held.longer_by_steps(1)))}
            </p>
            <p class="row">
                <button class="button main" type="button" on:click=move |_| drop_held(mover)>{verb}</button>
                <button class="button" type="button" on:click=move |_| mover.leave()>{texts.leave()}</button>
                <a class="button bare" href=form data-noscroll="" on:click=move |_| mover.held.set(None)>{texts.other_time()}</a>
            </p>
            <p class="hint">{texts.hint()} {has_length.then(|| format!(" {}", texts.hint_length()))}</p>
        </div>
    }
    .into_any()
}

fn question_view(mover: Mover, question: Question) -> AnyView {
    match question {
        Question::Time(refusal) => view! { <WhichTime mover=mover question=refusal /> }.into_any(),
        Question::Slot(taken) => view! { <TakenSlot mover=mover taken=*taken /> }.into_any(),
    }
}

/// Another publication has the slot: insert before it, or share the time.
#[component]
fn TakenSlot(mover: Mover, taken: CalendarItem) -> impl IntoView {
    let texts = MovingTexts::here();
    let article = mover.held.with_untracked(|held| held.as_ref().map(|held| held.item.id));
    let article = article.unwrap_or_default();
    let href = format!("{BULK_PATH}?change={INSERT}&at={}&article={article}", taken.at);
    let first = NodeRef::<html::A>::new();
    first.on_load(|first: web_sys::HtmlAnchorElement| _ = first.focus());
    let share = move |_| {
        if let Some(held) = mover.held.get_untracked() {
            mover.send_one(held);
        }
    };
    view! {
        <p class="notice warn">{texts.slot_taken(taken.title)}</p>
        <p class="row">
            <a class="button main" href=href node_ref=first>{texts.insert()}</a>
            <button class="button" type="button" on:click=share>{texts.share_time()}</button>
        </p>
    }
}

fn drop_held(mover: Mover) {
    if let Some(held) = mover.held.get_untracked() {
        mover.send(held);
    }
}

/// Arrows change day and time, Enter moves, Escape leaves the item where it was.
fn follow_key(mover: Mover, event: &ev::KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() {
        return;
    }
    let is_on_button = event_target::<web_sys::Element>(event).matches("a, button").unwrap_or_default();
    let change: fn(&Held) -> Held = match (event.key().as_str(), event.shift_key()) {
        ("ArrowLeft", _) => |held| held.later_by_days(-1),
        ("ArrowRight", _) => |held| held.later_by_days(1),
        ("PageUp", _) => |held| held.later_by_days(-7),
        ("PageDown", _) => |held| held.later_by_days(7),
        ("ArrowUp", false) => |held| held.later_by_steps(-1),
        ("ArrowDown", false) => |held| held.later_by_steps(1),
        ("ArrowUp", true) => |held| held.longer_by_steps(-1),
        ("ArrowDown", true) => |held| held.longer_by_steps(1),
        ("Escape", _) => {
            event.prevent_default();
            return mover.leave();
        }
        ("Enter", _) if !is_on_button && !event.repeat() => {
            event.prevent_default();
            return drop_held(mover);
        }
        _ => return,
    };
    event.prevent_default();
    mover.hold(change);
}

/// A button for each of the two times.
#[component]
fn WhichTime(mover: Mover, question: DomainError) -> impl IntoView {
    let texts = MovingTexts::here();
    let answers = match &question {
        DomainError::DoubledTime { local, earlier, later, .. } => [
            (texts.first_of_two(with_offset(local, *earlier)), "earlier".to_owned()),
            (texts.second_of_two(with_offset(local, *later)), "later".to_owned()),
        ],
        DomainError::SkippedTime { before, after, .. } => [
            (texts.before(time_text(before)), before.clone()),
            (texts.after(time_text(after)), after.clone()),
        ],
        _ => return ().into_any(),
    };
    let first = NodeRef::<html::Button>::new();
    first.on_load(|first: web_sys::HtmlButtonElement| _ = first.focus());
    let [(one, one_value), (other, other_value)] = answers;
    let answer = move |which: &str| {
        if let Some(held) = mover.held.get_untracked() {
            mover.send(answered(&held, which));
        }
    };
    view! {
        <p class="notice warn">{sentence(language(), &question)}</p>
        <p class="row">
            <button class="button main" type="button" node_ref=first on:click=move |_| answer(&one_value)>{one}</button>
            <button class="button" type="button" on:click=move |_| answer(&other_value)>{other}</button>
        </p>
    }
    .into_any()
}

/// The item at the chosen time.
fn answered(held: &Held, which: &str) -> Held {
    let local = local_time::parse(which).map_or(held.local, local_seconds);
    let which = if local_text(local) == which { "" } else { which };
    held.at(local, which)
}

/// `Sun 25 Oct, 02:30`.
fn time_text(local: &str) -> String {
    let Ok(local) = local_time::parse(local) else { return local.to_owned() };
    let wall = wall_clock_time(Timestamp::from_millis(local_seconds(local) * 1_000), 0);
    wall_text(language(), wall, Some(wall.year))
}

/// `Sun 25 Oct, 02:30 UTC+2`.
fn with_offset(local: &str, at: Timestamp) -> String {
    let Ok(parsed) = local_time::parse(local) else { return local.to_owned() };
    let minutes = (local_seconds(parsed) - at.millis().div_euclid(1_000)).div_euclid(60);
    format!("{} {}", time_text(local), offset_text(i32::try_from(minutes).unwrap_or(0)))
}
