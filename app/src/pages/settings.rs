//! `/settings/desk`: title, zone and language of the desk. For admins.

use crate::{
    calls::settings::ChangeSettings,
    components::{
        choose::{LanguageChoice, ZoneField},
        field::Field,
        head::Head,
        said::Said,
        settings_menu::{AdminsOnly, SettingsMenu},
    },
    form::{PlainForm, refusal_of, typed},
    visitor::visitor,
    words::account::AccountWords,
};
use leptos::prelude::*;
use server_fn::ServerFn;

/// Settings that hold for everybody.
#[component]
pub fn Settings() -> impl IntoView {
    let words = AccountWords::here();
    let fields = if visitor().is_admin() {
        view! { <Fields /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <Head title=words.desk_settings().to_owned() lead=words.desk_lead() />
        <SettingsMenu />
        <Said said=vec![("save", words.saved())] />
        <div class="settings">{fields}</div>
    }
}

#[component]
fn Fields() -> impl IntoView {
    let words = AccountWords::here();
    let path = ChangeSettings::PATH;
    let desk = visitor().desk;
    let refusal = Signal::stored(refusal_of(path));
    let language = typed(path, "language").and_then(|word| word.parse().ok()).unwrap_or(desk.language);
    view! {
        <PlainForm function=path class="stack">
            <Field name="title" label=words.desk_title() value=typed(path, "title").unwrap_or(desk.title) refusal=refusal />
            <ZoneField value=Some(typed(path, "zone").unwrap_or(desk.zone)) refusal=refusal />
            <LanguageChoice chosen=language />
            <p><button class="button main" type="submit">{words.save()}</button></p>
        </PlainForm>
    }
}
