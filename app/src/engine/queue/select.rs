//! A select field of a table with a form in each row.

use leptos::prelude::*;

/// A select field whose id differs from its name: the page has several of one name.
#[component]
pub fn Select(
    name: &'static str,
    id: String,
    label: &'static str,
    options: Vec<(&'static str, &'static str)>,
    chosen: String,
) -> impl IntoView {
    let options = options.into_iter().map(|(value, text)| {
        view! { <option value=value selected=value == chosen>{text}</option> }
    });
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select id=id name=name>{options.collect_view()}</select>
        </div>
    }
}
