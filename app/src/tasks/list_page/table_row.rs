//! One task as a row of a table.

use crate::{
    live::live,
    tasks::{
        actions::actions,
        list_page::{bulk::SelectBox, list_fns::act_value},
        move_form::{MoveLink, can_move},
        target::{target_page, title_of},
    },
    ui::{
        shortcut::single_key,
        table::{address::ListAddress, row_menu::RowMenu},
        time::date_time::{DateTime, Relative},
    },
};
use domain::{Kind, State, lateness::ON_TIME_MS, task::TaskRow as Row};
use leptos::prelude::*;
use texts::{language, reason, tasks::TaskTexts, time};

/// Id of the form that the buttons of all rows belong to.
pub const ROW_FORM: &str = "row-actions";

/// One task: title, state, time, owner and actions.
#[component]
pub fn TaskTableRow(
    /// The task.
    row: Row,
    /// The URL of the list.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let (edit, title) = (target_page(&row), title_of(language(), &row));
    let is_open_yet = matches!(row.state, State::Scheduled | State::Failed | State::Missed);
    let select = (row.may_change && is_open_yet)
        .then(|| view! { <SelectBox id=row.id.to_string() title=title.clone() /> });
    let (state_row, time_row, action_row) = (row.clone(), row.clone(), row.clone());
    view! {
        <tr class="list-row" id=format!("task-{}", row.id) data-edit=edit>
            <th scope="row" class="main">
                {select}
                <a class="title" dir="auto" href=format!("/tasks/{}", row.id)>{title}</a>
                {why.map(|why| view! { <p class="meta">{why}</p> })}
                {row.has_newer_revision.then(|| view! { <p class="meta">{texts.newer_revision_hint()}</p> })}
            </th>
            <td class="state"><StateMark row=state_row /></td>
            <td class="when"><TaskTime row=time_row /></td>
            <td class="owner" dir="auto">{row.owner}</td>
            <td class="actions"><RowActions row=action_row address=address /></td>
        </tr>
    }
}

/// State as shape and word; with the kind where the word does not contain it.
#[component]
fn StateMark(row: Row) -> impl IntoView {
    let (now, texts, kind) = (live().now(), TaskTexts::here(), row.kind);
    let has_kind = kind != Kind::ArticlePublish && row.state != State::Executed;
    let phase = Memo::new(move |_| row.phase(now.get()));
    let word = move || {
        let word = texts.phase(phase.get(), kind);
        if has_kind { format!("{word} · {}", texts.kind(kind)) } else { word.to_owned() }
    };
    view! { <span class="phase state-mark" data-phase=move || phase.get().as_str()>{word}</span> }
}

/// Due time with the remaining time; execution time and lateness; else only the due time.
#[component]
pub fn TaskTime(
    /// The task.
    row: Row,
) -> impl IntoView {
    match (row.state, row.executed) {
        (_, Some(executed)) => {
            let lateness = executed.at.since(row.due.at);
            let is_late = lateness > ON_TIME_MS;
            let lateness = time::measured(language(), lateness);
            view! { <DateTime at=executed />" "<span class="lateness" class:late=is_late>"+"{lateness}</span> }
                .into_any()
        }
        (State::Scheduled, None) => view! { <DateTime at=row.due />" "<Relative at=row.due.at /> }.into_any(),
        _ => view! { <DateTime at=row.due /> }.into_any(),
    }
}

/// The buttons of a task. On touch they are a menu.
#[component]
pub fn RowActions(
    /// The task.
    row: Row,
    /// The URL of the list.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let buttons = actions(&row, texts);
    let is_empty = !row.may_change || buttons.is_empty();
    let title = title_of(language(), &row);
    (!is_empty).then(move || {
        let buttons = buttons.into_iter().map(|action| {
            view! {
                <button
                    class="button small"
                    type="submit"
                    form=ROW_FORM
                    name="act"
                    value=act_value(&row, action.what)
                    aria-label=format!("{} – {title}", action.label)
                    aria-keyshortcuts=action.key().and_then(single_key)
                >
                    {action.label}
                </button>
            }
        });
        view! {
            <RowMenu title=title.clone() />
            {buttons.collect_view()}
            {can_move(&row).then(|| view! { <MoveLink row=row.clone() address=address /> })}
        }
    })
}
