//! Results of changes of saved views: the URL of the list names them.

use crate::saved_views::server_fns::{DELETED, SaveView};
use crate::ui::{
    result::{ActionResult, Undo, UndoForm},
    table::address::ListAddress,
};
use domain::accounts::saved_view::ViewedList;
use leptos_router::location::Url;
use server_fn::ServerFn;
use texts::accounts::saved_views::SavedViewTexts;

/// Returns the result that a value of the URL names; `None`: it is about something else.
pub fn of_url(path: &str, done: &str) -> Option<ActionResult> {
    let list: ViewedList = path.trim_start_matches('/').parse().ok()?;
    let texts = SavedViewTexts::here();
    let name = match done {
        "view-saved" => return Some(ActionResult::new(texts.saved())),
        "view-renamed" => return Some(ActionResult::new(texts.renamed())),
        other => other.strip_prefix(DELETED)?,
    };
    let here = leptos::prelude::GetUntracked::get_untracked(&ListAddress::here());
    let query = crate::saved_views::filters(&here);
    let fields = vec![("list", list.as_str().to_owned()), ("name", Url::unescape(name)), ("query", query)];
    let undo = UndoForm { function: SaveView::PATH, fields, label: texts.undo_delete() };
    Some(ActionResult::new(texts.deleted()).with_undo(Undo::Form(undo)))
}
