//! Deliveries as a table: equal failures in a row are folded.

use crate::{
    deliveries::{
        row::{StateMark, choices, key, result_of, word_of},
        server_fns::ActOnDelivery,
    },
    live::live,
    ui::{
        form::Form,
        result::announce,
        table::{keys::use_list_keys, row_menu::RowMenu},
        time::date_time::Relative,
    },
};
use domain::delivery::{DeliveryDecision, DeliveryRow as Row, DeliveryState};
use leptos::{html, prelude::*};
use texts::{deliveries::ChannelTexts, lists::TableTexts, number::counted};

/// Id of the form that the buttons of all rows belong to.
const FORM: &str = "delivery-actions";
/// Number of columns.
const COLUMNS: &str = "4";
const MINUTE_MS: i64 = 60_000;
/// Smallest number of equal failures that are folded.
const MIN_FOLDED: usize = 3;

/// The table, with its form.
#[component]
pub fn DeliveryTable(
    /// The deliveries, in the order of the list.
    #[prop(into)]
    rows: Signal<Vec<Row>>,
    /// Whether they are of one channel, so that its name is omitted.
    #[prop(optional)]
    is_own_log: bool,
    /// Heading of the column with the time.
    when: Children,
) -> impl IntoView {
    let (texts, table_texts) = (ChannelTexts::here(), TableTexts::here());
    let action = ServerAction::<ActOnDelivery>::new();
    announce(action, |row: Row| {
        let decision = match row.state {
            DeliveryState::Cancelled => DeliveryDecision::Drop,
            DeliveryState::Delivered => DeliveryDecision::Arrived,
            _ => DeliveryDecision::Resend,
        };
        result_of(&row, decision)
    });
    let table = NodeRef::<html::Table>::new();
    use_list_keys(table);
    let folds = move || rows.with(|rows| fold(rows));
    // Contains everything that is shown, so that a change replaces the group.
    let fold_key = |rows: &Vec<Row>| rows.iter().map(key).collect::<Vec<_>>();
    view! {
        <Form action=action id=FORM>""</Form>
        <table class="list-table delivery-table" node_ref=table>
            <thead>
                <tr>
                    <th scope="col">{texts.message()}</th>
                    <th scope="col">{texts.status()}</th>
                    {when()}
                    <th scope="col" class="actions">{table_texts.actions()}</th>
                </tr>
            </thead>
            <tbody>
                <For each=folds key=fold_key children=move |rows| view! { <Fold rows=rows is_own_log=is_own_log /> } />
            </tbody>
        </table>
    }
}

/// Splits the rows: equal failures in a row are one group.
fn fold(rows: &[Row]) -> Vec<Vec<Row>> {
    let is_failure = |row: &Row| row.outcome.is_some() && row.state != DeliveryState::Delivered;
    let is_equal = |one: &Row, next: &Row| {
        is_failure(one) && (one.state, one.outcome, &one.answer) == (next.state, next.outcome, &next.answer)
    };
    let groups = rows.chunk_by(is_equal).flat_map(|group| match group.len() {
        0..MIN_FOLDED => group.iter().map(|row| vec![row.clone()]).collect(),
        _ => vec![group.to_vec()],
    });
    groups.collect()
}

/// One delivery, or equal failures that are folded.
#[component]
fn Fold(rows: Vec<Row>, is_own_log: bool) -> impl IntoView {
    let texts = ChannelTexts::here();
    let count = counted(rows.len() as u64);
    let (Some(first), Some(last)) = (rows.first().cloned(), rows.last().cloned()) else {
        return ().into_any();
    };
    if rows.len() == 1 {
        return view! { <DeliveryTableRow row=first is_own_log=is_own_log /> }.into_any();
    }
    let what = first.outcome.map(|outcome| texts.result_of(outcome, &first.answer)).unwrap_or_default();
    let (one, other) = (time_of(&first), time_of(&last));
    let (oldest, newest) = (one.min(other), one.max(other));
    let begin = (newest.since(oldest) >= MINUTE_MS).then(|| view! { <Relative at=oldest />" – " });
    let span = view! { <span class="muted">{begin}<Relative at=newest /></span> };
    let rows = rows.into_iter().map(|row| view! { <DeliveryTableRow row=row is_own_log=is_own_log /> });
    view! {
        <tr class="fold-row">
            <td colspan=COLUMNS>
                <details>
                    <summary><StateMark state=first.state />{texts.folded(count, what)}" "{span}</summary>
                    <table class="list-table"><tbody>{rows.collect_view()}</tbody></table>
                </details>
            </td>
        </tr>
    }
    .into_any()
}

/// When it ended, or was created.
fn time_of(row: &Row) -> domain::Timestamp {
    row.ended_at.unwrap_or(row.created_at)
}

/// One delivery: message, state, time and actions.
#[component]
fn DeliveryTableRow(row: Row, is_own_log: bool) -> impl IntoView {
    let texts = ChannelTexts::here();
    let details = format!("/settings/channels/{}?delivery={}", row.channel_id, row.id);
    let about = if row.title.is_empty() { texts.event(row.event).to_owned() } else { row.title.clone() };
    let href = row.task_id.map_or_else(|| details.clone(), |task| format!("/tasks/{task}"));
    let parts = [
        (!row.title.is_empty()).then(|| texts.event(row.event).to_owned()),
        (!is_own_log).then(|| texts.to(row.channel.clone())),
        (row.attempts > 0).then(|| format!("{} {}", texts.attempts(), row.attempts)),
        row.outcome
            .filter(|_| row.state != DeliveryState::Delivered)
            .map(|outcome| texts.result_of(outcome, &row.answer)),
    ];
    let meta = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let (now, held) = (live().now(), live().are_deliveries_held());
    let id = format!("delivery-{}", row.id);
    let (state, at) = (row.state, time_of(&row));
    let next = row.next_at.map(|at| {
        let is_ahead = Memo::new(move |_| at > now.get());
        move || match (is_ahead.get(), held.get()) {
            (true, true) => view! { " · "{texts.held_now()} }.into_any(),
            (true, false) => view! { " · "{texts.next_try()}" "<Relative at=at /> }.into_any(),
            (false, _) => ().into_any(),
        }
    });
    view! {
        <tr class="list-row" id=id>
            <th scope="row" class="main">
                <a class="title" dir="auto" href=href>{about.clone()}</a>
                {(!meta.is_empty()).then(|| view! { <p class="meta">{meta}</p> })}
            </th>
            <td class="state"><StateMark state=state /></td>
            <td class="when"><Relative at=at />{next}</td>
            <td class="actions"><Actions row=row about=about details=details /></td>
        </tr>
    }
}

/// The actions of a delivery. On touch they are a menu.
#[component]
fn Actions(row: Row, about: String, details: String) -> impl IntoView {
    let texts = ChannelTexts::here();
    if !row.may_resolve {
        return ().into_any();
    }
    let id = row.id;
    let label = texts.act_of(texts.details().to_owned(), about.clone());
    let menu = about.clone();
    let button = move |decision: &DeliveryDecision| {
        let name = texts.resolve(*decision);
        view! {
            <button
                class="button small"
                type="submit"
                form=FORM
                name="act"
                value=format!("{}.{id}", word_of(*decision))
                aria-label=texts.act_of(name.to_owned(), about.clone())
            >
                {name}
            </button>
        }
    };
    view! {
        <RowMenu title=menu />
        {choices(row.state).iter().map(button).collect_view()}
        <a class="button small bare" href=details aria-label=label>{texts.details()}</a>
    }
    .into_any()
}
