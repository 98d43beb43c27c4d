//! `/settings/profile`: the user's own name, time zone, language, theme, password and sessions.

use crate::{
    accounts::{
        own_account_fns::{
            ChangeAuthorPage, ChangePassword, ChangeProfile, EndOtherSessions, EndSession, list_sessions,
            list_tokens,
        },
        passkeys::PasskeyPanel,
        second_factor::SecondFactorPanel,
        sign_in::own_panel::OwnSignIns,
    },
    media::{
        picker::{MediaPicker, Picker},
        picture_field::PictureField,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::{
            PlainForm,
            field::Field,
            refusal_of,
            select::{LanguageChoice, ZoneField},
            typed,
        },
        page::{header::PageHeader, settings_menu::SettingsMenu},
        result::flash::Flash,
        shortcut::has_single_keys,
        time::date_time::Relative,
    },
};
use domain::{
    account::{AnswerNotices, PERSISTENT_SESSION_DAYS, SessionRow, Theme, TokenRow},
    input_limits,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::accounts::{
    AccountTexts, passkeys::PasskeyTexts, second_factor::SecondFactorTexts, sign_in::SignInTexts,
};

/// The user's own settings.
#[component]
pub fn Profile() -> impl IntoView {
    let texts = AccountTexts::here();
    let messages = [
        ("save", texts.saved()),
        ("password", texts.password_changed()),
        ("session", texts.session_ended()),
        ("sessions", texts.other_sessions_ended()),
        ("second_factor", SecondFactorTexts::here().removed()),
        ("passkey", PasskeyTexts::here().added()),
        ("no_passkey", PasskeyTexts::here().removed()),
        ("identity", SignInTexts::here().linked()),
        ("unlinked", SignInTexts::here().unlinked()),
    ];
    view! {
        <PageHeader title=texts.profile().to_owned() />
        <SettingsMenu />
        <Flash messages=messages.to_vec() />
        <div class="stack settings">
            <ProfileForm />
            <AuthorForm />
            <Password />
            <PasskeyPanel />
            <SecondFactorPanel />
            <OwnSignIns />
            <Sessions />
        </div>
    }
}

#[component]
fn ProfileForm() -> impl IntoView {
    let texts = AccountTexts::here();
    let path = ChangeProfile::PATH;
    let visitor = visitor();
    let zone = visitor.zone().to_owned();
    let (language, theme) = (visitor.language(), visitor.theme());
    let answers = visitor.account.as_ref().map_or(AnswerNotices::Bell, |account| account.answer_notices);
    let answers = typed(path, "answers").and_then(|word| word.parse().ok()).unwrap_or(answers);
    let name = visitor.account.map(|account| account.name).unwrap_or_default();
    let refusal = Signal::stored(refusal_of(path));
    let language = typed(path, "language").and_then(|word| word.parse().ok()).unwrap_or(language);
    let theme = typed(path, "theme").and_then(|word| word.parse().ok()).unwrap_or(theme);
    let has_shortcuts = match refusal.with_untracked(Option::is_some) {
        true => typed(path, "shortcuts").is_some(),
        false => has_single_keys(),
    };
    view! {
        <PlainForm function=path fields={&["name", "zone"]} class="stack">
            <Field name="name" label=texts.name() fill="name" value=typed(path, "name").unwrap_or(name) refusal=refusal />
            <ZoneField value=Some(typed(path, "zone").unwrap_or(zone)) refusal=refusal />
            <LanguageChoice chosen=language />
            <ThemeChoice chosen=theme />
            <ShortcutChoice is_on=has_shortcuts />
            <AnswersChoice chosen=answers />
            <p><button class="button main" type="submit">{texts.save()}</button></p>
        </PlainForm>
    }
}

/// What the user's page as an author shows.
#[component]
fn AuthorForm() -> impl IntoView {
    let texts = AccountTexts::here();
    let path = ChangeAuthorPage::PATH;
    let refusal = Signal::stored(refusal_of(path));
    let (about, picture) =
        visitor().account.map(|account| (account.about, account.picture)).unwrap_or_default();
    Picker::provide();
    view! {
        <section class="panel" id="author-page">
            <header><h2>{texts.author_page()}</h2></header>
            <PlainForm function=path fields={&["about", "picture"]} class="stack">
                <Field
                    name="about" label=texts.about() value=typed(path, "about").unwrap_or(about)
                    hint=texts.about_hint() is_optional=true refusal=refusal
                />
                <PictureField
                    name="picture" label=texts.picture() value=typed(path, "picture").unwrap_or(picture)
                    hint=texts.picture_hint() refusal=refusal
                />
                <p><button class="button" type="submit">{texts.save()}</button></p>
            </PlainForm>
            <MediaPicker />
        </section>
    }
}

#[component]
fn ThemeChoice(chosen: Theme) -> impl IntoView {
    let texts = AccountTexts::here();
    let choice = move |theme: Theme, name: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="theme" value=theme.as_str() checked=theme == chosen />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="field" id="theme">
            <legend class="label">{texts.theme()}</legend>
            {choice(Theme::Auto, texts.theme_auto())}
            {choice(Theme::Light, texts.theme_light())}
            {choice(Theme::Dark, texts.theme_dark())}
        </fieldset>
    }
}

