//! Keeps a form with its input while what it is about changes.

use leptos::{html, prelude::*};

/// Whether a form that opens in place is open or has input. Created outside of the view that is replaced
/// with each change. Cheap to copy.
#[derive(Clone, Copy)]
pub struct FormUse {
    is_open: RwSignal<bool>,
    is_typed: RwSignal<bool>,
}

impl Default for FormUse {
    fn default() -> Self {
        Self { is_open: RwSignal::new(false), is_typed: RwSignal::new(false) }
    }
}

impl FormUse {
    /// Follows the latest value, but keeps the last one while the form is in use.
    pub fn hold<T>(self, latest: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
    where
        T: Clone + PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |last: Option<&T>| match last {
            Some(last) if self.is_open.get() || self.is_typed.get() => last.clone(),
            _ => latest(),
        })
    }

    /// Whether it is open.
    #[must_use]
    pub fn is_open(self) -> RwSignal<bool> {
        self.is_open
    }

    /// Lets the form follow again after it was submitted. Called after the effects of the form: it may be
    /// replaced.
    pub fn release_when(self, is_done: impl Fn() -> bool + 'static) {
        Effect::new(move |_| {
            if is_done() {
                self.is_open.set(false);
                self.is_typed.set(false);
            }
        });
    }
}

/// A form that opens in place, and is held while it is in use. Another one that opens closes it.
#[component]
pub fn InPlace(
    /// Whether it is in use.
    in_use: FormUse,
    /// Whether it is open at first.
    is_open: bool,
    /// Content of the button that opens it.
    summary: AnyView,
    /// The form.
    children: Children,
) -> impl IntoView {
    let details = NodeRef::<html::Details>::new();
    // It may have been opened before the scripts of the page ran.
    Effect::new(move |_| {
        if details.get().is_some_and(|details| details.open()) {
            in_use.is_open.set(true);
        }
    });
    let toggle = move |_| in_use.is_open.set(details.get_untracked().is_some_and(|details| details.open()));
    let typed = move |_| in_use.is_typed.set(true);
    view! {
        <details class="open-in-place" name="in-place" open=is_open node_ref=details on:toggle=toggle on:input=typed>
            <summary class="button small">{summary}</summary>
            {children()}
        </details>
    }
}
