//! Actions on a task by its state: one form with a button each.

use crate::{
    tasks::{
        result::{LaterUndo, announce_change},
        server_fns::ChangeTask,
        target::title_of,
    },
    ui::{form::Form, icon::Icon},
};
use domain::{
    Kind, State,
    task::{TaskRow, reason::NOT_APPROVED},
};
use leptos::prelude::*;
use texts::{language, tasks::TaskTexts};

/// One action.
#[derive(Clone, Copy)]
pub struct TaskAction {
    /// Value in the form.
    pub what: &'static str,
    icon: &'static str,
    /// Text of the button.
    pub label: &'static str,
    class: &'static str,
}

impl TaskAction {
    /// The key of the action in lists; `None`: it has none.
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self.what {
            "publish_now" | "retry" => Some("p"),
            "cancel" => Some("x"),
            _ => None,
        }
    }
}

/// Returns the actions available in the state of a task.
#[must_use]
pub fn actions(row: &TaskRow, texts: TaskTexts) -> Vec<TaskAction> {
    let label = if row.has_newer_revision { texts.publish_scheduled() } else { texts.run_now(row.kind) };
    let now = TaskAction { what: "publish_now", icon: "now", label, class: "button small" };
    let replace =
        TaskAction { what: "replace_revision", icon: "retry", label: texts.use_current_text(), ..now };
    let cancel = TaskAction {
        what: "cancel",
        icon: "cancelled",
        label: texts.cancel_of(row.kind),
        class: "button small",
    };
    let drop = TaskAction { label: texts.dismiss(), ..cancel };
    // Nothing public is taken down by another word than this.
    let retry_label = if row.kind == Kind::ArticleUnpublish { texts.unpublish_now() } else { texts.retry() };
    let retry = TaskAction { what: "retry", icon: "retry", label: retry_label, class: "button small" };
    match row.state {
        State::Scheduled if row.has_newer_revision => vec![now, replace, cancel],
        State::Scheduled => vec![now, cancel],
        // Only an approval executes it.
        State::Failed | State::Missed if row.reason.as_deref() == Some(NOT_APPROVED) => vec![drop],
        State::Failed => vec![retry, drop],
        State::Missed => vec![TaskAction { what: "retry", ..now }, drop],
        State::Executed | State::Cancelled => Vec::new(),
    }
}

/// The buttons. Hidden if the user may not change the task.
#[component]
pub fn TaskActions(
    /// The task.
    row: TaskRow,
    /// Whether undo is shown as long as it is possible.
    #[prop(optional)]
    keeps_undo: bool,
) -> impl IntoView {
    // Most executed tasks have no actions: their rows need no form.
    let has_any = !actions(&row, TaskTexts::here()).is_empty() || (keeps_undo && row.undo.is_some());
    (row.may_change && has_any).then(move || view! { <Buttons row=row keeps_undo=keeps_undo /> })
}

#[component]
fn Buttons(row: TaskRow, keeps_undo: bool) -> impl IntoView {
    let texts = TaskTexts::here();
    let action = ServerAction::<ChangeTask>::new();
    announce_change(action);
    let (id, seen, title) = (row.id.to_string(), row.version.0, title_of(language(), &row));
    let buttons = actions(&row, texts);
    view! {
        <Form action=action about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=seen />
            {buttons.into_iter().enumerate().map(|(place, action_button)| view! {
                <button class=action_button.class class:main=keeps_undo && place == 0 type="submit" name="what" value=action_button.what
                    aria-label=format!("{} – {title}", action_button.label)>
                    <Icon name=action_button.icon />
                    {action_button.label}
                </button>
            }).collect_view()}
        </Form>
        {keeps_undo.then(|| view! { <LaterUndo row=row /> })}
    }
}
