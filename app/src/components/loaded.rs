//! What is shown of something read from the server: the thing, or why it cannot be seen.

use crate::{calls::Refused, words::refusal::sentence};
use leptos::{either::Either, prelude::*};

/// Shows what was read. `children` is called once, with a signal that follows later readings: nothing flashes, nothing moves.
#[component]
pub fn Loaded<T, V, F>(
    /// What is read, see [`crate::live::follow`].
    from: Resource<Result<T, Refused>>,
    /// The view of it.
    children: F,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Signal<T>) -> V + Clone + Send + Sync + 'static,
{
    view! {
        <Transition fallback=|| ()>
            {move || {
                let children = children.clone();
                let first = untrack(move || from.into_future());
                Suspend::new(async move { shown(from, first.await, children) })
            }}
        </Transition>
    }
}

/// The view of the first reading and of all that follow it.
fn shown<T, V, F>(from: Resource<Result<T, Refused>>, first: Result<T, Refused>, children: F) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Signal<T>) -> V + Send + Sync + 'static,
{
    let (value, refused) = match first {
        Ok(value) => (Some(value), None),
        Err(refused) => (None, Some(refused)),
    };
    let value = RwSignal::new(value);
    let refused = RwSignal::new(refused);
    Effect::new(move |was: Option<()>| {
        let latest = from.get();
        if was.is_some() {
            match latest {
                Some(Ok(new)) => {
                    value.set(Some(new));
                    refused.set(None);
                }
                Some(Err(new)) => refused.set(Some(new)),
                None => {}
            }
        }
    });
    let is_there = Memo::new(move |_| value.with(Option::is_some));
    move || {
        is_there.track();
        match value.get_untracked() {
            Some(first) => Either::Left(children(latest(value, first)).into_view()),
            None => Either::Right(why_not(refused)),
        }
    }
}

/// The thing from here on: it is replaced by later readings, never taken away.
fn latest<T: Clone + Send + Sync + 'static>(value: RwSignal<Option<T>>, first: T) -> Signal<T> {
    let latest = RwSignal::new(first);
    Effect::new(move |was: Option<()>| {
        let new = value.get();
        if let (Some(()), Some(new)) = (was, new) {
            latest.set(new);
        }
    });
    latest.into()
}

fn why_not(refused: RwSignal<Option<Refused>>) -> impl IntoView {
    let language = crate::words::language();
    view! {
        <p class="alert" role="alert">
            {move || refused.with(|refused| refused.as_ref().map(|Refused(why)| sentence(language, why)))}
        </p>
    }
}
