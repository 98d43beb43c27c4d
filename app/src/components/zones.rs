//! Names of zones, for completing what is typed.

use crate::calls::settings::zones;
use leptos::prelude::*;

/// The list that inputs name by `list="zones"`. Once on a page.
#[component]
pub fn Zones() -> impl IntoView {
    let names = Resource::new(|| (), |()| zones());
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                let names = names.await.unwrap_or_default();
                let options = names.into_iter().map(|name| view! { <option value=name></option> });
                view! { <datalist id="zones">{options.collect_view()}</datalist> }
            })}
        </Suspense>
    }
}
