//! Actions on a task by its state: one form with a button each.

use crate::{
    live::live,
    tasks::{server_fns::ChangeTask, texts::TaskTexts},
    ui::{form::Form, icon::Icon, toast},
};
use domain::{State, task::TaskRow};
use leptos::prelude::*;

/// One action.
#[derive(Clone, Copy)]
struct TaskAction {
    /// Value in the form.
    what: &'static str,
    icon: &'static str,
    label: &'static str,
    class: &'static str,
}

/// Returns the actions available in the state of a task.
fn actions(row: &TaskRow, texts: TaskTexts) -> Vec<TaskAction> {
    let label = if row.has_newer_revision { texts.publish_scheduled() } else { texts.run_now(row.kind) };
    let now = TaskAction { what: "publish_now", icon: "now", label, class: "button small" };
    let replace =
        TaskAction { what: "replace_revision", icon: "retry", label: texts.use_current_text(), ..now };
    let cancel =
        TaskAction { what: "cancel", icon: "cancelled", label: texts.cancel(), class: "button small" };
    let drop = TaskAction { label: texts.dismiss(), ..cancel };
    let retry = TaskAction { what: "retry", icon: "retry", label: texts.retry(), class: "button small" };
    match row.state {
        State::Scheduled if row.has_newer_revision => vec![now, replace, cancel],
        State::Scheduled => vec![now, cancel],
        State::Failed => vec![retry, drop],
        State::Missed => vec![TaskAction { what: "retry", ..now }, drop],
        State::Executed | State::Cancelled => Vec::new(),
    }
}

/// The buttons, including undo while it is offered. Hidden if the user may not change the task.
#[component]
pub fn TaskActions(
    /// The task.
    row: TaskRow,
    /// Whether undo is shown until it expires, instead of ten seconds.
    #[prop(optional)]
    keeps_undo: bool,
) -> impl IntoView {
    // Most executed tasks have no actions: their rows need no form.
    let has_any = !actions(&row, TaskTexts::here()).is_empty() || row.undo.is_some();
    (row.may_change && has_any).then(move || view! { <Buttons row=row keeps_undo=keeps_undo /> })
}

#[component]
fn Buttons(row: TaskRow, keeps_undo: bool) -> impl IntoView {
    let texts = TaskTexts::here();
    let action = ServerAction::<ChangeTask>::new();
    toast::offer(action);
    let (id, seen, title) = (row.id.to_string(), row.version.0, row.title.clone());
    let buttons = actions(&row, texts);
    let undo = row.undo.clone();
    let label = undo.as_ref().map(|undo| texts.undo_of(&undo.verb));
    let now = live().now();
    let has_undo = Memo::new(move |_| {
        undo.as_ref().is_some_and(|undo| match keeps_undo && !toast::changes_site(undo) {
            true => undo.until > now.get(),
            false => toast::is_offered(undo, now.get()),
        })
    });
    let undo_title = title.clone();
    view! {
        <Form action=action about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=seen />
            {buttons.into_iter().map(|action_button| view! {
                <button class=action_button.class type="submit" name="what" value=action_button.what
                    aria-label=format!("{} – {title}", action_button.label)>
                    <Icon name=action_button.icon />
                    {action_button.label}
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
