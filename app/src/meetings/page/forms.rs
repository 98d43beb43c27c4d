//! Forms of a meeting that open in place: another time, another end, other texts.

use super::series::ReachFields;
use crate::{
    live::is_server_rendered,
    meetings::{
        form_values::{MeetingText, TypedTime, address_of},
        new_page::{
            availability::{AvailabilityView, follow},
            fields::{Problem, SpanFields},
            shown_by_fields,
            span_input::{SpanInput, SpanValues, is_about_start},
            text_fields::TextFields,
        },
        result::announce_meeting,
        server_fns::{EditMeeting, HandOverMeeting, MoveMeeting},
    },
    reminders::{
        meeting::{ReminderChoice, form_values},
        server_fns::ReminderWays,
    },
    server_fns::Refused,
    ui::{
        form::{
            Form, FormResult,
            field::CLOCK_EXAMPLE,
            in_use::{FormUse, InPlace},
            result_of,
        },
        icon::Icon,
        time::picker::{TimeSubmit, zone_as_typed},
    },
};
use domain::{
    DomainError, MeetingId,
    meetings::{Meeting, MeetingRow, MeetingSeries, Room},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::meetings::{MeetingFormTexts, MeetingTexts};

/// Prefix of the ids of the fields.
const NAME: &str = "move";
/// Fields of the end.
const END: &[&str] = &["local_end", "ends_at", "end", "end_date"];

/// Field of the new organizer.
const ORGANIZER: &[&str] = &["organizer"];

/// Error of the action, else of the refused form that the page shows.
fn refusal_of<F: ServerFn<Error = Refused> + Clone + Send + Sync + 'static>(
    action: ServerAction<F>,
    refused: Option<&FormResult>,
) -> Signal<Option<DomainError>>
where
    F::Output: Clone + Send + Sync + 'static,
{
    let answered = refused.map(|form| form.refusal.clone());
    Signal::derive(move || match &*action.value().read() {
        Some(Err(Refused(refusal))) => Some(refusal.clone()),
        Some(Ok(_)) => None,
        None => answered.clone(),
    })
}

/// The version that the user saw. After a conflict is shown, that of the meeting as it is now, so that
/// the next submit is about it.
pub fn seen_version<F: ServerFn<Error = Refused> + Clone + Send + Sync + 'static>(
    action: ServerAction<F>,
    row: &MeetingRow,
    latest: Memo<MeetingRow>,
) -> RwSignal<i32>
where
    F::Output: Clone + Send + Sync + 'static,
{
    let seen = RwSignal::new(row.version.0);
    // The answer for which it was set.
    Effect::new(move |last: Option<Option<usize>>| {
        let (last, answer) = (last.flatten(), action.version().get());
        let is_changed =
            action.value().with(|value| matches!(value, Some(Err(Refused(DomainError::Changed)))));
        let now = latest.with(|row| row.version.0);
        if is_changed && last != Some(answer) && now > seen.get_untracked() {
            seen.set(now);
            return Some(answer);
        }
        last
    });
    seen
}

/// Whether the last answer of the action is a success.
pub(super) fn is_done<F: ServerFn<Error = Refused> + Clone + Send + Sync + 'static>(
    action: ServerAction<F>,
) -> impl Fn() -> bool + Clone + Send + Sync + 'static
where
    F::Output: Clone + Send + Sync + 'static,
{
    move || action.value().with(|value| matches!(value, Some(Ok(_))))
}

/// The form for another time or room. With JavaScript it is rendered when it is opened.
#[component]
pub(super) fn MoveForm(
    row: MeetingRow,
    series: Option<MeetingSeries>,
    rooms: Resource<Result<Vec<Room>, Refused>>,
    in_use: FormUse,
    latest: Memo<MeetingRow>,
) -> impl IntoView {
    let action = ServerAction::<MoveMeeting>::new();
    announce_meeting(action);
    let seen = seen_version(action, &row, latest);
    let is_refused = result_of(MoveMeeting::PATH, Some(&row.id.to_string())).is_some();
    let (is_rendered_first, is_open) = (is_refused || is_server_rendered(), in_use.is_open());
    let is_rendered =
        Memo::new(move |was: Option<&bool>| was.copied().unwrap_or(is_rendered_first) || is_open.get());
    let summary = view! { <Icon name="move" />{MeetingTexts::here().reschedule()} }.into_any();
    let form = view! {
        <InPlace in_use=in_use is_open=is_refused summary=summary>
            {move || is_rendered.get().then(|| view! {
                <MoveFields
                    row=row.clone() series=series.clone() rooms=rooms action=action is_open=is_open seen=Signal::from(seen)
                />
            })}
        </InPlace>
    };
    in_use.release_when(is_done(action));
    form
}

