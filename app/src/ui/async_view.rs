//! Shows the result of a resource: the value, or the error.

use crate::{
    server_fns::Refused,
    ui::{debounce::Debounce, form::LogInLink, table::address::ListAddress},
};
use domain::{DomainError, error::ValidationError, text::slice_text};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;
use texts::{layout::LayoutTexts, refusal::sentence};

/// Delay before a request that did not reach the server is repeated, in milliseconds.
const REFETCH_AFTER_MS: u64 = 1_000;

type Children<T> = Arc<dyn Fn(Signal<T>) -> AnyView + Send + Sync>;

/// Shows a loaded value. `children` is called once, with a signal that follows later responses, so
/// that the view is updated in place.
#[component]
pub fn AsyncView<T, V, F>(
    /// The resource, see [`crate::live::live_resource`].
    from: Resource<Result<T, Refused>>,
    /// View of the value.
    children: F,
) -> impl IntoView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
    F: Fn(Signal<T>) -> V + Clone + Send + Sync + 'static,
{
    // Type-erased: the code below is in the wasm once for each type of value.
    let children: Children<T> = Arc::new(move |value| children(value).into_any());
    view! {
        <Transition fallback=|| ()>
            {move || {
                let children = children.clone();
                // Untracked: otherwise each later response would replace the whole view.
                untrack(move || Suspend::new(async move { first_view(from, from.await, children) }))
            }}
        </Transition>
    }
}

/// View of the first response and of all later ones.
fn first_view<T>(
    from: Resource<Result<T, Refused>>,
    first: Result<T, Refused>,
    children: Children<T>,
) -> AnyView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    // Rendered outside of a closure. The server calls a closure twice, so resources inside it would
    // get different ids than in the browser.
    match first {
        Ok(first) => {
            let value = ArcRwSignal::new(first);
            let latest = value.clone();
            update_on_refetch(from, move |new| {
                if let Ok(new) = new {
                    latest.set(new);
                }
            });
            children(value.into())
        }
        Err(refused) => view_after_error(from, refused, children),
    }
}

/// Shows the error until a later response succeeds. After that, errors no longer replace the value.
fn view_after_error<T>(from: Resource<Result<T, Refused>>, refused: Refused, children: Children<T>) -> AnyView
where
    T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    let value = RwSignal::new(None::<ArcRwSignal<T>>);
    let refused = RwSignal::new(Some(refused));
    update_on_refetch(from, move |new| match (new, value.get_untracked()) {
        (Ok(new), Some(value)) => value.set(new),
        (Ok(new), None) => value.set(Some(ArcRwSignal::new(new))),
        (Err(why), _) => refused.set(Some(why)),
    });
    let seen = move || match value.get() {
        Some(value) => children(value.into()),
        None => error_view(refused).into_any(),
    };
    seen.into_any()
}

/// Passes on each later response. A request that did not reach the server is repeated, because the
/// event stream may not trigger another one.
fn update_on_refetch<T: Clone + Serialize + DeserializeOwned + Send + Sync + 'static>(
    from: Resource<Result<T, Refused>>,
    on_response: impl Fn(Result<T, Refused>) + 'static,
) {
    let retry = Debounce::new();
    Effect::new(move |was: Option<()>| {
        let latest = from.get();
        if matches!(&latest, Some(Err(Refused(DomainError::Unavailable)))) {
            retry.schedule(REFETCH_AFTER_MS, move || from.refetch());
        }
        if let (Some(()), Some(latest)) = (was, latest) {
            on_response(latest);
        }
    });
}

fn error_view(refused: RwSignal<Option<Refused>>) -> impl IntoView {
    let language = texts::language();
    view! {
        <p class="alert" role="alert">
            {move || refused.get().map(|Refused(why)| view! { {sentence(language, &why)} {start_link(&why)} {list_link(&why)} <LogInLink refusal=why /> })}
        </p>
    }
}

/// Link to the list, if the page is about something that does not exist.
fn list_link(refusal: &DomainError) -> Option<impl IntoView> {
    if !matches!(refusal, DomainError::NoSuch { .. }) {
        return None;
    }
    let path = use_location().pathname.get_untracked();
    let list = list_of(&path)?.to_owned();
    Some(view! { " " <a href=list>{LayoutTexts::here().to_list()}</a> })
}

/// The path before the first id; `None`: there is none.
fn list_of(path: &str) -> Option<&str> {
    let at = path.match_indices('/').find(|(at, _)| {
        let segment = slice_text(path, at + 1..).split('/').next().unwrap_or_default();
        segment.parse::<uuid::Uuid>().is_ok()
    })?;
    Some(slice_text(path, ..at.0)).filter(|list| !list.is_empty())
}

/// Link to the start of the list, if its address names a page that does not exist.
fn start_link(refusal: &DomainError) -> Option<impl IntoView> {
    let is_lost = matches!(refusal, DomainError::Invalid { problem: ValidationError::UnknownCursor, .. });
    let start = || ListAddress::here().with_untracked(|address| address.start().to_string());
    is_lost.then(|| view! { " " <a href=start()>{LayoutTexts::here().list_start()}</a> })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_path_before_the_id() {
        let id = "e3e70682-c209-4cac-a29f-6fbed82c07cd";
        assert_eq!(list_of(&format!("/rules/{id}")), Some("/rules"));
        assert_eq!(list_of(&format!("/settings/channels/{id}")), Some("/settings/channels"));
        assert_eq!(list_of(&format!("/articles/{id}/revisions")), Some("/articles"));
        assert_eq!(list_of("/tasks"), None);
    }
}
