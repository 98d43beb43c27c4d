//! The user's own account: set-up, login, profile, sessions, tokens.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::take_result, ssr};
use domain::{
    TokenId,
    account::{AnswerNotices, Invitation, Language, Scope, SessionRow, Theme, TokenRow},
};
#[cfg(feature = "ssr")]
use domain::{
    account::{Client, NewAccount, NewMember, PasswordChange, ProfileEdit},
    settings::SiteSettings,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An API token with its secret. Shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewToken {
    /// Name of the token.
    pub name: String,
    /// The secret.
    pub secret: String,
}

/// Whether the first admin must be created.
#[server(name = NeedsSetUp, prefix = "/fn", endpoint = "needs_set_up", output = JsonOutput)]
pub async fn needs_set_up() -> Result<bool, Refused> {
    ssr::respond(async { ssr::services()?.sessions.needs_set_up().await }.await)
}

/// Creates the first admin and logs in. An empty `title` leaves the desk the one it has.
#[server(name = SetUp, prefix = "/fn", endpoint = "set_up", output = JsonOutput)]
pub async fn set_up(
    token: String,
    name: String,
    email: String,
    password: String,
    title: String,
    zone: String,
    language: Language,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let admin = NewAccount { email: email.trim().to_owned(), name: name.trim().to_owned(), password };
            let services = ssr::services()?;
            let title = match title.trim() {
                "" => services.settings.settings().await?.title,
                title => title.to_owned(),
            };
            let settings = SiteSettings { title, zone: zone.trim().to_owned(), language };
            let login = services.sessions.set_up(&token, admin, settings, &ssr::caller()?.client).await?;
            ssr::set_session_cookies(&login)?;
            ssr::redirect("/");
            Ok(())
        }
        .await,
    )
}

/// Logs in and redirects to `next`, if it is a path of this server. `stay`: the session outlives the
/// browser.
#[server(name = LogIn, prefix = "/fn", endpoint = "log_in", output = JsonOutput)]
pub async fn log_in(
    email: String,
    password: String,
    next: Option<String>,
    #[server(default)] stay: bool,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let client = Client { stays_logged_in: stay, ..ssr::caller()?.client };
            let login = ssr::services()?.sessions.log_in(email.trim(), &password, &client).await?;
            ssr::set_session_cookies(&login)?;
            match next {
                Some(next) => ssr::redirect(&take_result(&next).0),
                // A form inside of a page that stays open.
                None => ssr::redirect_back("/"),
            }
            Ok(())
        }
        .await,
    )
}

/// Returns what a one-time link is for.
#[server(name = ReadInvitation, prefix = "/fn", endpoint = "invitation", output = JsonOutput)]
pub async fn invitation(token: String) -> Result<Invitation, Refused> {
    ssr::respond(async { ssr::services()?.invitations.invitation(&token).await }.await)
}

/// Accepts a one-time link and logs in.
#[server(name = AcceptInvitation, prefix = "/fn", endpoint = "accept", output = JsonOutput)]
pub async fn accept_invitation(
    token: String,
    name: Option<String>,
    password: String,
    zone: Option<String>,
    language: Option<Language>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let name = name.unwrap_or_default().trim().to_owned();
            let member = NewMember { name, password, zone, language };
            let client = ssr::caller()?.client;
            let login = ssr::services()?.invitations.accept_invitation(&token, member, &client).await?;
            ssr::set_session_cookies(&login)?;
            ssr::redirect("/");
            Ok(())
        }
        .await,
    )
}

/// Changes the user's own profile. `shortcuts`: whether keys without a modifier are shortcuts; an
/// unchecked box is not sent. `answers`: how the user hears of answers to meetings; absent: as before.
#[server(name = ChangeProfile, prefix = "/fn", endpoint = "change_profile", output = JsonOutput)]
pub async fn change_profile(
    name: String,
    zone: String,
    language: Language,
    theme: Theme,
    #[server(default)] shortcuts: bool,
    #[server(default)] answers: Option<AnswerNotices>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let edit = ProfileEdit {
                name: Some(name.trim().to_owned()),
                zone: Some(zone.trim().to_owned()),
                language: Some(language),
                theme: Some(theme),
                has_shortcuts: Some(shortcuts),
                answer_notices: answers,
                ..ProfileEdit::default()
            };
            ssr::services()?.accounts.change_profile(&ssr::actor()?, edit).await?;
            ssr::redirect("/settings/profile?done=save");
            Ok(())
        }
        .await,
    )
}