/// The fields for another time or room, and the button.
#[component]
pub fn MoveFields(
    /// The meeting.
    row: MeetingRow,
    /// The series, if it repeats.
    #[prop(default = None)]
    series: Option<MeetingSeries>,
    /// The rooms.
    rooms: Resource<Result<Vec<Room>, Refused>>,
    /// The action that moves it.
    action: ServerAction<MoveMeeting>,
    /// Whether it is shown: then the room is checked.
    is_open: RwSignal<bool>,
    /// The version that the user saw, if it is not that of the meeting.
    #[prop(optional)]
    seen: Option<Signal<i32>>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let (id, seen) = (row.id.to_string(), seen.unwrap_or_else(|| Signal::stored(row.version.0)));
    let refused = result_of(MoveMeeting::PATH, Some(&id));
    let refusal = refusal_of(action, refused.as_ref());
    let input = SpanInput::new(values_of(&row), refused.as_ref());
    input.start.show_refusals(NAME.to_owned(), move || {
        action.value().get()?.err().filter(|Refused(refusal)| is_about_start(refusal))
    });
    let checked = follow(input, Some(row.id), None, is_open.into());
    let label = Signal::derive(move || {
        input.start.as_sentence().map_or_else(|| texts.move_().to_owned(), |when| texts.move_to(when))
    });
    let shown_by_fields: fn(&DomainError) -> bool = shown_by_fields;
    view! {
        <Form action=action about=id.clone() class="move-form" shown_by_fields=shown_by_fields>
            <IdFields id=row.id seen=seen />
            <SpanFields input=input name=NAME rooms=rooms refusal=refusal />
            <AvailabilityView input=input checked=checked />
            {series.map(|series| view! { <ReachFields series=series refused=refused /> })}
            <TimeSubmit input=input.start name=NAME label=label no_js=texts.move_() />
        </Form>
    }
}

/// Room and times of the meeting, in the zone in which it was planned.
fn values_of(row: &MeetingRow) -> SpanValues {
    let split = |local: &str| {
        let (date, time) = local.split_once('T').unwrap_or_default();
        (date.to_owned(), time.to_owned())
    };
    let ((date, time), (end_date, end)) = (split(&row.local_start), split(&row.local_end));
    let end_date = if end_date == date { String::new() } else { end_date };
    SpanValues {
        room: row.room_id.map(|id| id.to_string()).unwrap_or_default(),
        time: TypedTime { date, time, zone: zone_as_typed(&row.zone), end, end_date, ..TypedTime::default() },
    }
}

/// The hidden fields that name the meeting and the version that the user saw.
#[component]
fn IdFields(id: MeetingId, #[prop(into)] seen: Signal<i32>) -> impl IntoView {
    view! {
        <input type="hidden" name="id" value=id.to_string() />
        <input type="hidden" name="seen" value=move || seen.get() />
    }
}

/// The form for another end of a running meeting.
#[component]
pub(super) fn EndForm(row: MeetingRow, in_use: FormUse, latest: Memo<MeetingRow>) -> impl IntoView {
    let (texts, form_texts) = (MeetingTexts::here(), MeetingFormTexts::here());
    let action = ServerAction::<MoveMeeting>::new();
    announce_meeting(action);
    let seen = seen_version(action, &row, latest);
    let id = row.id.to_string();
    let refused = result_of(MoveMeeting::PATH, Some(&id));
    let refusal = refusal_of(action, refused.as_ref());
    let is_open = refused.is_some();
    let time = values_of(&row).time;
    // All but the end stays as it is now.
    let now = Memo::new(move |_| latest.with(values_of));
    let end = refused.and_then(|form| form.typed("end").map(str::to_owned)).unwrap_or(time.end);
    let shown_by_fields: fn(&DomainError) -> bool = |refusal| refusal.is_about(END);
    let summary = view! { <Icon name="move" />{texts.change_end()} }.into_any();
    let form = view! {
        <InPlace in_use=in_use is_open=is_open summary=summary>
            <Form action=action about=id class="move-form" shown_by_fields=shown_by_fields>
                <IdFields id=row.id seen=seen />
                <input type="hidden" name="room_id" value=move || now.with(|now| now.room.clone()) />
                <input type="hidden" name="date" value=move || now.with(|now| now.time.date.clone()) />
                <input type="hidden" name="time" value=move || now.with(|now| now.time.time.clone()) />
                <input type="hidden" name="zone" value=move || latest.with(|row| row.zone.clone()) />
                <input type="hidden" name="end_date" value=move || now.with(|now| now.time.end_date.clone()) />
                <div class="field">
                    <label for="new-end">{form_texts.ends_at()}" · "{time.zone}</label>
                    <input id="new-end" name="end" type="text" autocomplete="off" placeholder=CLOCK_EXAMPLE required value=end aria-describedby="new-end-problem" />
                </div>
                <Problem refusal=refusal fields=END id="new-end-problem".to_owned() />
                <button class="button main" type="submit">{form_texts.save()}</button>
            </Form>
        </InPlace>
    };
    in_use.release_when(is_done(action));
    form
}

