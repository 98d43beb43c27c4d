//! The details of an article: a panel of the editor that folds, saved together with the text.

mod cover;
mod fields;

pub use fields::DetailFields;

use super::draft::Draft;
use crate::{
    media::{picker::PickerUse, picture_field::PictureSources},
    ui::form::field::is_of,
};
use cover::CoverPreview;
use domain::articles::details::{MAX_SUMMARY_CHARS, Template};
use fields::{CHECKBOXES, form_name};
use leptos::prelude::*;
use texts::articles::details::DetailTexts;
use texts::{language, refusal::problem};

/// The panel. It is open if details are refused.
#[component]
pub fn DetailsPanel(
    /// The draft.
    draft: Draft,
    /// Whether the user may change it.
    may_change: bool,
) -> impl IntoView {
    let texts = DetailTexts::here();
    let typed = draft.text.with_untracked(|text| text.details.clone());
    let is_open = draft.refusal.with_untracked(|refusal| {
        fields::NAMES.iter().any(|name| {
            refusal
                .as_ref()
                .is_some_and(|refusal| refusal.problem_of(|field| is_of(&form_name(name), field)).is_some())
        })
    });
    let line = typed.summary_line();
    let labelled = texts.fields().into_iter().map(|(name, label, hint)| {
        let value = typed.get(name).to_owned();
        view! { <OneField draft=draft name=name label=label hint=hint value=value may_change=may_change /> }
    });
    view! {
        <details class="details-panel" id="details" open=is_open>
            <summary>
                <span>{texts.heading()}</span> " " <small class="muted" dir="auto">{line}</small>
            </summary>
            <div class="details-fields">{labelled.collect_view()}</div>
        </details>
    }
}

#[component]
fn OneField(
    draft: Draft,
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: String,
    may_change: bool,
) -> impl IntoView {
    let id = fields::element_id(name);
    let form_name = form_name(name);
    let of_field = form_name.clone();
    let wrong = move || {
        draft.refusal.with(|refusal| {
            let wrong = refusal.as_ref()?.problem_of(|field| is_of(&of_field, field))?;
            Some(problem(language(), wrong))
        })
    };
    let has_hint = !hint.is_empty();
    let hint_id = format!("{id}-hint");
    let input = input(name, (id.clone(), form_name, value), has_hint.then(|| hint_id.clone()), may_change);
    // A browser sends `change` when it removes a focused field.
    let on_change = move |_| {
        if !draft.text.is_disposed() {
            draft.on_input();
        }
    };
    view! {
        <div
            class="field"
            class:is-flag=CHECKBOXES.contains(&name)
            class:is-wide=matches!(name, "summary" | "tags")
            on:input=move |_| draft.on_input()
            on:change=on_change
        >
            <label for=id>{label}</label>
            {input}
            {has_hint.then(|| view! { <span class="hint" id=hint_id>{hint}</span> })}
            {move || wrong().map(|wrong| view! { <span class="problem">{wrong}</span> })}
            {(name == "cover" && may_change).then(|| view! { <PictureSources purpose=PickerUse::Cover /> })}
            {(name == "cover").then(|| view! { <CoverPreview draft=draft /> })}
        </div>
    }
}

/// The control of a field: a checkbox, a choice or a text.
fn input(
    name: &'static str,
    (id, form_name, value): (String, String, String),
    described: Option<String>,
    may_change: bool,
) -> AnyView {
    if CHECKBOXES.contains(&name) {
        return view! {
            <input type="checkbox" id=id name=form_name value="on" checked=value == "on" disabled=!may_change aria-describedby=described />
        }
        .into_any();
    }
    if name == "template" {
        let option = |template: Template| {
            let (word, is_chosen) = (template.as_str(), template.as_str() == value);
            view! { <option value=word selected=is_chosen>{DetailTexts::here().template_word(template)}</option> }
        };
        let options = Template::ALL.iter().copied().map(option).collect_view();
        return view! { <select id=id name=form_name disabled=!may_change aria-describedby=described>{options}</select> }
            .into_any();
    }
    let limit = (name == "summary").then_some(i64::try_from(MAX_SUMMARY_CHARS).unwrap_or(i64::MAX));
    view! {
        <input
            type="text"
            id=id
            name=form_name
            value=value
            dir="auto"
            autocomplete="off"
            readonly=!may_change
            maxlength=limit
            aria-describedby=described
        />
    }
    .into_any()
}
