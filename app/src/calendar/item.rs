//! One item: time, kind, title and state, and the link to move it.

use super::{moving::mover::Mover, request::link_with};
use crate::calendar::clock_text::time_of;
use crate::calendar::moving::dragged::key_of_item;
use crate::{
    session::visitor,
    tasks::{
        list_page::bulk::{BULK_PATH, slot_change::MAKE_ROOM},
        target::shown_title,
    },
    ui::{
        icon::Icon,
        shortcut::single_key,
        table::address::{ListAddress, MOVE},
    },
};
use domain::{
    Kind, Timestamp,
    calendar::{CalendarDay, CalendarItem, CalendarStatus, MEETING},
    meetings::MeetingState,
    task::Phase,
};
use leptos::{either::Either, prelude::*};
use texts::calendar::{CalendarTexts, SlotTexts, moving::MovingTexts};
use texts::{colon, language, meetings::MeetingTexts, tasks::TaskTexts};

/// How an item looks on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemLook {
    /// Page of the item.
    pub href: String,
    /// Icon of its kind.
    pub icon: &'static str,
    /// Its time on the day.
    pub time: String,
    /// Its title.
    pub title: String,
    /// Its state: a word, and its name in the style sheet.
    pub state: (&'static str, String),
    /// Everything in words.
    pub label: String,
    /// CSS classes.
    pub class: String,
    /// Number of items in the same hour.
    pub together: u32,
    /// Its name in the page and in the URL that opens the form to move it.
    pub key: String,
    /// Whether the user may move it.
    pub may_move: bool,
    /// Page that makes room in its slot; `None`: it is in none, or not the user's.
    pub make_room: Option<String>,
}

impl ItemLook {
    /// Returns the look of an item. `is_full`: with the end of a meeting.
    #[must_use]
    pub fn of(day: &CalendarDay, item: &CalendarItem, now: Timestamp, is_full: bool) -> Self {
        let texts = CalendarTexts::here();
        let time = time_of(texts, day, item, is_full);
        let state = state_of(item);
        let kind = kind_word(&item.kind);
        // Items that are over are no conflict.
        let together = if item.is_final() { 1 } else { item.together };
        let note = (together > 1).then(|| texts.together(together));
        let notes = [
            Some(kind.to_owned()),
            Some(state.0.to_owned()),
            Some(item.owner.clone()),
            Some(item.room.clone()),
        ];
        let notes: Vec<String> =
            notes.into_iter().chain([note]).flatten().filter(|note| !note.is_empty()).collect();
        let folder = if item.is_meeting() { "meetings" } else { "tasks" };
        let has_passed = item.ends_at.unwrap_or(item.at) <= now && item.status != CalendarStatus::Attention;
        let mut class = format!("calendar-item is-{}", item.status.as_str().replace('_', "-"));
        if has_passed {
            class.push_str(" is-past");
        }
        let title = shown_title(language(), &item.kind, &item.title);
        Self {
            href: format!("/{folder}/{}", item.id),
            icon: icon_of(&item.kind),
            label: format!("{time} {title}{}{}", colon(), notes.join(" · ")),
            time,
            title,
            state,
            class,
            together,
            key: key_of_item(item),
            may_move: item.may_move,
            make_room: (item.may_move && item.is_in_slot)
                .then(|| format!("{BULK_PATH}?change={MAKE_ROOM}&at={}", item.at)),
        }
    }
}

/// The kind of a task. A browser knows only the words of its server.
fn kind_of(word: &str) -> Kind {
    word.parse().unwrap_or_else(|_| Kind::register(word.to_owned().leak()))
}

/// Name of a kind.
#[must_use]
pub fn kind_word(kind: &str) -> &'static str {
    if kind == MEETING { MeetingTexts::here().meeting() } else { TaskTexts::here().kind(kind_of(kind)) }
}

fn icon_of(kind: &str) -> &'static str {
    match kind {
        "article.publish" => "article",
        "article.unpublish" => "eye",
        "message.send" => "message",
        "reminder.send" | "reminder.bell" => "reminder",
        "rule.fire" => "rules",
        "release.publish" | "release.revert" => "release",
        _ if kind == MEETING => "meeting",
        _ => "tasks",
    }
}

