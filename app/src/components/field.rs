//! A labelled field that says what is wrong with it and keeps what was typed.

use crate::words::{language, refusal::problem};
use domain::Refusal;
use leptos::{html, prelude::*};

/// Whether a refusal of `field` is about what is sent as `name`: `field`, or `form[field]`.
#[must_use]
pub fn is_of(name: &str, field: &str) -> bool {
    let inner = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    name == field || inner.is_some_and(|(_, inner)| inner == field)
}

/// A line to type into, with its label, its hint, and what was wrong with it.
#[component]
pub fn Field(
    /// Name as sent.
    name: &'static str,
    /// What it is called.
    #[prop(into)]
    label: String,
    /// `text`, `email`, `password`, `date` …
    #[prop(default = "text")]
    kind: &'static str,
    /// What stands in it at first.
    #[prop(optional, into)]
    value: String,
    /// What helps to fill it.
    #[prop(optional, into)]
    hint: String,
    /// `autocomplete` of the browser.
    #[prop(default = "off")]
    fill: &'static str,
    /// Whether it may stay empty.
    #[prop(optional)]
    is_optional: bool,
    /// An id that differs from the name, where a page holds several of one name.
    #[prop(optional, into)]
    id: Option<String>,
    /// The step of a time or number.
    #[prop(optional)]
    step: Option<&'static str>,
    /// The id of a list of proposals.
    #[prop(optional)]
    list: Option<&'static str>,
    /// Why its form was refused: the field finds out whether it was because of it.
    #[prop(optional, into)]
    refusal: Signal<Option<Refusal>>,
    /// Where the element is stored.
    #[prop(optional)]
    node_ref: NodeRef<html::Input>,
) -> impl IntoView {
    let language = language();
    let id = id.unwrap_or_else(|| name.to_owned());
    let (hint_id, problem_id) = (format!("{id}-hint"), format!("{id}-problem"));
    let wrong = Memo::new(move |_| {
        refusal.with(|refusal| match refusal {
            Some(Refusal::Invalid { field, problem: what }) if is_of(name, field) => {
                Some(problem(language, what))
            }
            _ => None,
        })
    });
    let has_hint = !hint.is_empty();
    let described = {
        let (hint_id, problem_id) = (hint_id.clone(), problem_id.clone());
        move || match (wrong.with(Option::is_some), has_hint) {
            (true, _) => Some(problem_id.clone()),
            (false, true) => Some(hint_id.clone()),
            (false, false) => None,
        }
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <input
                id=id
                name=name
                type=kind
                value=value
                autocomplete=fill
                required=!is_optional
                step=step
                list=list
                node_ref=node_ref
                autofocus=wrong.with_untracked(Option::is_some)
                aria-invalid=move || wrong.with(Option::is_some).then_some("true")
                aria-describedby=described
            />
            {has_hint.then(|| view! { <span class="hint" id=hint_id>{hint}</span> })}
            {move || wrong.get().map(|wrong| view! { <span class="problem" id=problem_id.clone()>{wrong}</span> })}
        </div>
    }
}
