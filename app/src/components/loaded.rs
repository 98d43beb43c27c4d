//! What is shown of something read from the server: the thing, or why it cannot be seen.

use super::pause::Pause;
use crate::{calls::Refused, form::LogInLink, words::refusal::sentence};
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
            let value = ArcRwSignal::new(first);
            let latest = value.clone();
            keep_up(from, move |new| {
                if let Ok(new) = new {
                    latest.set(new);
                }
            });
            children(value.into())
        }
        Err(refused) => later(from, refused, children),
    }
}

/// Why it cannot be seen, until a later reading shows it. What is shown then is replaced by later readings, never taken away.
fn later<T>(from: Resource<Result<T, Refused>>, refused: Refused, children: Children<T>) -> AnyView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    let value = RwSignal::new(None::<ArcRwSignal<T>>);
    let refused = RwSignal::new(Some(refused));
    keep_up(from, move |new| match (new, value.get_untracked()) {
        (Ok(new), Some(value)) => value.set(new),
        (Ok(new), None) => value.set(Some(ArcRwSignal::new(new))),
        (Err(why), _) => refused.set(Some(why)),
    });
    let seen = move || match value.get() {
        Some(value) => children(value.into()),
        None => why_not(refused).into_any(),
    };
    seen.into_any()
}

/// Hands on each later reading. One that never got to the desk is made again: the stream may have come through, and then
/// nothing else would ask for it.
fn keep_up<T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static>(
    from: Resource<Result<T, Refused>>,
    take: impl Fn(Result<T, Refused>) + 'static,
) {
    let again = Pause::new();
    Effect::new(move |was: Option<()>| {
        let latest = from.get();
        if matches!(&latest, Some(Err(Refused(Refusal::Unavailable)))) {
            again.then(AGAIN_AFTER_MS, move || from.refetch());
        }
        if let (Some(()), Some(latest)) = (was, latest) {
            take(latest);
        }
    });
}

fn why_not(refused: RwSignal<Option<Refused>>) -> impl IntoView {
    let language = crate::words::language();
    view! {
        <p class="alert" role="alert">
            {move || refused.get().map(|Refused(why)| view! { {sentence(language, &why)} <LogInLink refusal=why /> })}
        </p>
    }
}
