//! People: accounts, sessions, tokens, links, settings.

mod account;
mod browser;
mod check;
mod known;
mod link;
mod log_in;
mod password;
mod session;
mod set_up;
mod settings;
mod token;
mod tries;

pub use check::{is_email, name as checked_name};

use crate::parts::Parts;
use async_trait::async_trait;
use domain::{
    Actor, PersonId, Refusal, Role, TokenId,
    desk::People,
    person::{
        Client, Invitation, Leftover, Link, LoggedIn, NewPassword, NewPerson, Person, ProfileEdit, Scope,
        SessionRow, SessionSecret, TokenRow,
    },
    settings::DeskSettings,
    task::TaskRow,
};
use std::sync::Arc;

/// What people can do with accounts.
#[derive(Clone)]
pub struct PeopleDesk {
    /// What it is built from.
    pub parts: Parts,
    passwords: Arc<password::Passwords>,
}

impl PeopleDesk {
    /// The desk of people over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts, passwords: Arc::default() }
    }

    /// A fresh one-time token for making the first admin (`/setup?token=…`); earlier ones stop working. `None`: there is an
    /// admin, set-up is closed for good.
    pub async fn offer_set_up(&self) -> Result<Option<String>, Refusal> {
        set_up::offer(self).await
    }

    /// Who is behind a session's secret; `None`: nobody, any more. Notes that it was used, at most once a minute.
    pub async fn authenticate_session(&self, secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
        session::authenticate(self, secret).await
    }

    /// The same without noting that it was used: what only listens does not keep a session alive.
    pub async fn look_at_session(&self, secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
        session::look(self, secret).await.map(|seen| seen.map(|seen| seen.actor))
    }

    /// Who is behind an API token as sent, and what it opens; `None`: nobody. Notes that it was used, to the minute.
    pub async fn authenticate_token(&self, token: &str) -> Result<Option<(Actor, Scope)>, Refusal> {
        token::authenticate(self, token).await
    }

    /// A new account from the command line; works before set-up, and closes it if the role is admin.
    pub async fn add_person(&self, person: NewPerson, role: Role) -> Result<Person, Refusal> {
        set_up::add(self, person, role).await
    }

    /// A new API token for whoever has this address, from the command line: good for a year, shown once.
    pub async fn create_token_for(
        &self,
        email: &str,
        name: &str,
        scope: Scope,
    ) -> Result<(TokenRow, String), Refusal> {
        token::create_for(self, email, name, scope).await
    }
}

/// Refuses everybody but admins.
fn admin_only(actor: &Actor) -> Result<(), Refusal> {
    if actor.is_admin() { Ok(()) } else { Err(Refusal::NotAllowed) }
}

#[async_trait]
impl People for PeopleDesk {
    async fn settings(&self) -> Result<DeskSettings, Refusal> {
        settings::read(self).await
    }
    async fn change_settings(&self, actor: &Actor, settings: DeskSettings) -> Result<DeskSettings, Refusal> {
        settings::change(self, actor, settings).await
    }
    async fn needs_set_up(&self) -> Result<bool, Refusal> {
        set_up::is_needed(self).await
    }
    async fn set_up(
        &self,
        token: &str,
        admin: NewPerson,
        settings: DeskSettings,
        client: &Client,
    ) -> Result<LoggedIn, Refusal> {
        set_up::set_up(self, token, admin, settings, client).await
    }
    async fn log_in(&self, email: &str, password: &str, client: &Client) -> Result<LoggedIn, Refusal> {
        log_in::log_in(self, email, password, client).await
    }
    async fn log_out(&self, secret: &SessionSecret) -> Result<(), Refusal> {
        log_in::log_out(self, secret).await
    }
    async fn me(&self, actor: &Actor) -> Result<Person, Refusal> {
        account::me(self, actor).await
    }
    async fn change_profile(&self, actor: &Actor, edit: ProfileEdit) -> Result<Person, Refusal> {
        account::change_profile(self, actor, edit).await
    }
    async fn change_password(
        &self,
        actor: &Actor,
        change: NewPassword,
        client: &Client,
    ) -> Result<LoggedIn, Refusal> {
        log_in::change_password(self, actor, change, client).await
    }
    async fn confirm_password(
        &self,
        actor: &Actor,
        password: &str,
        client: &Client,
    ) -> Result<Actor, Refusal> {
        log_in::confirm_password(self, actor, password, client).await
    }
    async fn sessions(
        &self,
        actor: &Actor,
        current: Option<&SessionSecret>,
    ) -> Result<Vec<SessionRow>, Refusal> {
        session::list(self, actor, current).await
    }
    async fn end_session(&self, actor: &Actor, name: &str) -> Result<(), Refusal> {
        session::end(self, actor, name).await
    }
    async fn list(&self, actor: &Actor) -> Result<Vec<Person>, Refusal> {
        account::list(self, actor).await
    }
    async fn invite(&self, actor: &Actor, email: &str, name: &str, role: Role) -> Result<Link, Refusal> {
        link::invite(self, actor, email, name, role).await
    }
    async fn reset(&self, actor: &Actor, id: PersonId) -> Result<Link, Refusal> {
        link::reset(self, actor, id).await
    }
    async fn invitation(&self, token: &str) -> Result<Invitation, Refusal> {
        link::find(self, token).await
    }
    async fn accept(
        &self,
        token: &str,
        name: &str,
        password: &str,
        client: &Client,
    ) -> Result<LoggedIn, Refusal> {
        link::accept(self, token, name, password, client).await
    }
    async fn change_role(&self, actor: &Actor, id: PersonId, role: Role) -> Result<Person, Refusal> {
        account::change_role(self, actor, id, role).await
    }
    async fn waiting_of(&self, actor: &Actor, id: PersonId) -> Result<Vec<TaskRow>, Refusal> {
        account::waiting_of(self, actor, id).await
    }
    async fn disable(
        &self,
        actor: &Actor,
        id: PersonId,
        leftover: Option<Leftover>,
    ) -> Result<Person, Refusal> {
        account::disable(self, actor, id, leftover).await
    }
    async fn enable(&self, actor: &Actor, id: PersonId) -> Result<Person, Refusal> {
        account::enable(self, actor, id).await
    }
    async fn tokens(&self, actor: &Actor) -> Result<Vec<TokenRow>, Refusal> {
        token::list(self, actor).await
    }
    async fn create_token(
        &self,
        actor: &Actor,
        name: &str,
        days: u32,
        scope: Scope,
    ) -> Result<(TokenRow, String), Refusal> {
        let wanted = token::Wanted { name, days, scope };
        token::create(self, actor, wanted).await
    }
    async fn tokens_of_others(&self, actor: &Actor) -> Result<Vec<TokenRow>, Refusal> {
        token::of_others(self, actor).await
    }
    async fn revoke_token(&self, actor: &Actor, id: TokenId) -> Result<(), Refusal> {
        token::revoke(self, actor, id).await
    }
}
