//! The account service authenticates the requests of the web layer.

use crate::{accounts::AccountService, http::auth::Authenticator};
use async_trait::async_trait;
use domain::{
    Actor, DomainError,
    account::{Scope, SessionSecret},
};

#[async_trait]
impl Authenticator for AccountService {
    async fn session(&self, secret: &SessionSecret) -> Result<Option<Actor>, DomainError> {
        self.authenticate_session(secret).await
    }

    async fn peek_session(&self, secret: &SessionSecret) -> Result<Option<Actor>, DomainError> {
        self.look_at_session(secret).await
    }

    async fn token(&self, token: &str) -> Result<Option<(Actor, Scope)>, DomainError> {
        self.authenticate_token(token).await
    }
}
