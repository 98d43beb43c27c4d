//! Fields shared by several settings forms: time zone and language.

use crate::{
    accounts::texts::AccountTexts,
    shell::session::visitor,
    ui::{form::field::Field, time::zone_options::TimeZoneOptions},
};
use domain::{DomainError, account::Language};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// A time zone field with suggestions. Without a value, it is filled with the browser's time zone
/// if JavaScript runs.
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
    let first = value.clone();
    let field = NodeRef::new();
    field.on_load(move |field: web_sys::HtmlInputElement| {
        if let (true, Some(zone)) = (is_open && field.value() == first, zone_of_browser()) {
            field.set_value(&zone);
        }
    });
    view! {
        <Field
            name="zone" label=texts.zone() value=value hint=texts.zone_hint() list="zones" refusal=refusal node_ref=field
        />
        <TimeZoneOptions />
    }
}

/// Returns the IANA name of the browser's time zone. Works in the browser only.
pub fn zone_of_browser() -> Option<String> {
    let intl = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("Intl")).ok()?;
    let format = js_sys::Reflect::get(&intl, &JsValue::from_str("DateTimeFormat")).ok()?;
    let format: js_sys::Function = wasm_bindgen::JsCast::dyn_into(format).ok()?;
    let made = format.call0(&intl).ok()?;
    let options = js_sys::Reflect::get(&made, &JsValue::from_str("resolvedOptions")).ok()?;
    let options: js_sys::Function = wasm_bindgen::JsCast::dyn_into(options).ok()?;
    let options = options.call0(&made).ok()?;
    js_sys::Reflect::get(&options, &JsValue::from_str("timeZone")).ok()?.as_string()
}

/// The languages, each in its own name.
#[component]
pub fn LanguageChoice(chosen: Language) -> impl IntoView {
    let texts = AccountTexts::here();
    let option = move |language: Language, name: &'static str| {
        view! {
            <option value=language.as_str() lang=language.as_str() selected=language == chosen>{name}</option>
        }
    };
    view! {
        <div class="field">
            <label for="language">{texts.language()}</label>
            <select id="language" name="language">
                {option(Language::En, "English")}
                {option(Language::Zh, "中文")}
            </select>
        </div>
    }
}
