//! Whether the chosen room is free, and which others are, while the user chooses.

use super::span_input::SpanInput;
use crate::{
    live::{live, live_value},
    meetings::{
        room_fns::{Availability, Checked, RoomAvailability, check_meeting},
        span::SpanTime,
    },
    session::visitor,
    ui::{
        debounce::Debounce,
        time::picker::{date_and_time, zone_as_typed},
    },
};
use domain::{
    LocalizedTime, MeetingId,
    meetings::{Approval, FreeRoom},
};
use leptos::{prelude::*, task::spawn_local};
use texts::meetings::span::span_here;
use texts::{language, meetings::MeetingFormTexts, refusal::sentence, time::moment};

/// Delay between the last input and the request, in milliseconds.
const CHECK_AFTER_MS: u64 = 300;
/// Maximum number of free rooms that are offered.
const MAX_OFFERED: usize = 8;

/// Follows the input and the bookings of others while `is_active`. `except`: the meeting that is
/// moved.
pub fn follow(
    input: SpanInput,
    except: Option<MeetingId>,
    first: Option<Checked>,
    is_active: Signal<bool>,
) -> RwSignal<Option<Checked>> {
    let (checked, timer) = (RwSignal::new(first), Debounce::new());
    let is_known = checked.with_untracked(Option::is_some);
    let ask = move || {
        if is_active.try_get_untracked() != Some(true) {
            return;
        }
        let question = untrack(|| input.question());
        spawn_local(async move {
            let answer = check_meeting(question.0.clone(), question.1.clone(), except).await;
            let is_current =
                input.room.try_get_untracked().is_some() && untrack(|| input.question()) == question;
            if is_current {
                checked.try_set(answer.ok());
            }
        });
    };
    Effect::new(move |was: Option<()>| {
        let _ = input.question();
        if is_active.get() && (was.is_some() || !is_known) {
            timer.schedule(CHECK_AFTER_MS, ask);
        }
    });
    let _ = live_value(
        (),
        true,
        |change| matches!(change.entity.as_str(), "meeting" | "room"),
        move || {
            ask();
            std::future::ready(Ok(()))
        },
    );
    checked
}

/// The answer, below the sentence.
#[component]
pub fn AvailabilityView(
    /// The input.
    input: SpanInput,
    /// The answer.
    checked: RwSignal<Option<Checked>>,
) -> impl IntoView {
    view! {
        <div class="availability" role="status">
            {move || match checked.get() {
                Some(Checked::Known(known)) => view! { <Known input=input known=*known /> }.into_any(),
                // The start shows its errors itself.
                Some(Checked::Refused(refusal)) if refusal.problem_of(|field| field == "local_end").is_some() => {
                    view! { <p class="notice warn">{sentence(language(), &refusal)}</p> }.into_any()
                }
                _ => ().into_any(),
            }}
        </div>
    }
}

#[component]
fn Known(input: SpanInput, known: Availability) -> impl IntoView {
    let Availability { start, end, room, free, has_rooms, .. } = known;
    let chosen = room.as_ref().map(|room| room.room.id);
    let is_free = room.as_ref().is_none_or(|room| room.is_free);
    let others: Vec<FreeRoom> = free.into_iter().filter(|found| Some(found.room.id) != chosen).collect();
    view! {
        <p class="span-line"><SpanTime start=start end=end is_full=true /></p>
        {room.map(|room| view! { <RoomLine input=input room=room /> })}
        {(has_rooms && (!is_free || chosen.is_none())).then(|| view! { <FreeRooms input=input rooms=others /> })}
    }
}

#[component]
fn RoomLine(input: SpanInput, room: RoomAvailability) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let name = room.room.settings.name.clone();
    let policy = &room.room.settings.policy;
    let approval = (policy.approval == Approval::Required).then(|| match policy.request_holds {
        true => texts.needs_approval(),
        false => texts.needs_approval_unheld(),
    });
    if room.is_free {
        return view! {
            <p class="is-available">{texts.is_free(name)}</p>
            {approval.map(|approval| view! { <p class="hint">{approval}</p> })}
        }
        .into_any();
    }
    let sentence = if room.busy.is_empty() { texts.is_not_free(name) } else { texts.is_taken(name) };
    let busy = room.busy.into_iter().map(|busy| {
        let when = span_here(language(), busy.starts, busy.ends);
        view! {
            <li><a href=format!("/meetings/{}", busy.meeting_id) target="_blank" rel="external">{texts.when_busy(busy.title, when)}</a></li>
        }
    });
    view! {
        <div class="notice warn">
            <p>{sentence}</p>
            <ul>{busy.collect_view()}</ul>
            {room.next_free.map(|at| view! { <NextFree input=input at=at /> })}
        </div>
    }
    .into_any()
}

/// The next time at which the room is free, with a button that chooses it.
#[component]
fn NextFree(input: SpanInput, at: LocalizedTime) -> impl IntoView {
    let (texts, visitor) = (MeetingFormTexts::here(), visitor());
    let when = moment(language(), at, visitor.zone(), live().now().get_untracked());
    let choose = move |_| {
        let (date, time) = date_and_time(at);
        input.start.set_zone(zone_as_typed(self::visitor().zone()));
        input.start.set_preset(&date, &time);
    };
    view! {
        <p class="row">
            {texts.next_free(when)}
            <button type="button" class="button small needs-js" on:click=choose>{texts.use_next()}</button>
        </p>
    }
}

/// The rooms that are free. With JavaScript, buttons that choose them.
#[component]
fn FreeRooms(input: SpanInput, rooms: Vec<FreeRoom>) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    if rooms.is_empty() {
        return view! { <p class="hint">{texts.no_free_room()}</p> }.into_any();
    }
    let buttons = rooms.into_iter().take(MAX_OFFERED).map(|found| {
        let id = found.room.id.to_string();
        let (name, seats) = (found.room.settings.name, found.room.settings.capacity);
        let seats = seats.and_then(|seats| u32::try_from(seats).ok());
        let label = seats.map_or(name.clone(), |seats| texts.capacity(name, seats));
        let text = label.clone();
        view! {
            <button type="button" class="chip needs-js" on:click=move |_| input.room.set(id.clone())>{label}</button>
            <span class="no-js">{text}</span>
        }
    });
    view! { <p class="free-rooms"><span>{texts.free_rooms()}</span> {buttons.collect_view()}</p> }.into_any()
}
