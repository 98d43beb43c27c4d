//! One task in a list.

use crate::{
    tasks::{
        actions::TaskActions,
        list_page::table_row::TaskTime,
        move_form::{MoveInPlace, MoveLink, OpenMoveForm, can_move, move_form_of},
        phase::PhaseMark,
        result::announce_change,
        server_fns::MoveTask,
        target::title_of,
    },
    ui::{
        icon::Icon,
        table::{
            address::{ListAddress, MOVE},
            entries::{Entry, entries},
            row_menu::RowMenu,
        },
    },
};
use domain::{State, task::TaskRow as Row};
use leptos::{either::Either, prelude::*};
use texts::{language, reason, tasks::TaskTexts};

/// Key of a row. A row with an equal key keeps its element, focus and input.
#[must_use]
pub fn key(row: &Row) -> (domain::TaskId, domain::Version, State, [bool; 2]) {
    (row.id, row.version, row.state, [row.undo.is_some(), row.has_newer_revision])
}

/// A list of tasks, with the form that the URL opens below one of them.
#[component]
pub fn TaskList<F: Fn() -> Vec<Row> + Send + Sync + 'static>(
    /// The tasks.
    rows: F,
) -> impl IntoView {
    let address = ListAddress::here();
    let rows = entries(rows, (address, MOVE), |row: &Row| row.id, move_form_of);
    let entry = move |entry| match entry {
        Entry::Row(row) => Either::Left(view! { <TaskRow row=row address=address /> }),
        Entry::Form(_, task) => {
            Either::Right(view! { <li class="form-row"><OpenMoveForm row=task address=address /></li> })
        }
    };
    view! { <ul class="task-list"><For each=move || rows.get() key=|entry| entry.key(key) children=entry /></ul> }
}

/// One task in a list: state, title, time and actions.
#[component]
fn TaskRow(row: Row, address: Memo<ListAddress>) -> impl IntoView {
    let texts = TaskTexts::here();
    let (href, title) = (format!("/tasks/{}", row.id), title_of(language(), &row));
    let why = row.reason.as_deref().map(|why| reason::sentence(language(), why));
    let can_move = can_move(&row);
    let (actions_row, move_row) = (row.clone(), row.clone());
    view! {
        <li class="task-row" id=format!("task-{}", row.id)>
            <PhaseMark row=row.clone() />
            <div class="what">
                <a class="title" dir="auto" href=href>{title.clone()}</a>
                <p class="meta">
                    <span>{texts.kind(row.kind)}</span>
                    <TaskTime row=row.clone() />
                    <bdi>{row.owner.clone()}</bdi>
                </p>
                {why.map(|why| view! { <p class="meta single-cause">{why}</p> })}
                {row.has_newer_revision.then(|| view! { <p class="meta">{texts.newer_revision_hint()}</p> })}
            </div>
            <div class="actions">
                <RowMenu title=title />
                <TaskActions row=actions_row />
                {can_move.then(|| view! { <MoveLink row=move_row address=address /> })}
            </div>
        </li>
    }
}

/// The form that reschedules it. Its result offers the undo.
#[component]
pub fn MoveRow(
    /// The task.
    row: Row,
) -> impl IntoView {
    let texts = TaskTexts::here();
    let action = ServerAction::<MoveTask>::new();
    announce_change(action);
    let label = texts.reschedule_of(title_of(language(), &row));
    let name = format!("when-{}", row.id);
    view! {
        <MoveInPlace row=row action=action name=name label=label class="button bare small">
            <Icon name="move" />{texts.reschedule()}
        </MoveInPlace>
    }
}
