//! `/meetings/new`: the form for a meeting. The URL may name room, date, start and end.

pub mod availability;
pub mod fields;
mod people;
pub mod preview;
mod repeat;
pub mod span_input;
pub mod text_fields;

use crate::{
    accounts::groups::group_fns::list_groups,
    live::live,
    meetings::{
        form_values::{MeetingText, RepeatForm, TypedTime},
        result::announce_meeting,
        room_fns::{Checked, check_meeting, list_rooms},
        server_fns::{BookMeeting, check_series},
    },
    reminders::{meeting::ReminderChoice, server_fns::reminder_ways},
    server_fns::Refused,
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{Form, FormResult, focus::focus_first, refusal_of, result_of, typed},
        icon::Icon,
        page::header::PageHeader,
        time::picker::{CityList, TimeSubmit, zone_as_typed},
    },
};
use availability::{AvailabilityView, follow};
use domain::{
    DomainError, Timestamp,
    accounts::group::Group,
    meetings::{Approval, Room},
    reminders::MAX_MEETING_REMINDERS,
    time::wall_clock_time,
};
use fields::SpanFields;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use people::{GROUP, PEOPLE, PeopleChoice, member_ids};
use repeat::RepeatFields;
use server_fn::ServerFn;
use span_input::{SpanInput, SpanValues, clock_of, is_about_start};
use text_fields::TextFields;
use texts::meetings::MeetingFormTexts;

/// Name of the box for the usual reminders.
const USUAL: &str = "meeting[usual_reminders]";
/// Prefix of the ids of the fields.
const NAME: &str = "meeting";
/// Fields that show their errors themselves.
const FIELDS: [&str; 12] = [
    "title",
    "description",
    "attendees",
    "room_id",
    "local_end",
    "ends_at",
    "end",
    "end_date",
    "rule.frequency",
    "rule.interval",
    "rule.until",
    "rule.count",
];
/// A full hour.
const HOUR_MS: i64 = 3_600_000;
/// A proposed meeting starts in a quarter of an hour at the earliest.
const MIN_LEAD_MS: i64 = 900_000;

/// The page.
#[component]
pub fn MeetingNew() -> impl IntoView {
    let texts = MeetingFormTexts::here();
    view! {
        <PageHeader title=texts.new_title().to_owned()>
            <a class="button" href="/rooms"><Icon name="search" />{texts.find_room()}</a>
        </PageHeader>
        <MeetingForm />
        <CityList />
    }
}

#[component]
fn MeetingForm() -> impl IntoView {
    let action = ServerAction::<BookMeeting>::new();
    announce_meeting(action);
    let refused = result_of(BookMeeting::PATH, None);
    let answered = refused.as_ref().map(|form| form.refusal.clone());
    let refusal = Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => answered.clone(),
    });
    let input = SpanInput::new(first_values(), refused.as_ref());
    input.start.show_refusals(NAME.to_owned(), move || {
        action.value().get()?.err().filter(|Refused(refusal)| is_about_start(refusal))
    });
    focus_first(&["[name='meeting[title]']"]);
    let rooms = Resource::new(|| (), |()| list_rooms(false));
    let (room, time) = untrack(|| input.question());
    let repeat = first_repeat(refused.as_ref());
    let (asked, repeats) = ((room, time, repeat.clone()), StoredValue::new(repeat));
    let first = first_answer(input);
    let series = Resource::new(
        || (),
        move |()| {
            let (room, time, repeat) = asked.clone();
            check_series(room, time, repeat)
        },
    );
    let ways = Resource::new(|| (), |()| reminder_ways());
    let text = first_text();
    let chosen = StoredValue::new(text.reminders.clone());
    let people = StoredValue::new((chosen_people(refused.as_ref(), &text), chosen_group(refused.is_some())));
    let reminders = view! {
        <AsyncView from=ways children=move |ways| view! {
            <ReminderChoice path=BookMeeting::PATH chosen=chosen.get_value() ways=ways.get_untracked() />
        } />
        <UsualReminders />
    };
    let reminders = reminders.into_any();
    let shown_by_fields: fn(&DomainError) -> bool = shown_by_fields;
    view! {
        <Form action=action class="meeting-form" shown_by_fields=shown_by_fields>
            <TextFields path=BookMeeting::PATH text=text refusal=refusal reminders=reminders>
                <SpanFields input=input name=NAME rooms=rooms refusal=refusal />
                <AsyncView from=first children=move |first| {
                    let (checked, groups) = first.get_untracked();
                    let checked = follow(input, None, Some(checked), Signal::stored(true));
                    let chosen = with_group(people.get_value(), &groups);
                    view! {
                        <AvailabilityView input=input checked=checked />
                        <PeopleChoice checked=checked chosen=chosen groups=groups />
                    }
                } />
                <AsyncView from=series children=move |checked| {
                    let (first, checked) = (repeats.get_value(), checked.get_untracked());
                    view! { <RepeatFields input=input first=first checked=checked refusal=refusal /> }
                } />
            </TextFields>
            <Submit input=input rooms=rooms />
            {move || is_taken(refusal.get().as_ref()).then(|| view! { <WaitForRoom /> })}
        </Form>
    }
}

