//! What is shown of something read from the server: the thing, or why it cannot be seen.

use super::pause::Pause;
use crate::{calls::Refused, words::refusal::sentence};
use domain::Refusal;
use leptos::{either::Either, prelude::*};
use serde::{Serialize, de::DeserializeOwned};

/// How long after a reading that never got to the desk it is made again, in milliseconds.
const AGAIN_AFTER_MS: u64 = 1_000;

/// Shows what was read. `children` is called once, with a signal that follows later readings: nothing flashes, nothing moves.
#[component]
pub fn Loaded<T, V, F>(
    /// What is read, see [`crate::live::follow`].
    from: Resource<Result<T, Refused>>,
    /// The view of it.
    children: F,
) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Signal<T>) -> V + Clone + Send + Sync + 'static,
{
    view! {
        <Transition fallback=|| ()>
            {move || {
                let children = children.clone();
                // Untracked: else each later reading takes the page away from under its effects, to make it anew.
                untrack(move || Suspend::new(async move { shown(from, from.await, children) }))
            }}
        </Transition>
    }
}

/// The view of the first reading and of all that follow it.
fn shown<T, V, F>(from: Resource<Result<T, Refused>>, first: Result<T, Refused>, children: F) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Signal<T>) -> V + Send + Sync + 'static,
{
    // What is there at once stands outside of any closure: the server calls a closure twice, and everything that is read
    // inside of it would get another number there than in the browser.
    match first {
        Ok(first) => {
            let value = RwSignal::new(Some(first.clone()));
            keep_up(from, value, RwSignal::new(None));
            Either::Left(children(latest(value, first)).into_view())
        }
        Err(refused) => Either::Right(later(from, refused, children)),
    }
}

/// Why it cannot be seen, until a later reading shows it.
fn later<T, V, F>(from: Resource<Result<T, Refused>>, refused: Refused, children: F) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Signal<T>) -> V + Send + Sync + 'static,
{
    let value = RwSignal::new(None);
    let refused = RwSignal::new(Some(refused));
    keep_up(from, value, refused);
    let is_there = Memo::new(move |_| value.with(Option::is_some));
    move || {
        // Read, not only tracked: a memo that nobody reads never looks at what it depends on.
        match is_there.get().then(|| value.get_untracked()).flatten() {
            Some(first) => Either::Left(children(latest(value, first)).into_view()),
            None => Either::Right(why_not(refused)),
        }
    }
}

/// Takes over each later reading. One that is refused leaves what stands there; one that never got to the desk is made again:
/// the stream may have come through, and then nothing else would ask for it.
fn keep_up<T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static>(
    from: Resource<Result<T, Refused>>,
    value: RwSignal<Option<T>>,
    refused: RwSignal<Option<Refused>>,
) {
    let again = Pause::new();
    Effect::new(move |was: Option<()>| {
        let latest = from.get();
        if matches!(&latest, Some(Err(Refused(Refusal::Unavailable)))) {
            again.then(AGAIN_AFTER_MS, move || from.refetch());
        }
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
}

/// The thing from here on: it is replaced by later readings, never taken away.
fn latest<T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static>(
    value: RwSignal<Option<T>>,
    first: T,
) -> Signal<T> {
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
