//! Fields shared by several settings forms: time zone and language.

use crate::{
    session::visitor,
    ui::{form::field::Field, time::zone_options::TimeZoneOptions},
};
use domain::{DomainError, account::Language};
use leptos::prelude::*;
use texts::accounts::AccountTexts;

/// A time zone field with suggestions. Without a value, it has the desk's time zone, and the script
/// of the page replaces that by the browser's.
#[component]
pub fn ZoneField(
    /// Initial value; `None`: not set yet.
    #[prop(into)]
    value: Option<String>,
    /// Error of the form.
    #[prop(optional, into)]
    refusal: Signal<Option<DomainError>>,
) -> impl IntoView {
    let texts = AccountTexts::here();
    let is_open = value.is_none();
    let value = value.unwrap_or_else(|| visitor().desk.zone);
    view! {
        <Field
            name="zone" label=texts.zone() value=value hint=texts.zone_hint() list="zones" refusal=refusal
            attr:data-browser-zone=is_open.then_some("")
        />
        <TimeZoneOptions />
    }
}

/// The languages, each in its own name.
#[component]
pub fn LanguageChoice(chosen: Language) -> impl IntoView {
    let texts = AccountTexts::here();
    let options = Language::ALL.iter().map(move |language| {
        let (word, is_chosen) = (language.as_str(), *language == chosen);
        view! { <option value=word lang=word selected=is_chosen>{language.own_name()}</option> }
    });
    view! {
        <div class="field">
            <label for="language">{texts.language()}</label>
            <select id="language" name="language">
                {options.collect_view()}
            </select>
        </div>
    }
}
