//! Actions on a meeting by its state.

use super::{
    forms::{EditForm, EndForm, HandOverForm, MoveForm, is_done, seen_version},
    series::ReachFields,
};
use crate::{
    meetings::{
        result::{LaterUndoMeeting, announce_meeting},
        server_fns::{ChangeMeeting, MeetingWithSeries},
    },
    server_fns::Refused,
    ui::{
        form::{
            Form,
            in_use::{FormUse, InPlace},
            result_of,
            textarea::Textarea,
        },
        icon::Icon,
    },
};
use domain::meetings::{MeetingRow, MeetingSeries, MeetingState, Room};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::meetings::MeetingTexts;

/// Minutes by which a meeting can be extended with one click.
const EXTENSIONS: [i64; 3] = [15, 30, 60];

/// The buttons, and the forms that open in place. A form that is in use stays as it was opened, with
/// what was typed.
#[component]
pub(super) fn MeetingActions(
    latest: Memo<MeetingWithSeries>,
    rooms: Resource<Result<Vec<Room>, Refused>>,
) -> impl IntoView {
    let [deciding, moving, resizing, editing, handing] = [(); 5].map(|()| FormUse::default());
    let row = Memo::new(move |_| latest.with(|found| found.meeting.row.clone()));
    let with_series = move || (row.get(), latest.with(|found| found.series.clone()));
    let decided = deciding.hold(with_series);
    let moved = moving.hold(move || Some(with_series()).filter(|(row, _)| row.may_change && is_to_come(row)));
    let resized = resizing
        .hold(move || Some(row.get()).filter(|row| row.may_change && row.state == MeetingState::InProgress));
    let edited = editing.hold(move || {
        Some(latest.with(|found| found.meeting.clone())).filter(|meeting| meeting.row.may_change)
    });
    let handed = handing.hold(move || Some(row.get()).filter(|row| row.may_change && is_planned(row)));
    view! {
        <div class="task-actions meeting-actions">
            {move || {
                let (held, series) = decided.get();
                view! { <Buttons row=held series=series in_use=deciding latest=row /> }
            }}
            {move || moved.get().map(|(held, series)| view! {
                <MoveForm row=held series=series rooms=rooms in_use=moving latest=row />
            })}
            {move || resized.get().map(|held| view! { <EndForm row=held in_use=resizing latest=row /> })}
            {move || edited.get().map(|held| view! { <EditForm meeting=held in_use=editing latest=row /> })}
            {move || handed.get().map(|held| view! { <HandOverForm row=held in_use=handing latest=row /> })}
            {move || view! { <LaterUndoMeeting row=row.get() /> }}
        </div>
    }
}

fn is_to_come(row: &MeetingRow) -> bool {
    matches!(row.state, MeetingState::Requested | MeetingState::Confirmed)
}

/// Whether it has not ended, and is not off.
fn is_planned(row: &MeetingRow) -> bool {
    row.state.is_open() || row.state.is_on_waiting_list()
}

/// One form for all changes without a time. The reason is for a rejection or a cancellation.
#[component]
fn Buttons(
    row: MeetingRow,
    series: Option<MeetingSeries>,
    in_use: FormUse,
    latest: Memo<MeetingRow>,
) -> impl IntoView {
    let texts = MeetingTexts::here();
    let action = ServerAction::<ChangeMeeting>::new();
    announce_meeting(action);
    let seen = seen_version(action, &row, latest);
    let id = row.id.to_string();
    let is_running = row.state == MeetingState::InProgress;
    let is_to_come = is_to_come(&row);
    let may_accept = row.may_change && row.state == MeetingState::Offered;
    let is_waiting = row.state == MeetingState::Waiting;
    let (may_end, may_cancel) = (row.may_change && is_running, row.may_change && (is_to_come || is_waiting));
    let has_any = row.may_approve || row.may_check_in || may_end || may_cancel || may_accept;
    let form = has_any.then(move || view! {
        <Form action=action about=id.clone() class="meeting-buttons">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=move || seen.get() />
            <div class="row">
                {may_accept.then(|| view! {
                    <ActionButton what="accept" icon="check" label=texts.accept_room() is_main=true />
                    <ActionButton what="decline" icon="cross" label=texts.decline_room() />
                })}
                {row.may_approve.then(|| view! { <ActionButton what="approve" icon="check" label=texts.approve() is_main=true /> })}
                {row.may_check_in.then(|| view! { <ActionButton what="check_in" icon="check" label=texts.check_in() is_main=true /> })}
                {may_end.then(|| view! {
                    <ActionButton what="end" icon="executed" label=texts.end_now() />
                    <span class="row extensions" role="group" aria-label=texts.extend()>{extensions(texts)}</span>
                })}
            </div>
            {(row.may_approve || may_cancel).then(|| view! {
                <ReasonField may_reject=row.may_approve may_cancel=may_cancel id=row.id.to_string() series=series in_use=in_use />
            })}
        </Form>
    });
    in_use.release_when(is_done(action));
    form
}

#[component]
fn ActionButton(
    what: &'static str,
    icon: &'static str,
    label: &'static str,
    #[prop(optional)] is_main: bool,
) -> impl IntoView {
    view! {
        <button class="button small" class:main=is_main type="submit" name="what" value=what>
            <Icon name=icon />{label}
        </button>
    }
}

fn extensions(texts: MeetingTexts) -> impl IntoView {
    EXTENSIONS
        .into_iter()
        .map(|minutes| {
            view! {
                <button
                    class="button small"
                    type="submit"
                    name="what"
                    value=format!("extend.{minutes}")
                    aria-label=texts.extend_by_full(minutes)
                >
                    {texts.extend_by(minutes)}
                </button>
            }
        })
        .collect_view()
}

/// Opens in place: the reason, and the buttons that use it.
#[component]
fn ReasonField(
    may_reject: bool,
    may_cancel: bool,
    id: String,
    series: Option<MeetingSeries>,
    in_use: FormUse,
) -> impl IntoView {
    let texts = MeetingTexts::here();
    let refused = result_of(ChangeMeeting::PATH, Some(&id));
    let typed = refused.as_ref().and_then(|form| form.typed("reason").map(str::to_owned));
    let is_open = typed.as_ref().is_some_and(|typed| !typed.is_empty());
    let label = match (may_reject, may_cancel) {
        (true, true) => texts.reject_or_cancel(),
        (true, false) => texts.reject_meeting(),
        _ => texts.close_meeting(),
    };
    view! {
        <InPlace in_use=in_use is_open=is_open summary=label.into_any()>
            <div class="reason-form">
                <div class="field">
                    <label for="reason">{texts.reason()}</label>
                    <Textarea name="reason" value=typed.unwrap_or_default() rows=2 />
                    <span class="hint">{texts.reason_hint()}</span>
                </div>
                {series.filter(|_| may_cancel).map(|series| view! { <ReachFields series=series refused=refused is_cancel=true /> })}
                <div class="row">
                    {may_reject.then(|| view! { <ActionButton what="reject" icon="cross" label=texts.reject() /> })}
                    {may_cancel.then(|| view! { <ActionButton what="cancel" icon="cancelled" label=texts.cancel() /> })}
                </div>
            </div>
        </InPlace>
    }
}