#[component]
fn ShortcutChoice(is_on: bool) -> impl IntoView {
    let texts = AccountTexts::here();
    view! {
        <fieldset class="field" id="keyboard">
            <legend class="label">{texts.keyboard()}</legend>
            <label class="choice">
                <input type="checkbox" name="shortcuts" value="true" checked=is_on aria-describedby="shortcuts-hint" />
                {texts.shortcuts()}
            </label>
            <span class="hint" id="shortcuts-hint">{texts.shortcuts_hint()}</span>
        </fieldset>
    }
}

#[component]
fn AnswersChoice(chosen: AnswerNotices) -> impl IntoView {
    let texts = AccountTexts::here();
    let choice = move |notices: AnswerNotices, name: &'static str| {
        view! {
            <label class="choice">
                <input type="radio" name="answers" value=notices.as_str() checked=notices == chosen />
                {name}
            </label>
        }
    };
    view! {
        <fieldset class="field">
            <legend class="label">{texts.answers()}</legend>
            {choice(AnswerNotices::Off, texts.answers_off())}
            {choice(AnswerNotices::Bell, texts.answers_bell())}
            {choice(AnswerNotices::Mail, texts.answers_mail())}
            <span class="hint">{texts.answers_hint()}</span>
        </fieldset>
    }
}

#[component]
fn Password() -> impl IntoView {
    let texts = AccountTexts::here();
    let path = ChangePassword::PATH;
    let refusal = Signal::stored(refusal_of(path));
    view! {
        <section class="panel" id="change-password">
            <header><h2>{texts.change_password()}</h2></header>
            <PlainForm function=path fields={&["old", "password"]} class="stack">
                <Field name="old" label=texts.old_password() kind="password" fill="current-password" refusal=refusal />
                <Field
                    name="password" label=texts.new_password() kind="password" fill="new-password"
                    hint=texts.password_hint(input_limits::MIN_PASSWORD_CHARS) refusal=refusal
                />
                <KeepTokens />
                <p><button class="button" type="submit">{texts.change_password()}</button></p>
            </PlainForm>
        </section>
    }
}

/// The API tokens: those not selected are revoked.
#[component]
fn KeepTokens() -> impl IntoView {
    let texts = AccountTexts::here();
    let tokens = Resource::new(|| (), |()| list_tokens());
    let me = visitor().account.map(|account| account.id);
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
        <AsyncView from=tokens let:tokens>
            {move || {
                let mut rows = tokens.get();
                rows.retain(|row| Some(row.owner_id) == me);
                (!rows.is_empty()).then(|| view! {
                    <fieldset class="field">
                        <legend class="label">{texts.keep_tokens()}</legend>
                        {rows.into_iter().enumerate().map(choice).collect_view()}
                        <span class="hint">{texts.keep_tokens_hint()}</span>
                    </fieldset>
                })
            }}
        </AsyncView>
    }
}

#[component]
fn Sessions() -> impl IntoView {
    let texts = AccountTexts::here();
    let sessions = Resource::new(|| (), |()| list_sessions());
    view! {
        <section class="panel">
            <header><h2>{texts.sessions()}</h2></header>
            <AsyncView from=sessions let:sessions>
                <ul class="session-list">
                    {move || sessions.get().into_iter().map(|row| view! { <Session row=row /> }).collect_view()}
                </ul>
                {move || (sessions.with(Vec::len) > 1).then(|| view! {
                    <PlainForm function=EndOtherSessions::PATH>
                        <button class="button" type="submit">{texts.end_other_sessions()}</button>
                    </PlainForm>
                })}
            </AsyncView>
        </section>
    }
}

#[component]
fn Session(row: SessionRow) -> impl IntoView {
    let texts = AccountTexts::here();
    let label = texts.end_session_of(row.agent.clone());
    let place = (!row.address.is_empty()).then_some(row.address);
    let (logged_in, after_logged_in) = texts::around(texts.logged_in(), "{when}");
    let (last_seen, after_last_seen) = texts::around(texts.last_seen(), "{when}");
    view! {
        <li class="session-row">
            <span class="session-agent">
                {row.agent} {place.map(|place| view! { " · " <span class="session-place">{place}</span> })} " "
                {row.is_current.then(|| view! { <span class="mark">{texts.this_session()}</span> " " })}
                {row.is_persistent.then(|| view! { <span class="mark">{texts.is_persistent(PERSISTENT_SESSION_DAYS)}</span> })}
            </span>
            <span class="muted">
                {logged_in} <Relative at=row.created_at is_past=true /> {after_logged_in} " · "
                {last_seen} <Relative at=row.seen_at is_past=true /> {after_last_seen}
            </span>
            {(!row.is_current).then(|| view! {
                <PlainForm function=EndSession::PATH class="inline">
                    <input type="hidden" name="name" value=row.name />
                    <button class="button small" type="submit" aria-label=label>{texts.end_session()}</button>
                </PlainForm>
            })}
        </li>
    }
}