/// The box for the usual reminders of the room or of the user, ticked at first.
#[component]
fn UsualReminders() -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let is_on = refusal_of(BookMeeting::PATH).is_none() || typed(BookMeeting::PATH, USUAL).is_some();
    view! {
        <label class="choice">
            <input type="checkbox" name=USUAL value="true" checked=is_on />
            <span>{texts.usual_reminders()}</span>
        </label>
    }
}

/// Whether the room of a meeting that does not repeat is taken.
fn is_taken(refusal: Option<&DomainError>) -> bool {
    matches!(refusal, Some(DomainError::RoomTaken { .. }))
}

/// The button that books the meeting as soon as its room is free.
#[component]
fn WaitForRoom() -> impl IntoView {
    let texts = MeetingFormTexts::here();
    view! {
        <p class="row">
            <button class="button" type="submit" name="if_taken" value="wait"><Icon name="due" />{texts.wait_for_room()}</button>
            <span class="hint">{texts.wait_hint()}</span>
        </p>
    }
}

/// The button names the time, and whether the room must be asked for.
#[component]
fn Submit(input: SpanInput, rooms: Resource<Result<Vec<Room>, Refused>>) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    view! {
        <AsyncView from=rooms children=move |rooms| {
            let is_request = move || rooms.with(|rooms| {
                let chosen = input.room.get();
                let room = rooms.iter().find(|room| room.id.to_string() == chosen);
                room.is_some_and(|room| room.settings.policy.approval == Approval::Required)
            });
            let label = Signal::derive(move || match (input.start.as_sentence(), is_request()) {
                (Some(when), true) => texts.request_for(when),
                (Some(when), false) => texts.book_for(when),
                (None, _) => texts.book().to_owned(),
            });
            view! { <p><TimeSubmit input=input.start name=NAME label=label no_js=texts.book() /></p> }
        } />
    }
}

/// Whether a field shows this error.
#[must_use]
pub fn shown_by_fields(refusal: &DomainError) -> bool {
    is_about_start(refusal) || refusal.is_about(&FIELDS)
}

/// Value of a parameter of the URL.
fn named(name: &str) -> String {
    use_query_map().with_untracked(|query| query.get(name)).unwrap_or_default()
}

/// The texts of a preview.
fn first_text() -> MeetingText {
    let reminders = (0..MAX_MEETING_REMINDERS).map(|place| named(&format!("meeting[reminders][{place}]")));
    MeetingText {
        title: named("meeting[title]"),
        description: named("meeting[description]"),
        attendees: named("meeting[attendees]"),
        people: use_query_map().with_untracked(|query| query.get_all(PEOPLE).unwrap_or_default()),
        reminders: reminders.filter(|value| !value.is_empty()).collect(),
        usual_reminders: true,
    }
}

