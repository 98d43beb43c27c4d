//! One meeting as a row of the list.

use crate::{
    live::live,
    meetings::{server_fns::act_value, span::SpanTime},
    session::visitor,
    tasks::list_page::bulk::SelectBox,
    ui::{table::row_menu::RowMenu, time::date_time::Relative},
};
use domain::{
    MeetingId, Version,
    meetings::{MeetingRow as Row, MeetingState},
};
use leptos::prelude::*;
use texts::{calendar::rule_text::rule_text_for, language, meetings::MeetingTexts, time::moment};

/// Id of the form that the buttons of all rows belong to.
pub(super) const ROW_FORM: &str = "row-actions";

/// Key of a row. A row with an equal key keeps its element and focus.
pub(super) fn key(row: &Row) -> (MeetingId, Version, MeetingState, [bool; 3]) {
    (row.id, row.version, row.state, [row.may_approve, row.may_check_in, row.may_change])
}

/// Whether the row has a box: something can be changed of it.
pub(super) fn can_select(row: &Row) -> bool {
    let is_open = row.state.is_open() || row.state.is_on_waiting_list();
    (row.may_change && is_open) || row.may_approve
}

/// One meeting: title and room, state, time, organizer and actions.
#[component]
pub(super) fn MeetingTableRow(row: Row) -> impl IntoView {
    let texts = MeetingTexts::here();
    let href = format!("/meetings/{}", row.id);
    let (edit, now) = (href.clone(), live().now().get_untracked());
    let place = (!row.room.is_empty()).then(|| texts.in_room(&row.room));
    let deadline = row.decides.filter(|_| row.state == MeetingState::Requested);
    let offer = row.decides.filter(|_| row.state == MeetingState::Offered);
    let offer = offer.map(|at| texts.accept_by(moment(language(), at, visitor().zone(), now)));
    let deadline = deadline.map(|at| texts.decide_by(moment(language(), at, visitor().zone(), now)));
    let next = match row.state {
        MeetingState::Requested | MeetingState::Confirmed => Some(row.starts.at),
        _ => None,
    };
    let select =
        can_select(&row).then(|| view! { <SelectBox id=row.id.to_string() title=row.title.clone() /> });
    let repeats = row.repeats.clone().zip(row.series_id).map(|(repeats, series)| {
        let rule = rule_text_for(language(), &repeats.rule, &repeats.zone, visitor().zone());
        view! { <p class="meta"><a href=format!("/meetings?state=all&series={series}")>{rule}</a></p> }
    });
    let (starts, ends, acts) = (row.starts, row.ends, row.clone());
    view! {
        <tr class="list-row" id=format!("meeting-{}", row.id) data-edit=edit>
            <th scope="row" class="main">
                {select}
                <a class="title" dir="auto" href=href aria-keyshortcuts="e">{row.title}</a>
                {place.map(|place| view! { <p class="meta" dir="auto">{place}</p> })}
                {repeats}
                {offer.map(|offer| view! { <p class="meta">{offer}</p> })}
                {deadline.map(|deadline| view! { <p class="meta">{deadline}</p> })}
            </th>
            <td class="state">
                <span class="phase state-mark" data-phase=row.state.as_str()>{texts.state_of(row.state)}</span>
            </td>
            <td class="when">
                <SpanTime start=starts end=ends />
                {next.map(|at| view! { " " <Relative at=at /> })}
            </td>
            <td class="owner" dir="auto">{row.organizer}</td>
            <td class="actions"><Actions row=acts /></td>
        </tr>
    }
}

/// The actions of a meeting that need no further input. On touch they are a menu.
#[component]
fn Actions(row: Row) -> impl IntoView {
    let texts = MeetingTexts::here();
    let is_to_come = matches!(row.state, MeetingState::Requested | MeetingState::Confirmed);
    let cancel = if row.repeats.is_some() { texts.cancel_date() } else { texts.cancel() };
    let actions = [
        (row.may_change && row.state == MeetingState::Offered).then(|| ("accept", texts.accept_room(), None)),
        row.may_approve.then(|| ("approve", texts.approve(), Some("p"))),
        row.may_check_in.then(|| ("check_in", texts.check_in(), None)),
        (row.may_change && row.state == MeetingState::InProgress).then(|| ("end", texts.end_now(), None)),
        (row.may_change && (is_to_come || row.state == MeetingState::Waiting)).then_some((
            "cancel",
            cancel,
            Some("x"),
        )),
    ];
    let actions: Vec<_> = actions.into_iter().flatten().collect();
    (!actions.is_empty()).then(move || {
        let title = row.title.clone();
        let buttons = actions.into_iter().map(|(what, label, key)| {
            view! {
                <button
                    class="button small"
                    type="submit"
                    form=ROW_FORM
                    name="act"
                    value=act_value(&row, what)
                    aria-label=format!("{label} – {title}")
                    aria-keyshortcuts=key
                >
                    {label}
                </button>
            }
        });
        view! { <RowMenu title=row.title.clone() /> {buttons.collect_view()} }
    })
}
