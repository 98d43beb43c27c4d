//! What can be done to a task, by its state: one form, a button each.

use super::{icon::Icon, toast};
use crate::{calls::tasks::ChangeTask, form::Form, live::live, words::task::TaskWords};
use domain::{State, task::TaskRow};
use leptos::prelude::*;

/// One thing that can be done.
#[derive(Clone, Copy)]
struct Act {
    /// Word of the form.
    what: &'static str,
    icon: &'static str,
    label: &'static str,
    class: &'static str,
}

/// What can be done at once to a task in this state.
fn acts(row: &TaskRow, words: TaskWords) -> Vec<Act> {
    let now = Act { what: "publish_now", icon: "now", label: words.at_once(row.kind), class: "button small" };
    let cancel = Act { what: "cancel", icon: "cancelled", label: words.cancel(), class: "button small" };
    let drop = Act { label: words.drop(), ..cancel };
    let retry = Act { what: "retry", icon: "retry", label: words.retry(), class: "button small" };
    match row.state {
        State::Scheduled => vec![now, cancel],
        State::Failed => vec![retry, drop],
        State::Missed => vec![Act { what: "retry", ..now }, drop],
        State::Executed | State::Cancelled => Vec::new(),
    }
}

/// The buttons. Not for somebody who may not change the task. Undo stands among them while it is offered.
#[component]
pub fn TaskActs(
    /// The task.
    row: TaskRow,
    /// Whether undo stands here until the moment has passed, not only for ten seconds.
    #[prop(optional)]
    keeps_undo: bool,
) -> impl IntoView {
    // Nothing can be done to most of what went out: a list of it need not carry a form in each row.
    let has_any = !acts(&row, TaskWords::here()).is_empty() || row.undo.is_some();
    (row.may_change && has_any).then(move || view! { <Buttons row=row keeps_undo=keeps_undo /> })
}

#[component]
fn Buttons(row: TaskRow, keeps_undo: bool) -> impl IntoView {
    let words = TaskWords::here();
    let action = ServerAction::<ChangeTask>::new();
    toast::offer(action);
    let (id, seen, title) = (row.id.to_string(), row.version.0, row.title.clone());
    let buttons = acts(&row, words);
    let undo = row.undo.clone();
    let label = undo.as_ref().map(|undo| words.undo_of(&undo.verb));
    let now = live().now();
    let has_undo = Memo::new(move |_| {
        undo.as_ref().is_some_and(|undo| match keeps_undo && !toast::is_at_once(undo) {
            true => undo.until > now.get(),
            false => toast::is_offered(undo, now.get()),
        })
    });
    let undo_title = title.clone();
    view! {
        <Form action=action about=id.clone() class="tight">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=seen />
            {buttons.into_iter().map(|act| view! {
                <button class=act.class type="submit" name="what" value=act.what
                    aria-label=format!("{} – {title}", act.label)>
                    <Icon name=act.icon />
                    {act.label}
                </button>
            }).collect_view()}
            {move || has_undo.get().then(|| view! {
                <button class="button small" type="submit" name="what" value="undo"
                    aria-label=label.map(|label| format!("{label} – {undo_title}"))>
                    <Icon name="undo" />
                    {label}
                </button>
            })}
        </Form>
    }
}
