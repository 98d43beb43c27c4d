//! Time zone names for autocompletion.

use crate::ui::time::time_fns::zones;
use leptos::prelude::*;

/// The list for inputs with `list="zones"`. Once per page.
#[component]
pub fn TimeZoneOptions() -> impl IntoView {
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
