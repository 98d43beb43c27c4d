//! What is shown of something read from the server: the thing, or why it cannot be seen.

use super::pause::Pause;
use crate::{calls::Refused, words::refusal::sentence};
use domain::Refusal;
use leptos::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// How long after a reading that never got to the desk it is made again, in milliseconds.
const AGAIN_AFTER_MS: u64 = 1_000;

type Children<T> = Arc<dyn Fn(Signal<T>) -> AnyView + Send + Sync>;

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
    // From here on all views are of one type: what follows is in the wasm once for each thing that is read.
    let children: Children<T> = Arc::new(move |value| children(value).into_any());
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
fn shown<T>(from: Resource<Result<T, Refused>>, first: Result<T, Refused>, children: Children<T>) -> AnyView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    // What is there at once stands outside of any closure: the server calls a closure twice, and everything that is read
    // inside of it would get another number there than in the browser.
    match first {
        Ok(first) => {
            let value = RwSignal::new(Some(first.clone()));
            keep_up(from, value, RwSignal::new(None));
            children(latest(value, first))
        }
        Err(refused) => later(from, refused, children),
    }
}

/// Why it cannot be seen, until a later reading shows it.
fn later<T>(from: Resource<Result<T, Refused>>, refused: Refused, children: Children<T>) -> AnyView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    let value = RwSignal::new(None);
    let refused = RwSignal::new(Some(refused));
    keep_up(from, value, refused);
    let is_there = Memo::new(move |_| value.with(Option::is_some));
    let seen = move || {
        // Read, not only tracked: a memo that nobody reads never looks at what it depends on.
        match is_there.get().then(|| value.get_untracked()).flatten() {
            Some(first) => children(latest(value, first)),
            None => why_not(refused).into_any(),
        }
    };
    seen.into_any()
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
