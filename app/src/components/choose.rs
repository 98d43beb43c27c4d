//! Choices that several settings ask for: zone, language.

use super::{field::Field, zones::Zones};
use crate::{visitor::visitor, words::account::AccountWords};
use domain::{Refusal, person::Language};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// A zone to type, completed from the list. Without a value it takes the browser's, where scripts run.
#[component]
pub fn ZoneField(
    /// What stands in it; `None`: nobody has said yet.
    #[prop(into)]
    value: Option<String>,
    /// Why its form was refused.
    #[prop(optional, into)]
    refusal: Signal<Option<Refusal>>,
) -> impl IntoView {
    let words = AccountWords::here();
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
            name="zone" label=words.zone() value=value hint=words.zone_hint() list="zones" refusal=refusal node_ref=field
        />
        <Zones />
    }
}

/// What the browser calls its zone.
fn zone_of_browser() -> Option<String> {
    let intl = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("Intl")).ok()?;
    let format = js_sys::Reflect::get(&intl, &JsValue::from_str("DateTimeFormat")).ok()?;
    let format: js_sys::Function = wasm_bindgen::JsCast::dyn_into(format).ok()?;
    let made = format.call0(&intl).ok()?;
    let options = js_sys::Reflect::get(&made, &JsValue::from_str("resolvedOptions")).ok()?;
    let options: js_sys::Function = wasm_bindgen::JsCast::dyn_into(options).ok()?;
    let options = options.call0(&made).ok()?;
    js_sys::Reflect::get(&options, &JsValue::from_str("timeZone")).ok()?.as_string()
}

/// The languages there are, each in its own.
#[component]
pub fn LanguageChoice(chosen: Language) -> impl IntoView {
    let words = AccountWords::here();
    let option = move |language: Language, name: &'static str| {
        view! {
            <option value=language.as_str() lang=language.as_str() selected=language == chosen>{name}</option>
        }
    };
    view! {
        <div class="field">
            <label for="language">{words.language()}</label>
            <select id="language" name="language">
                {option(Language::En, "English")}
                {option(Language::Zh, "中文")}
            </select>
        </div>
    }
}
