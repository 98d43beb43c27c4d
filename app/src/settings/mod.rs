//! `/settings/desk`: title, time zone and language of the desk. For admins.

pub mod feed_fns;
pub mod feeds;
pub mod outside_mail;
mod second_factor;
pub mod server_fns;
pub mod site_fns;
pub mod site_page;
pub mod tags;
mod zone_question;

use crate::{
    session::visitor,
    ui::{
        form::{
            PlainForm,
            field::Field,
            refusal_of,
            select::{LanguageChoice, ZoneField},
            typed,
        },
        page::settings_menu::AdminSettings,
    },
};
use domain::DomainError;
use leptos::prelude::*;
use second_factor::RequiredSecondFactor;
use server_fn::ServerFn;
use server_fns::ChangeSettings;
use texts::accounts::AccountTexts;
use zone_question::ZoneQuestion;

/// Settings for all users.
#[component]
pub fn Settings() -> impl IntoView {
    let texts = AccountTexts::here();
    view! {
        <AdminSettings title=texts.desk_settings() lead=texts.desk_lead() messages=vec![("save", texts.saved())]>
            {content()}
        </AdminSettings>
    }
}

/// The fields; or what scheduled items keep, if another time zone was asked for.
fn content() -> AnyView {
    match refusal_of(ChangeSettings::PATH) {
        Some(DomainError::ZoneChoice { effect }) => view! { <ZoneQuestion effect=*effect /> }.into_any(),
        _ => view! { <Fields /> <RequiredSecondFactor /> }.into_any(),
    }
}

#[component]
fn Fields() -> impl IntoView {
    let texts = AccountTexts::here();
    let path = ChangeSettings::PATH;
    let desk = visitor().desk;
    let refusal = Signal::stored(refusal_of(path));
    let language = typed(path, "language").and_then(|word| word.parse().ok()).unwrap_or(desk.language);
    view! {
        <PlainForm function=path fields={&["title", "zone"]} class="stack">
            <Field name="title" label=texts.desk_title() value=typed(path, "title").unwrap_or(desk.title) refusal=refusal />
            <ZoneField value=Some(typed(path, "zone").unwrap_or(desk.zone)) refusal=refusal />
            <LanguageChoice chosen=language />
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}
