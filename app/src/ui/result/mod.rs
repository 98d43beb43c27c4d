//! The result of an action: a sentence, its undo and a link. Every action of the product passes its
//! result to [`announce`]; the layout shows the last one, see [`crate::shell::result_bar`].

pub mod flash;
pub mod view;
pub mod words;

use crate::{live::focus_page, server_fns::Refused};
use domain::{MeetingId, TaskId, calendar::SlotGap, meetings::MeetingRow, task::TaskRow};
use leptos::{
    html, leptos_dom::helpers::set_timeout, prelude::*, reactive::owner::WeakOwner,
    tachys::html::node_ref::NodeRefContainer,
};
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use words::result_words;

/// How long the response to a form that is gone is waited for.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);

/// The result of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionResult {
    /// What was done.
    pub sentence: String,
    /// Whether a part of it was not done.
    pub is_warning: bool,
    /// Where to see it.
    pub link: Option<ResultLink>,
    /// How to undo it.
    pub undo: Option<Undo>,
    /// The posting slot that it left empty before others, if that is known already.
    pub gap: Option<SlotGap>,
    /// The task that it starts: once that is done, its result is shown instead.
    pub started: Option<Box<TaskRow>>,
}

/// A link to what was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultLink {
    /// URL on this server.
    pub href: String,
    /// Its text.
    pub label: &'static str,
    /// Whether it leads out of the desk.
    pub is_external: bool,
}

/// How an action is undone.
#[derive(Debug, Clone, PartialEq)]
pub enum Undo {
    /// The last change of a task, see [`domain::task::UndoOffer`].
    Task(Box<TaskRow>),
    /// The last change of a meeting.
    Meeting(Box<MeetingRow>),
    /// A plain form of a server function.
    Form(UndoForm),
}

/// A form that undoes an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoForm {
    /// URL of the server function.
    pub function: &'static str,
    /// Its fields.
    pub fields: Vec<(&'static str, String)>,
    /// Label of the button.
    pub label: &'static str,
}

impl ActionResult {
    /// A result without link and undo.
    #[must_use]
    pub fn new(sentence: impl Into<String>) -> Self {
        Self {
            sentence: sentence.into(),
            is_warning: false,
            link: None,
            undo: None,
            gap: None,
            started: None,
        }
    }

    /// Adds a link to a page of the desk.
    #[must_use]
    pub fn with_link(self, href: impl Into<String>, label: &'static str) -> Self {
        Self { link: Some(ResultLink { href: href.into(), label, is_external: false }), ..self }
    }

    /// Adds the undo.
    #[must_use]
    pub fn with_undo(self, undo: Undo) -> Self {
        Self { undo: Some(undo), ..self }
    }
}

/// The last result, and what takes the focus after it: the item of the calendar that it is about, or
/// the list item after the changed one.
#[derive(Clone, Copy)]
pub struct LastResult {
    /// The result shown now.
    pub shown: RwSignal<Option<ActionResult>>,
    /// Whether the result with which the page was loaded is over.
    pub is_page_over: RwSignal<bool>,
    next: NodeRef<html::Li>,
    item: StoredValue<Option<String>>,
    app: StoredValue<Option<WeakOwner>>,
}

/// Provides the last result. Called once, by the app.
pub fn provide() {
    let last = LastResult {
        shown: RwSignal::new(None),
        is_page_over: RwSignal::new(false),
        next: NodeRef::new(),
        item: StoredValue::new(None),
        app: StoredValue::new(Owner::current().map(|owner| owner.downgrade())),
    };
    provide_context(last);
    // A live update may remove the row before the response arrives.
    Effect::new(move |_| {
        let handle = window_event_listener_untyped("submit", move |_| last.remember_row());
        on_cleanup(move || handle.remove());
    });
}

/// Returns the last result of this page.
#[must_use]
pub fn last_result() -> LastResult {
    use_context::<LastResult>().unwrap_or_else(|| {
        provide();
        expect_context::<LastResult>()
    })
}

