//! One's own account: set-up, log-in, profile, sessions, tokens.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told};
use domain::{
    TokenId,
    person::{Invitation, Language, Scope, SessionRow, Theme, TokenRow},
};
#[cfg(feature = "ssr")]
use domain::{
    person::{NewPassword, NewPerson, ProfileEdit},
    settings::DeskSettings,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// An API token with its secret. Shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshToken {
    /// What it is for.
    pub name: String,
    /// The secret.
    pub secret: String,
}

/// Whether the first admin is still to be made.
#[server(name = NeedsSetUp, prefix = "/fn", endpoint = "needs_set_up", output = Told)]
pub async fn needs_set_up() -> Result<bool, Refused> {
    ssr::answer(async { ssr::desk()?.people.needs_set_up().await }.await)
}

/// Makes the first admin and logs them in.
#[server(name = SetUp, prefix = "/fn", endpoint = "set_up", output = Told)]
pub async fn set_up(
    token: String,
    name: String,
    email: String,
    password: String,
    title: String,
    zone: String,
    language: Language,
) -> Result<(), Refused> {
    ssr::answer(
        async {
            let admin = NewPerson { email: email.trim().to_owned(), name: name.trim().to_owned(), password };
            let settings =
                DeskSettings { title: title.trim().to_owned(), zone: zone.trim().to_owned(), language };
            let fresh = ssr::desk()?.people.set_up(&token, admin, settings, &ssr::caller()?.client).await?;
            ssr::keep_log_in(&fresh)?;
            ssr::go("/");
            Ok(())
        }
        .await,
    )
}

/// Logs in and goes on to `next`, if that is a page of this desk.
#[server(name = LogIn, prefix = "/fn", endpoint = "log_in", output = Told)]
pub async fn log_in(email: String, password: String, next: Option<String>) -> Result<(), Refused> {
    ssr::answer(
        async {
            let client = ssr::caller()?.client;
            let fresh = ssr::desk()?.people.log_in(email.trim(), &password, &client).await?;
            ssr::keep_log_in(&fresh)?;
            ssr::go(next.as_deref().unwrap_or("/"));
            Ok(())
        }
        .await,
    )
}

/// What a link is for.
#[server(name = ReadInvitation, prefix = "/fn", endpoint = "invitation", output = Told)]
pub async fn invitation(token: String) -> Result<Invitation, Refused> {
    ssr::answer(async { ssr::desk()?.people.invitation(&token).await }.await)
}

/// Takes up a link and logs in.
#[server(name = AcceptInvitation, prefix = "/fn", endpoint = "accept", output = Told)]
pub async fn accept_invitation(token: String, name: Option<String>, password: String) -> Result<(), Refused> {
    ssr::answer(
        async {
            let name = name.unwrap_or_default();
            let client = ssr::caller()?.client;
            let fresh = ssr::desk()?.people.accept(&token, name.trim(), &password, &client).await?;
            ssr::keep_log_in(&fresh)?;
            ssr::go("/");
            Ok(())
        }
        .await,
    )
}

/// Changes one's own profile.
#[server(name = ChangeProfile, prefix = "/fn", endpoint = "change_profile", output = Told)]
pub async fn change_profile(
    name: String,
    zone: String,
    language: Language,
    theme: Theme,
) -> Result<(), Refused> {
    ssr::answer(
        async {
            let edit = ProfileEdit {
                name: Some(name.trim().to_owned()),
                zone: Some(zone.trim().to_owned()),
                language: Some(language),
                theme: Some(theme),
            };
            ssr::desk()?.people.change_profile(&ssr::actor()?, edit).await?;
            ssr::go("/settings/profile?done=save");
            Ok(())
        }
        .await,
    )
}

/// Changes one's own password; all other sessions end, and all API tokens but those to `keep`.
#[server(name = ChangePassword, prefix = "/fn", endpoint = "change_password", output = Told)]
pub async fn change_password(
    old: String,
    password: String,
    #[server(default)] keep: Vec<TokenId>,
) -> Result<(), Refused> {
    ssr::answer(
        async {
            let change = NewPassword { old, new: password, keep };
            let people = ssr::desk()?.people;
            let fresh = people.change_password(&ssr::actor()?, change, &ssr::caller()?.client).await?;
            ssr::keep_log_in(&fresh)?;
            ssr::go("/settings/profile?done=password");
            Ok(())
        }
        .await,
    )
}

/// One's own sessions.
#[server(name = ListSessions, prefix = "/fn", endpoint = "sessions", output = Told)]
pub async fn list_sessions() -> Result<Vec<SessionRow>, Refused> {
    ssr::answer(
        async { ssr::desk()?.people.sessions(&ssr::actor()?, ssr::caller()?.client.session.as_ref()).await }
            .await,
    )
}

/// Ends one of one's own sessions.
#[server(name = EndSession, prefix = "/fn", endpoint = "end_session", output = Told)]
pub async fn end_session(name: String) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.people.end_session(&ssr::actor()?, &name).await?;
            ssr::go("/settings/profile?done=session");
            Ok(())
        }
        .await,
    )
}

/// One's own API tokens; for admins, those of everybody else after them.
#[server(name = ListTokens, prefix = "/fn", endpoint = "tokens", output = Told)]
pub async fn list_tokens() -> Result<Vec<TokenRow>, Refused> {
    ssr::answer(
        async {
            let (people, actor) = (ssr::desk()?.people, ssr::actor()?);
            let mut tokens = people.tokens(&actor).await?;
            if actor.is_admin() {
                tokens.extend(people.tokens_of_others(&actor).await?);
            }
            Ok(tokens)
        }
        .await,
    )
}

/// A new API token, good for `days`, that opens `scope`.
#[server(name = CreateToken, prefix = "/fn", endpoint = "create_token", output = Told)]
pub async fn create_token(
    name: String,
    days: u32,
    scope: Scope,
    password: Option<String>,
) -> Result<FreshToken, Refused> {
    ssr::answer(
        async {
            let actor = ssr::confirmed(password).await?;
            let (row, secret) = ssr::desk()?.people.create_token(&actor, name.trim(), days, scope).await?;
            let fresh = FreshToken { name: row.name, secret };
            ssr::show_once("token", &fresh, "/settings/tokens");
            Ok(fresh)
        }
        .await,
    )
}

/// The token made a moment ago by a form without JavaScript; `None` the second time.
#[server(name = TakeFreshToken, prefix = "/fn", endpoint = "fresh_token", output = Told)]
pub async fn fresh_token() -> Result<Option<FreshToken>, Refused> {
    ssr::answer(ssr::actor().map(|_| ssr::take_once("token")))
}

/// Ends one of one's own API tokens; admins end any.
#[server(name = RevokeToken, prefix = "/fn", endpoint = "revoke_token", output = Told)]
pub async fn revoke_token(id: TokenId) -> Result<(), Refused> {
    ssr::answer(
        async {
            ssr::desk()?.people.revoke_token(&ssr::actor()?, id).await?;
            ssr::go("/settings/tokens?done=revoke");
            Ok(())
        }
        .await,
    )
}
