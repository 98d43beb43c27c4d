//! A labelled input field that shows its error and keeps the input.

use domain::{DomainError, base::when::clock_text};
use leptos::{html, prelude::*};
use texts::{language, refusal::problem};

/// Whether an error of `field` belongs to the input `name`: `field`, or `form[field]`.
#[must_use]
pub fn is_of(name: &str, field: &str) -> bool {
    let inner = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    let last = field.rsplit('.').next();
    name == field || inner.is_some_and(|(_, inner)| Some(inner) == last)
}

/// Placeholder of a time of day.
pub const CLOCK_EXAMPLE: &str = "09:00";

/// Writes a typed time of day as the pages show it.
fn tidy_clock(field: &web_sys::HtmlInputElement) {
    field.set_value(&clock_text(&field.value()));
}

/// A one-line input with label, hint and error.
#[component]
pub fn Field(
    /// Name in the form.
    name: &'static str,
    /// Label.
    #[prop(into)]
    label: String,
    /// `text`, `email`, `password`, `date` …; `time`: a time of day, in words too. Browsers show a native field in
    /// their own language, not in that of the page.
    #[prop(default = "text")]
    kind: &'static str,
    /// Initial value.
    #[prop(optional, into)]
    value: String,
    /// Hint below the field.
    #[prop(optional, into)]
    hint: String,
    /// Value of the `autocomplete` attribute.
    #[prop(default = "off")]
    fill: &'static str,
    /// Whether it may be empty.
    #[prop(optional)]
    is_optional: bool,
    /// Id, if it differs from the name because a page has several fields of that name.
    #[prop(optional, into)]
    id: Option<String>,
    /// The `step` attribute of a time or number.
    #[prop(optional)]
    step: Option<&'static str>,
    /// Id of a `datalist`.
    #[prop(optional)]
    list: Option<&'static str>,
    /// Error of the form. Shown if it is about this field.
    #[prop(optional, into)]
    refusal: Signal<Option<DomainError>>,
    /// Where the element is stored.
    #[prop(optional)]
    node_ref: NodeRef<html::Input>,
    /// Elements after the hint and the error.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let language = language();
    let id = id.unwrap_or_else(|| name.to_owned());
    let (hint_id, problem_id) = (format!("{id}-hint"), format!("{id}-problem"));
    let wrong = Memo::new(move |_| {
        refusal.with(|refusal| {
            let wrong = refusal.as_ref()?.problem_of(|field| is_of(name, field))?;
            Some(problem(language, wrong))
        })
    });
    let has_hint = !hint.is_empty();
    let is_clock = kind == "time";
    let input_type = if is_clock { "text" } else { kind };
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
                type=input_type
                value=value
                placeholder=is_clock.then_some(CLOCK_EXAMPLE)
                autocomplete=fill
                required=!is_optional
                step=step
                list=list
                node_ref=node_ref
                autofocus=wrong.with_untracked(Option::is_some)
                aria-invalid=move || wrong.with(Option::is_some).then_some("true")
                aria-describedby=described
                on:change:target=move |event| {
                    if is_clock {
                        tidy_clock(&event.target());
                    }
                }
            />
            {has_hint.then(|| view! { <span class="hint" id=hint_id>{hint}</span> })}
            {move || wrong.get().map(|wrong| view! { <span class="problem" id=problem_id.clone()>{wrong}</span> })}
            {children.map(|children| children())}
        </div>
    }
}