/// Changes what the user's page as an author shows.
#[server(name = ChangeAuthorPage, prefix = "/fn", endpoint = "change_author_page", output = JsonOutput)]
pub async fn change_author_page(about: String, picture: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let edit = ProfileEdit { about: Some(about), picture: Some(picture), ..ProfileEdit::default() };
            ssr::services()?.accounts.change_profile(&ssr::actor()?, edit).await?;
            ssr::redirect("/settings/profile?done=save");
            Ok(())
        }
        .await,
    )
}

/// Changes the user's own password. Ends all other sessions and revokes all API tokens except
/// `keep`.
#[server(name = ChangePassword, prefix = "/fn", endpoint = "change_password", output = JsonOutput)]
pub async fn change_password(
    old: String,
    password: String,
    #[server(default)] keep: Vec<TokenId>,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let change = PasswordChange { current: old, new: password, keep_tokens: keep };
            let sessions = ssr::services()?.sessions;
            let login = sessions.change_password(&ssr::actor()?, change, &ssr::caller()?.client).await?;
            ssr::set_session_cookies(&login)?;
            ssr::redirect("/settings/profile?done=password");
            Ok(())
        }
        .await,
    )
}

/// The user's own sessions.
#[server(name = ListSessions, prefix = "/fn", endpoint = "sessions", output = JsonOutput)]
pub async fn list_sessions() -> Result<Vec<SessionRow>, Refused> {
    ssr::respond(
        async {
            ssr::services()?.sessions.sessions(&ssr::actor()?, ssr::caller()?.client.session.as_ref()).await
        }
        .await,
    )
}

/// Ends one of the user's own sessions.
#[server(name = EndSession, prefix = "/fn", endpoint = "end_session", output = JsonOutput)]
pub async fn end_session(name: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.sessions.end_session(&ssr::actor()?, &name).await?;
            ssr::redirect("/settings/profile?done=session");
            Ok(())
        }
        .await,
    )
}

/// Ends the user's own sessions except this one.
#[server(name = EndOtherSessions, prefix = "/fn", endpoint = "end_other_sessions", output = JsonOutput)]
pub async fn end_other_sessions() -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.sessions.end_other_sessions(&ssr::actor()?).await?;
            ssr::redirect("/settings/profile?done=sessions");
            Ok(())
        }
        .await,
    )
}

/// The user's own API tokens; for admins, followed by those of other users.
#[server(name = ListTokens, prefix = "/fn", endpoint = "tokens", output = JsonOutput)]
pub async fn list_tokens() -> Result<Vec<TokenRow>, Refused> {
    ssr::respond(
        async {
            let (service, actor) = (ssr::services()?.tokens, ssr::actor()?);
            let mut tokens = service.tokens(&actor).await?;
            if actor.is_admin() {
                tokens.extend(service.tokens_of_others(&actor).await?);
            }
            Ok(tokens)
        }
        .await,
    )
}

/// Creates an API token with `scope`, valid for `days`.
#[server(name = CreateToken, prefix = "/fn", endpoint = "create_token", output = JsonOutput)]
pub async fn create_token(
    name: String,
    days: u32,
    scope: Scope,
    password: Option<String>,
) -> Result<NewToken, Refused> {
    ssr::respond(
        async {
            let actor = ssr::confirmed(password).await?;
            let (row, secret) =
                ssr::services()?.tokens.create_token(&actor, name.trim(), days, scope).await?;
            let created = NewToken { name: row.name, secret };
            ssr::show_once("token", &created, "/settings/tokens");
            Ok(created)
        }
        .await,
    )
}

/// Returns the token that a form without JavaScript has just created; `None` after the first call.
#[server(name = TakeNewToken, prefix = "/fn", endpoint = "new_token", output = JsonOutput)]
pub async fn new_token() -> Result<Option<NewToken>, Refused> {
    ssr::respond(ssr::actor().map(|_| ssr::take_shown_once("token")))
}

/// Revokes one of the user's own API tokens; admins revoke any.
#[server(name = RevokeToken, prefix = "/fn", endpoint = "revoke_token", output = JsonOutput)]
pub async fn revoke_token(id: TokenId) -> Result<(), Refused> {
    ssr::respond(
        async {
            ssr::services()?.tokens.revoke_token(&ssr::actor()?, id).await?;
            ssr::redirect("/settings/tokens?done=revoke");
            Ok(())
        }
        .await,
    )
}
