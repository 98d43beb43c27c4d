//! People: accounts, sessions, tokens, links, settings.

use crate::parts::Parts;
use async_trait::async_trait;
use domain::{
    Actor, PersonId, Refusal, Role, TokenId,
    desk::People,
    person::{
        Invitation, Leftover, Link, NewPerson, Person, ProfileEdit, SessionRow, SessionSecret, TokenRow,
    },
    settings::DeskSettings,
    task::TaskRow,
};

/// What people can do with accounts.
#[derive(Clone)]
pub struct PeopleDesk {
    /// What it is built from.
    pub parts: Parts,
}

impl PeopleDesk {
    /// The desk of people over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self { parts }
    }

    /// A fresh one-time token for making the first admin (`/setup?token=…`); earlier ones stop working. `None`: there is an
    /// admin, set-up is closed for good.
    pub async fn offer_set_up(&self) -> Result<Option<String>, Refusal> {
        Err(Refusal::Unavailable)
    }

    /// Who is behind a session's secret; `None`: nobody, any more. Notes that it was used, at most once a minute.
    pub async fn authenticate_session(&self, _secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
        Err(Refusal::Unavailable)
    }

    /// Who is behind an API token as sent; `None`: nobody. Notes that it was used, to the minute.
    pub async fn authenticate_token(&self, _token: &str) -> Result<Option<Actor>, Refusal> {
        Err(Refusal::Unavailable)
    }

    /// A new account from the command line; works before set-up, and closes it if the role is admin.
    pub async fn add_person(&self, _person: NewPerson, _role: Role) -> Result<Person, Refusal> {
        Err(Refusal::Unavailable)
    }

    /// A new API token for whoever has this address, from the command line: good for a year, shown once.
    pub async fn create_token_for(&self, _email: &str, _name: &str) -> Result<(TokenRow, String), Refusal> {
        Err(Refusal::Unavailable)
    }
}

#[async_trait]
impl People for PeopleDesk {
    async fn settings(&self) -> Result<DeskSettings, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn change_settings(
        &self,
        _actor: &Actor,
        _settings: DeskSettings,
    ) -> Result<DeskSettings, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn needs_set_up(&self) -> Result<bool, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn set_up(
        &self,
        _token: &str,
        _admin: NewPerson,
        _settings: DeskSettings,
        _agent: &str,
    ) -> Result<SessionSecret, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn log_in(
        &self,
        _email: &str,
        _password: &str,
        _address: &str,
        _agent: &str,
    ) -> Result<SessionSecret, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn log_out(&self, _secret: &SessionSecret) -> Result<(), Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn me(&self, _actor: &Actor) -> Result<Person, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn change_profile(&self, _actor: &Actor, _edit: ProfileEdit) -> Result<Person, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn change_password(
        &self,
        _actor: &Actor,
        _old: &str,
        _new: &str,
        _agent: &str,
    ) -> Result<SessionSecret, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn sessions(
        &self,
        _actor: &Actor,
        _current: Option<&SessionSecret>,
    ) -> Result<Vec<SessionRow>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn end_session(&self, _actor: &Actor, _name: &str) -> Result<(), Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn list(&self, _actor: &Actor) -> Result<Vec<Person>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn invite(&self, _actor: &Actor, _email: &str, _name: &str, _role: Role) -> Result<Link, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn reset(&self, _actor: &Actor, _id: PersonId) -> Result<Link, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn invitation(&self, _token: &str) -> Result<Invitation, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn accept(
        &self,
        _token: &str,
        _name: &str,
        _password: &str,
        _agent: &str,
    ) -> Result<SessionSecret, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn change_role(&self, _actor: &Actor, _id: PersonId, _role: Role) -> Result<Person, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn waiting_of(&self, _actor: &Actor, _id: PersonId) -> Result<Vec<TaskRow>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn disable(
        &self,
        _actor: &Actor,
        _id: PersonId,
        _leftover: Option<Leftover>,
    ) -> Result<Person, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn enable(&self, _actor: &Actor, _id: PersonId) -> Result<Person, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn tokens(&self, _actor: &Actor) -> Result<Vec<TokenRow>, Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn create_token(
        &self,
        _actor: &Actor,
        _name: &str,
        _days: u32,
    ) -> Result<(TokenRow, String), Refusal> {
        Err(Refusal::Unavailable)
    }
    async fn revoke_token(&self, _actor: &Actor, _id: TokenId) -> Result<(), Refusal> {
        Err(Refusal::Unavailable)
    }
}