/// Shows each success of this action. A live update may remove the form before its response arrives;
/// the result is shown nevertheless.
pub fn announce<F>(action: ServerAction<F>, describe: impl Fn(F::Output) -> ActionResult + 'static)
where
    F: server_fn::ServerFn<Error = Refused> + Clone + Send + Sync + 'static,
    F::Output: Clone + Send + Sync + 'static,
{
    let last = last_result();
    let follow = move || {
        let value = action.value();
        Effect::new(move |_| {
            if let Some(Ok(output)) = value.get() {
                last.show(describe(output));
            }
        });
        action.pending()
    };
    let app = last.app.with_value(|app| app.as_ref().and_then(WeakOwner::upgrade));
    let Some(app) = app.filter(|_| cfg!(not(feature = "ssr"))) else {
        follow();
        return;
    };
    let owner = app.child();
    let is_pending = owner.with(follow);
    on_cleanup(move || {
        if is_pending.try_get_untracked() == Some(true) {
            set_timeout(move || drop(owner), RESPONSE_TIMEOUT);
        }
    });
}

/// Selector of the link of an item of the calendar; while it is behind a number of items, of that number.
#[must_use]
pub fn item_selector(key: &str) -> String {
    format!(
        "[data-item=\"{key}\"] > a:not(details:not([open]) *), [data-holds~=\"{key}\"] > a, \
         [data-holds~=\"{key}\"] > details:not([open]) > summary"
    )
}

impl LastResult {
    /// Remembers the row in which the user acts.
    fn remember_row(self) {
        let pressed =
            document().active_element().and_then(|pressed| pressed.closest("li, tr").ok().flatten());
        if let Some(row) = pressed {
            self.item.set_value(row.get_attribute("data-item"));
            if let Some(next) = row.next_element_sibling().or_else(|| row.previous_element_sibling()) {
                self.next.load(&next);
            }
        }
    }

    /// Shows a result.
    pub fn show(self, result: ActionResult) {
        self.remember_row();
        self.is_page_over.set(true);
        self.shown.set(Some(result));
    }

    /// Shows a result about the item of the calendar with this name.
    pub fn show_about(self, item: String, result: ActionResult) {
        self.show(result);
        self.item.set_value(Some(item));
    }

    /// Name of the item of the calendar that the result is about.
    #[must_use]
    pub fn item(self) -> Option<String> {
        self.item.get_value()
    }

    /// The list item after the changed one.
    #[must_use]
    pub fn next(self) -> Option<Element> {
        self.next.get_untracked().filter(|next| next.is_connected()).map(JsCast::unchecked_into)
    }

    /// Closes the result `bar`. If it had the focus, the focus moves to the item of the calendar that
    /// was changed, to the next list item, or to `main`.
    pub fn close(self, bar: NodeRef<html::Div>, main: NodeRef<html::Main>) {
        let focused = document().active_element();
        let is_inside = bar.get_untracked().is_some_and(|bar| bar.contains(focused.as_deref()));
        self.is_page_over.set(true);
        self.shown.set(None);
        if is_inside {
            let item = self.item().map(|item| item_selector(&item));
            let item = item.and_then(|item| document().query_selector(&item).ok().flatten());
            let next = || self.next().and_then(|next| next.query_selector("a").ok().flatten());
            let link = item.or_else(next).and_then(|link| link.dyn_into::<HtmlElement>().ok());
            match link {
                Some(link) => _ = link.focus(),
                None => focus_page(main),
            }
        }
    }

    /// Whether the undo of this task is shown as the last result.
    pub fn offers_undo_of(self, id: TaskId) -> impl Fn() -> bool + Send + Sync + 'static {
        let words = result_words();
        move || self.is_undo_of(id, words.with(|words| words.get("changed")))
    }

    /// Whether the undo of this meeting is shown as the last result.
    pub fn offers_undo_of_meeting(self, id: MeetingId) -> impl Fn() -> bool + Send + Sync + 'static {
        let (words, suffix) = (result_words(), format!(".{id}"));
        move || {
            let is_shown = self.shown.with(|shown| {
                let undo = shown.as_ref().and_then(|shown| shown.undo.as_ref());
                matches!(undo, Some(Undo::Meeting(row)) if row.id == id)
            });
            let named = words.with(|words| words.get("meeting"));
            is_shown || (!self.is_page_over.get() && named.is_some_and(|value| value.ends_with(&suffix)))
        }
    }

    fn is_undo_of(self, id: TaskId, named: Option<String>) -> bool {
        let is_shown = self.shown.with(|shown| match shown.as_ref().and_then(|shown| shown.undo.as_ref()) {
            Some(Undo::Task(row)) => row.id == id,
            _ => false,
        });
        is_shown || (!self.is_page_over.get() && named == Some(id.to_string()))
    }
}