/// Ids of the people that are ticked: as submitted, or as a preview names them.
fn chosen_people(refused: Option<&FormResult>, text: &MeetingText) -> Vec<String> {
    let submitted = |form: &FormResult| {
        let people = form.fields.iter().filter(|(name, _)| name == PEOPLE);
        people.map(|(_, id)| id.clone()).collect()
    };
    refused.map_or_else(|| text.people.clone(), submitted)
}

/// What is free at the time of the form, and the groups.
fn first_answer(input: SpanInput) -> Resource<Result<(Checked, Vec<Group>), Refused>> {
    let (room, time) = untrack(|| input.question());
    Resource::new(
        || (),
        move |()| {
            let (room, time) = (room.clone(), time.clone());
            async move { Ok((check_meeting(room, time, None).await?, list_groups().await?)) }
        },
    )
}

/// Id of the group whose members are added; empty: none. A refused form says itself who is ticked.
fn chosen_group(is_refused: bool) -> String {
    if is_refused { String::new() } else { named(GROUP) }
}

/// Adds the members of the group with the id `chosen` to the people that are ticked.
fn with_group((mut people, chosen): (Vec<String>, String), groups: &[Group]) -> Vec<String> {
    people.extend(groups.iter().filter(|group| group.id.to_string() == chosen).flat_map(member_ids));
    people
}

/// How the meeting repeats: as typed, or as a preview names it.
fn first_repeat(refused: Option<&FormResult>) -> RepeatForm {
    let value = |field: &str| {
        let name = format!("repeat[{field}]");
        let typed = refused.and_then(|form| form.typed(&name).map(str::to_owned));
        typed.unwrap_or_else(|| named(&name))
    };
    let weekdays = (0..7).map(|place| value(&format!("weekdays][{place}")));
    RepeatForm {
        every: value("every"),
        interval: value("interval"),
        weekdays: weekdays.filter(|day| !day.is_empty()).collect(),
        on: value("on"),
        until: value("until"),
        count: value("count"),
        conflicts: value("conflicts"),
    }
}

/// What the URL names; without a time, the next full hour that is not too close.
fn first_values() -> SpanValues {
    let (date, time, end) = next_hour(live().now().get_untracked(), visitor().heartbeat.heartbeat_offset);
    let or = |text: String, other: String| if text.is_empty() { other } else { text };
    let (date, time) = (or(named("date"), date), or(or(named("start"), named("time")), time));
    let end = or(named("end"), end);
    let zone = or(named("zone"), zone_as_typed(visitor().zone()));
    let (room, end_date) = (or(named("room"), named("room_id")), named("end_date"));
    SpanValues { room, time: TypedTime { date, time, zone, end, end_date, ..TypedTime::default() } }
}

/// Date, start and end of the next full hour after [`MIN_LEAD_MS`]. `offset`: minutes east of UTC.
fn next_hour(now: Timestamp, offset: i32) -> (String, String, String) {
    let wall = wall_clock_time(now.plus(HOUR_MS + MIN_LEAD_MS), offset);
    let start = wall.hour * 60;
    let date = format!("{:04}-{:02}-{:02}", wall.year, wall.month, wall.day);
    (date, clock_of(start), clock_of((start + 60).min(24 * 60 - 1)))
}

#[cfg(test)]
mod tests {
    use super::next_hour;

    #[test]
    fn the_next_full_hour_is_proposed() {
        let at = |text: &str| next_hour(text.parse().unwrap(), 60);
        let text = |date: &str, start: &str, end: &str| (date.to_owned(), start.to_owned(), end.to_owned());
        assert_eq!(at("2026-11-26T08:10:00Z"), text("2026-11-26", "10:00", "11:00"));
        assert_eq!(at("2026-11-26T08:50:00Z"), text("2026-11-26", "11:00", "12:00"));
        assert_eq!(at("2026-11-26T22:30:00Z"), text("2026-11-27", "00:00", "01:00"));
        assert_eq!(at("2026-11-26T21:30:00Z"), text("2026-11-26", "23:00", "23:59"));
    }
}
