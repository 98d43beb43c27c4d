//! The search field of a list. With JavaScript the list follows the typing.

use super::{address::ListAddress, pager::HiddenFields};
use crate::ui::{debounce::Debounce, icon::Icon};
use domain::{input_limits::MAX_SEARCH_CHARS, tasks::search_filters::completions};
use leptos::{html, prelude::*};
use leptos_router::{NavigateOptions, components::Form, hooks::use_navigate};
use texts::lists::TableTexts;

/// Delay between the last key and the search, in milliseconds.
const SEARCH_AFTER_MS: u64 = 250;

/// Maximum number of completions.
const MAX_COMPLETIONS: usize = 8;

/// `state:failed owner:me`: one value of each of the first filters.
fn example(filters: &[(&str, &[&str])]) -> String {
    let values = filters.iter().filter_map(|(name, values)| Some(format!("{name}:{}", values.first()?)));
    values.take(3).collect::<Vec<_>>().join(" ")
}

/// The search form: a plain GET form, so that the URL holds the search.
#[component]
pub fn Search(
    /// The URL of the list.
    address: Memo<ListAddress>,
    /// Label of the field.
    label: &'static str,
    /// Label of the button.
    button: &'static str,
    /// Another filter: its parameter and label.
    #[prop(optional)]
    choice: Option<(&'static str, &'static str)>,
    /// The filters that the text can have, which are completed while typing.
    #[prop(optional)]
    filters: &'static [(&'static str, &'static [&'static str])],
) -> impl IntoView {
    let (input, typed, go) = (NodeRef::<html::Input>::new(), Debounce::new(), replace_address(address));
    let first = address.with_untracked(|address| address.get("q"));
    let text = RwSignal::new(String::new());
    let options = move || {
        let all = text.with(|text| completions(text, filters));
        all.into_iter().take(MAX_COMPLETIONS).map(|one| view! { <option value=one></option> }).collect_view()
    };
    let hint = (!filters.is_empty()).then(|| TableTexts::here().filters_in_search(example(filters)));
    let apply = move || {
        if let Some(input) = input.get_untracked() {
            go("q", input.value().trim());
        }
    };
    // The field follows the URL, e.g. after a link that clears the filter.
    Effect::new(move |_| {
        let q = address.with(|address| address.get("q")).unwrap_or_default();
        if let Some(input) = input.get() {
            let has_focus = document().active_element().is_some_and(|active| active.id() == "q");
            if !has_focus && input.value() != q {
                input.set_value(&q);
            }
        }
    });
    view! {
        <Form method="GET" action=address.with_untracked(ListAddress::path) attr:class="fields filters" attr:role="search">
            <SearchHidden address=address choice=choice.map(|choice| choice.0) />
            <div class="field grow">
                <label for="q">{label}</label>
                <input
                    id="q"
                    name="q"
                    type="search"
                    maxlength=MAX_SEARCH_CHARS.to_string()
                    value=first
                    autocomplete="off"
                    list=(!filters.is_empty()).then_some("q-filters")
                    aria-describedby=(!filters.is_empty()).then_some("q-hint")
                    node_ref=input
                    on:input=move |event| {
                        text.set(event_target_value(&event));
                        let apply = apply.clone();
                        typed.schedule(SEARCH_AFTER_MS, apply);
                    }
                />
                {(!filters.is_empty()).then(|| view! { <datalist id="q-filters">{options}</datalist> })}
            </div>
            {choice.map(|(name, label)| view! { <Choice address=address name=name label=label /> })}
            <button type="submit" class="button"><Icon name="search" />{button}</button>
            {hint.map(|hint| view! { <p class="hint" id="q-hint">{hint}</p> })}
        </Form>
    }
}

/// Hidden fields for all filters that the form does not show.
#[component]
fn SearchHidden(address: Memo<ListAddress>, choice: Option<&'static str>) -> impl IntoView {
    let shown = Memo::new(move |_| address.with(|address| address.with(choice.unwrap_or("q"), "")));
    view! { <HiddenFields address=shown without="q" /> }
}

/// A filter that is on or off. With JavaScript it applies at once.
#[component]
fn Choice(address: Memo<ListAddress>, name: &'static str, label: &'static str) -> impl IntoView {
    let go = replace_address(address);
    let is_on = move || address.with(|address| address.get(name).is_some());
    view! {
        <label class="choice">
            <input
                type="checkbox"
                name=name
                value="1"
                checked=is_on
                prop:checked=is_on
                on:change=move |event| go(name, if event_target_checked(&event) { "1" } else { "" })
            />
            {label}
        </label>
    }
}

/// Returns a function that sets a filter in the URL, without a new entry in the history.
fn replace_address(address: Memo<ListAddress>) -> impl Fn(&str, &str) + Clone + Send + Sync + 'static {
    let navigate = use_navigate();
    move |name: &str, value: &str| {
        let (now, next) =
            address.with_untracked(|address| (address.clone(), address.start().with(name, value)));
        if now.get(name).unwrap_or_default() != value {
            let options = NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() };
            navigate(&next.to_string(), options);
        }
    }
}
