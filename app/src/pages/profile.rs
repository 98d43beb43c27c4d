//! `/settings/profile`: oneself: name, zone, language, look, password, sessions.

use crate::{
    calls::account::{ChangePassword, ChangeProfile, EndSession, list_sessions, list_tokens},
    components::{
        choose::{LanguageChoice, ZoneField},
        field::Field,
        head::Head,
        loaded::Loaded,
        moment::Relative,
        said::Said,
        settings_menu::SettingsMenu,
    },
    form::{PlainForm, refusal_of, typed},
    visitor::visitor,
    words::account::AccountWords,
};
use domain::{
    limit,
    person::{SessionRow, Theme, TokenRow},
};
use leptos::prelude::*;
use server_fn::ServerFn;

/// One's own settings.
#[component]
pub fn Profile() -> impl IntoView {
    let words = AccountWords::here();
    let said =
        [("save", words.saved()), ("password", words.password_changed()), ("session", words.session_ended())];
    view! {
        <Head title=words.profile().to_owned() />
        <SettingsMenu />
        <Said said=said.to_vec() />
        <div class="stack settings">
            <About />
            <Password />
            <Sessions />
        </div>
    }
}

#[component]
fn About() -> impl IntoView {
    let words = AccountWords::here();
    let path = ChangeProfile::PATH;
    let visitor = visitor();
    let zone = visitor.zone().to_owned();
    let (language, theme) = (visitor.language(), visitor.theme());
    let name = visitor.person.map(|person| person.name).unwrap_or_default();
    let refusal = Signal::stored(refusal_of(path));
    let language = typed(path, "language").and_then(|word| word.parse().ok()).unwrap_or(language);
    let theme = typed(path, "theme").and_then(|word| word.parse().ok()).unwrap_or(theme);
    view! {
        <PlainForm function=path class="stack">
            <Field name="name" label=words.name() fill="name" value=typed(path, "name").unwrap_or(name) refusal=refusal />
            <ZoneField value=Some(typed(path, "zone").unwrap_or(zone)) refusal=refusal />
            <LanguageChoice chosen=language />
            <ThemeChoice chosen=theme />
            <p><button class="button main" type="submit">{words.save()}</button></p>
        </PlainForm>
    }
}

#[component]
fn ThemeChoice(chosen: Theme) -> impl IntoView {
    let words = AccountWords::here();
    let choice = move |theme: Theme, name: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="theme" value=theme.as_str() checked=theme == chosen />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="field">
            <legend class="label">{words.theme()}</legend>
            {choice(Theme::Auto, words.theme_auto())}
            {choice(Theme::Light, words.theme_light())}
            {choice(Theme::Dark, words.theme_dark())}
        </fieldset>
    }
}

#[component]
fn Password() -> impl IntoView {
    let words = AccountWords::here();
    let path = ChangePassword::PATH;
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <section class="panel">
            <header><h2>{words.change_password()}</h2></header>
            <PlainForm function=path class="stack">
                <Field name="old" label=words.old_password() kind="password" fill="current-password" refusal=refusal />
                <Field
                    name="password" label=words.new_password() kind="password" fill="new-password"
                    hint=words.password_hint(limit::PASSWORD_MIN) refusal=refusal
                />
                <KeepTokens />
                <p><button class="button" type="submit">{words.change_password()}</button></p>
            </PlainForm>
        </section>
    }
}

/// The API tokens: those that are not ticked end.
#[component]
fn KeepTokens() -> impl IntoView {
    let words = AccountWords::here();
    let tokens = Resource::new(|| (), |()| list_tokens());
    let me = visitor().person.map(|person| person.id);
    let choice = move |(place, row): (usize, TokenRow)| {
        let name = format!("keep[{place}]");
        let is_kept = typed(ChangePassword::PATH, &name).is_some();
        view! {
            <label class="choice">
                <input type="checkbox" name=name value=row.id.to_string() checked=is_kept />
                {row.name}
            </label>
        }
    };
    view! {
        <Loaded from=tokens let:tokens>
            {move || {
                let mut rows = tokens.get();
                rows.retain(|row| Some(row.owner_id) == me);
                (!rows.is_empty()).then(|| view! {
                    <fieldset class="field">
                        <legend class="label">{words.keep_tokens()}</legend>
                        {rows.into_iter().enumerate().map(choice).collect_view()}
                        <span class="hint">{words.keep_tokens_hint()}</span>
                    </fieldset>
                })
            }}
        </Loaded>
    }
}

#[component]
fn Sessions() -> impl IntoView {
    let words = AccountWords::here();
    let sessions = Resource::new(|| (), |()| list_sessions());
    view! {
        <section class="panel">
            <header><h2>{words.sessions()}</h2></header>
            <Loaded from=sessions let:sessions>
                <ul class="session-list">
                    {move || sessions.get().into_iter().map(|row| view! { <Session row=row /> }).collect_view()}
                </ul>
            </Loaded>
        </section>
    }
}

#[component]
fn Session(row: SessionRow) -> impl IntoView {
    let words = AccountWords::here();
    let label = words.end_session_of(row.agent.clone());
    view! {
        <li class="session-row">
            <span class="session-agent">
                {row.agent} " " {row.is_current.then(|| view! { <span class="mark">{words.this_session()}</span> })}
            </span>
            <span class="quiet">
                {words.since()} " " <Relative at=row.created_at /> " · " {words.last_seen()} " " <Relative at=row.seen_at />
            </span>
            {(!row.is_current).then(|| view! {
                <PlainForm function=EndSession::PATH class="tight">
                    <input type="hidden" name="name" value=row.name />
                    <button class="button small" type="submit" aria-label=label>{words.end_session()}</button>
                </PlainForm>
            })}
        </li>
    }
}
