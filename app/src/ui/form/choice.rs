//! A select field with a label.

use crate::ui::form::field::is_of;
use domain::DomainError;
use leptos::prelude::*;
use texts::{language, refusal::problem};

/// A select field.
#[component]
pub fn Choice(
    /// Name in the form, and id.
    name: &'static str,
    /// Label.
    label: &'static str,
    /// Values and their labels.
    options: Vec<(String, String)>,
    /// Initial value.
    chosen: String,
    /// Whether it is wider than its neighbours.
    #[prop(optional)]
    is_wide: bool,
    /// Error of the form.
    #[prop(default = None)]
    refusal: Option<DomainError>,
) -> impl IntoView {
    let options = options.into_iter().map(|(value, text)| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{text}</option> }
    });
    let error = error_of(refusal.as_ref(), name);
    let problem_id = format!("{name}-problem");
    let described = error.is_some().then(|| problem_id.clone());
    let is_invalid = error.is_some().then_some("true");
    view! {
        <div class="field" class:grow=is_wide>
            <label for=name>{label}</label>
            <select id=name name=name aria-describedby=described aria-invalid=is_invalid>{options.collect_view()}</select>
            {error.map(|error| view! { <span class="problem" id=problem_id>{error}</span> })}
        </div>
    }
}

/// Returns the error of the field `name` as a sentence.
pub fn error_of(refusal: Option<&DomainError>, name: &str) -> Option<String> {
    match refusal {
        Some(DomainError::Invalid { field, problem: what }) if is_of(name, field) => {
            Some(problem(language(), what))
        }
        _ => None,
    }
}
