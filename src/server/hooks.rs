//! What features do for features that do not know them, one function for each.

use super::kinds::KINDS;
use crate::{
    app_state::{AppState, HookFuture, Hooks},
    articles::review::{
        unreviewed_items,
        workflow::{self, links},
    },
    meetings,
};
use domain::{Actor, Timestamp};
use futures::future::BoxFuture;
use store::{StoreError, Tx, execute::SideEffects, owner_tasks::CancelledMeeting, task_list::TaskListRow};

/// The hooks of this release.
pub static HOOKS: Hooks =
    Hooks { kinds: KINDS, follow_schedules, check_texts, may_read_file, follow_cancelled };

fn follow_schedules<'a>(
    parts: &'a AppState,
    actor: &'a Actor,
    tasks: &'a [&'a TaskListRow],
) -> BoxFuture<'a, ()> {
    Box::pin(workflow::follow_schedules(parts, actor, tasks))
}

fn check_texts<'a>(parts: &'a AppState, texts: &'a [&'a str]) -> HookFuture<'a, ()> {
    Box::pin(unreviewed_items::check(parts, texts))
}

fn may_read_file<'a>(parts: &'a AppState, secret: &'a str, hash: &'a str) -> HookFuture<'a, bool> {
    Box::pin(links::may_read_file(parts, secret, hash))
}

fn follow_cancelled<'a>(
    tx: &'a mut Tx,
    cancelled: &'a [CancelledMeeting],
    bucket: u16,
    at: Timestamp,
) -> HookFuture<'a, SideEffects, StoreError> {
    Box::pin(meetings::follow_cancelled(tx, cancelled, (bucket, at)))
}