/// The form for title, attendees and description.
#[component]
pub(super) fn EditForm(meeting: Meeting, in_use: FormUse, latest: Memo<MeetingRow>) -> impl IntoView {
    let (texts, form_texts) = (MeetingTexts::here(), MeetingFormTexts::here());
    let action = ServerAction::<EditMeeting>::new();
    announce_meeting(action);
    let seen = seen_version(action, &meeting.row, latest);
    let id = meeting.row.id.to_string();
    let refused = result_of(EditMeeting::PATH, Some(&id));
    let refusal = refusal_of(action, refused.as_ref());
    let is_open = refused.is_some();
    let text = MeetingText {
        title: meeting.row.title.clone(),
        description: meeting.description.clone(),
        attendees: meeting.attendees.iter().map(address_of).collect::<Vec<_>>().join("\n"),
        people: Vec::new(),
        reminders: form_values(&meeting.reminders),
        usual_reminders: false,
    };
    let Meeting { has_mail_server, has_sms_channel, .. } = meeting;
    let (ways, chosen) = (ReminderWays { has_mail_server, has_sms_channel }, text.reminders.clone());
    let reminders = view! { <ReminderChoice path=EditMeeting::PATH chosen=chosen ways=ways /> }.into_any();
    let shown_by_fields: fn(&DomainError) -> bool = shown_by_fields;
    let summary = view! { <Icon name="edit" />{texts.edit_details()} }.into_any();
    let form = view! {
        <InPlace in_use=in_use is_open=is_open summary=summary>
            <Form action=action about=id class="meeting-form" shown_by_fields=shown_by_fields>
                <IdFields id=meeting.row.id seen=seen />
                <TextFields path=EditMeeting::PATH text=text refusal=refusal reminders=reminders />
                <p><button class="button main" type="submit">{form_texts.save()}</button></p>
            </Form>
        </InPlace>
    };
    in_use.release_when(is_done(action));
    form
}

/// The form that makes another account the organizer of the meeting, or of its series.
#[component]
pub(super) fn HandOverForm(row: MeetingRow, in_use: FormUse, latest: Memo<MeetingRow>) -> impl IntoView {
    let texts = MeetingTexts::here();
    let action = ServerAction::<HandOverMeeting>::new();
    announce_meeting(action);
    let seen = seen_version(action, &row, latest);
    let id = row.id.to_string();
    let refused = result_of(HandOverMeeting::PATH, Some(&id));
    let refusal = refusal_of(action, refused.as_ref());
    let is_open = refused.is_some();
    let typed = refused.and_then(|form| form.typed("organizer").map(str::to_owned)).unwrap_or_default();
    let hint = if row.series_id.is_some() { texts.hand_over_series() } else { texts.hand_over_hint() };
    let shown_by_fields: fn(&DomainError) -> bool = |refusal| refusal.is_about(ORGANIZER);
    let summary = view! { <Icon name="person" />{texts.hand_over()} }.into_any();
    let form = view! {
        <InPlace in_use=in_use is_open=is_open summary=summary>
            <Form action=action about=id class="move-form" shown_by_fields=shown_by_fields>
                <IdFields id=row.id seen=seen />
                <div class="field">
                    <label for="new-organizer">{texts.new_organizer()}</label>
                    <input
                        id="new-organizer"
                        name="organizer"
                        required
                        autocomplete="off"
                        value=typed
                        aria-describedby="new-organizer-hint new-organizer-problem"
                    />
                    <span class="hint" id="new-organizer-hint">{hint}</span>
                </div>
                <Problem refusal=refusal fields=ORGANIZER id="new-organizer-problem".to_owned() />
                <button class="button main" type="submit">{texts.hand_over()}</button>
            </Form>
        </InPlace>
    };
    in_use.release_when(is_done(action));
    form
}