/// State as a word, and its name in the style sheet.
fn state_of(item: &CalendarItem) -> (&'static str, String) {
    if item.is_meeting() {
        let state: MeetingState = item.state.parse().unwrap_or(MeetingState::Confirmed);
        return (MeetingTexts::here().state_of(state), state.as_str().to_owned());
    }
    let phase = match item.status {
        CalendarStatus::Upcoming => Phase::Scheduled,
        CalendarStatus::Running => Phase::Due,
        CalendarStatus::Done => Phase::Executed,
        CalendarStatus::Cancelled => Phase::Cancelled,
        CalendarStatus::Attention if item.state == "failed" => Phase::Failed,
        CalendarStatus::Attention => Phase::Missed,
    };
    (TaskTexts::here().phase(phase, kind_of(&item.kind)), phase.as_str().to_owned())
}

/// An item in a narrow column. Its label says everything.
#[component]
pub fn Chip(
    /// How it looks.
    look: ItemLook,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
    /// Whether its end can be dragged.
    #[prop(optional)]
    has_end: bool,
) -> impl IntoView {
    let together = (look.together > 1).then(|| look.together.to_string());
    let key = look.key.clone();
    let is_selected = selected(&key);
    view! {
        <li class=look.class class:may-move=look.may_move class:is-selected=is_selected data-item=key data-phase=look.state.1.clone() data-together=together>
            <a href=look.href title=look.label.clone() aria-label=look.label dir="auto">
                <Icon name=look.icon />
                <span class="state-mark" data-phase=look.state.1.clone() aria-hidden="true"></span>
                <time>{look.time}</time>" "{look.title.clone()}
            </a>
            {has_end.then(|| view! { <ResizeItem /> })}
            {look.may_move.then(|| view! { <MoveItem id=look.key title=look.title address=address /> })}
        </li>
    }
}

/// An item as a line with its state in words.
#[component]
pub fn Line(
    /// How it looks.
    look: ItemLook,
    /// The item.
    item: CalendarItem,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
    /// Whether it is in a time grid: the end of a meeting can be dragged.
    #[prop(optional)]
    has_hours: bool,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let has_end = has_hours && look.may_move && item.is_meeting();
    let kind = kind_word(&item.kind);
    // Whose it is, unless it is the viewer's own.
    let is_own = visitor().account.is_some_and(|account| account.name == item.owner);
    let owner = if is_own { String::new() } else { item.owner };
    let notes: Vec<String> = [item.room, owner].into_iter().filter(|note| !note.is_empty()).collect();
    let together = (look.together > 1).then(|| texts.together(look.together));
    let (icon, key) = (look.icon, look.key.clone());
    let room = look.make_room.map(|href| {
        let texts = SlotTexts::here();
        let label = texts.make_room_at(look.time.clone());
        view! { <a class="make-room" href=href aria-label=label.clone() title=label>{texts.make_room()}</a> }
    });
    let is_selected = selected(&key);
    // In the hours a line may be cut off.
    let tip = has_hours.then_some(look.label);
    view! {
        <li class=look.class class:may-move=look.may_move class:is-selected=is_selected data-item=key data-phase=look.state.1.clone()>
            <a class="title" href=look.href title=tip dir="auto"><time>{look.time}</time>" "<Icon name=icon /><span class="visually-hidden">{kind}" "</span>{look.title.clone()}</a>
            <span class="phase state-mark" data-phase=look.state.1.clone()>{look.state.0}</span>
            {(!notes.is_empty()).then(|| view! { <span class="muted" dir="auto">{notes.join(" · ")}</span> })}
            {together.map(|together| view! { <span class="together">{together}</span> })}
            {has_end.then(|| view! { <ResizeItem /> })}
            {look.may_move.then(|| {
                let move_item = view! { <MoveItem id=look.key title=look.title address=address /> };
                match room {
                    Some(room) => Either::Left(view! { <span class="item-actions">{move_item}{room}</span> }),
                    None => Either::Right(move_item),
                }
            })}
        </li>
    }
}

/// The lower edge of a meeting, which can be dragged.
#[component]
fn ResizeItem() -> impl IntoView {
    view! { <span class="resize-item needs-js" title=MovingTexts::here().resize() aria-hidden="true"></span> }
}

/// Whether an item is one of those that are moved together.
fn selected(key: &str) -> impl Fn() -> bool + Send + Sync + 'static {
    let (mover, key) = (use_context::<Mover>(), key.to_owned());
    move || mover.is_some_and(|mover| mover.selected.with(|selected| selected.contains(&key)))
}

/// The link that opens the form to move an item.
#[component]
fn MoveItem(id: String, title: String, address: Memo<ListAddress>) -> impl IntoView {
    let texts = CalendarTexts::here();
    let href = move || address.with(|address| link_with(address, MOVE, &id));
    view! {
        <a class="move-item" href=href data-noscroll="" aria-label=texts.move_of(title) aria-keyshortcuts=single_key("m")>{texts.move_item()}</a>
    }
}
