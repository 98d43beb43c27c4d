//! Accounts of a test server, with their credentials.

use domain::{
    AccountId, Actor, Role,
    account::{Account as DomainAccount, AnswerNotices, Scope, Theme},
};
use presstime::{security::password_hash, server::Server};
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};
use store::{PoolRole, account, invitation, setting};

/// An account with its credentials.
#[derive(Debug, Clone)]
pub struct Account {
    /// For calls without HTTP.
    pub actor: Actor,
    /// Email address.
    pub email: String,
    /// Password.
    pub password: String,
    /// An API token.
    pub token: String,
}

/// Creates an account with this name, directly in the store.
pub async fn create(app: &Server, name: &str, role: Role) -> Account {
    let (email, password) = (format!("{name}@desk.test"), format!("a long word for {name}"));
    let mut tx = app.parts.store.begin(PoolRole::Web).await.expect("the database answers");
    let site_settings = setting::site_settings(tx.conn()).await.expect("the site has settings");
    let domain_account = DomainAccount {
        id: AccountId::generate(),
        email: email.clone(),
        name: name.to_owned(),
        role,
        is_disabled: false,
        zone: site_settings.zone,
        language: site_settings.language,
        theme: Theme::Auto,
        has_shortcuts: true,
        answer_notices: AnswerNotices::Bell,
        about: String::new(),
        picture: String::new(),
        created_at: app.parts.clock.now(),
    };
    account::insert(tx.conn(), &domain_account, Some(&hash(&password)))
        .await
        .expect("the account is created");
    invitation::end_set_up(tx.conn()).await.expect("set-up is closed");
    tx.commit().await.expect("the account is committed");
    let (_, token) =
        app.accounts.create_token_for(&email, "test", Scope::Write).await.expect("a token is created");
    let actor = Actor {
        account: domain_account.id,
        role,
        zone: domain_account.zone,
        language: domain_account.language,
        idempotency: None,
        session: None,
    };
    Account { actor, email, password, token }
}

/// Hashes each password once for all tests: hashing per test took a sixth of their time.
fn hash(password: &str) -> String {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let made = || password_hash::hash(password, &mut password_hash::Memory::default()).expect("a hash");
    known.entry(password.to_owned()).or_insert_with(made).clone()
}
