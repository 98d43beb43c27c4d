//! Creates the first admin, and accounts from the command line.

use super::{AccountService, check, known_browser, log_in, settings};
use crate::{security::tokens, services::internal_error};
use domain::{
    AccountId, DomainError, FieldProblems, Role, Timestamp,
    account::{Account, AnswerNotices, Client, LoggedIn, NewAccount, Theme},
    settings::SiteSettings,
};
use store::{
    Conn, PoolRole, StoreError, Tx, account,
    event::{self, NewEvent},
    invitation::{self, InvitationRecord},
    review_settings, setting,
};

/// Whether there is no admin yet.
pub async fn is_needed(service: &AccountService) -> Result<bool, DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    Ok(!account::has_admin(lease.conn()).await.map_err(internal_error)?)
}

/// Creates a token for creating the first admin; `None`: there is an admin.
pub async fn offer(service: &AccountService) -> Result<Option<String>, DomainError> {
    offer_token(service).await.map_err(internal_error)
}

async fn offer_token(service: &AccountService) -> Result<Option<String>, StoreError> {
    let mut tx = service.parts.store.begin(PoolRole::Web).await?;
    invitation::end_set_up(tx.conn()).await?;
    if account::has_admin(tx.conn()).await? {
        tx.commit().await?;
        return Ok(None);
    }
    let token = tokens::generate_secret();
    let link = InvitationRecord {
        token_hash: tokens::hash(&token),
        purpose: "set_up".to_owned(),
        account_id: None,
        email: String::new(),
        name: String::new(),
        role: Role::Admin.as_str().to_owned(),
        expires_at: i64::MAX,
    };
    invitation::insert(tx.conn(), &link).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// Creates the first admin and logs them in.
pub async fn set_up(
    service: &AccountService,
    token: &str,
    admin: NewAccount,
    settings: SiteSettings,
    client: &Client,
) -> Result<LoggedIn, DomainError> {
    let token_hash = tokens::hash(token);
    is_open(service, &token_hash).await?;
    let mut problems = FieldProblems::default();
    let name = problems.take(check::person_name(&admin.name))?;
    let email = problems.take(check::email(&admin.email))?;
    let password = problems.take(check::password("password", &admin.password, &[&email, &name]))?;
    let settings = settings::checked(settings, problems)?;
    let password = service.passwords.hash(password, is_open(service, &token_hash)).await?;

    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let link = invitation::consume(tx.conn(), &token_hash, now).await.map_err(internal_error)?;
    if link.is_none_or(|link| link.purpose != "set_up")
        || account::has_admin(tx.conn()).await.map_err(internal_error)?
    {
        return Err(DomainError::LinkSpent);
    }
    setting::put_site_settings(tx.conn(), &settings).await.map_err(internal_error)?;
    review_settings::put_of_new_desk(tx.conn()).await.map_err(internal_error)?;
    let person = new_account(email, name, Role::Admin, &settings, now);
    store_and_log_in(service, tx, &person, &password, (client, "set_up")).await
}

/// Stores a new account, logs it in, and commits.
pub async fn store_and_log_in(
    service: &AccountService,
    mut tx: Tx,
    person: &Account,
    password_hash: &str,
    (client, verb): (&Client, &'static str),
) -> Result<LoggedIn, DomainError> {
    insert(tx.conn(), person, password_hash).await?;
    let (session, mut events) =
        log_in::begin(&mut tx, person.id, client, person.created_at).await.map_err(internal_error)?;
    events.push(event_of(person, Some(person.id), verb));
    commit_with_events(service, tx, &events).await?;
    let known_browser = known_browser::mark(service, person.id, password_hash, None);
    Ok(LoggedIn { session, known_browser, is_persistent: client.stays_logged_in })
}

async fn is_open(service: &AccountService, token_hash: &str) -> Result<(), DomainError> {
    let mut lease = service.parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let link = invitation::find(lease.conn(), token_hash, service.parts.clock.now())
        .await
        .map_err(internal_error)?;
    link.filter(|link| link.purpose == "set_up").map(|_| ()).ok_or(DomainError::LinkSpent)
}

/// Creates an account from the command line.
pub async fn add(service: &AccountService, new: NewAccount, role: Role) -> Result<Account, DomainError> {
    let email = check::email(&new.email)?;
    let name = check::person_name(&new.name)?;
    let password = check::password("password", &new.password, &[&email, &name])?;
    let password = service.passwords.hash(password, async { Ok(()) }).await?;
    let now = service.parts.clock.now();
    let mut tx = service.parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let settings = setting::site_settings(tx.conn()).await.map_err(internal_error)?;
    let person = new_account(email, name, role, &settings, now);
    if role == Role::Admin && !account::has_admin(tx.conn()).await.map_err(internal_error)? {
        review_settings::put_of_new_desk(tx.conn()).await.map_err(internal_error)?;
    }
    insert(tx.conn(), &person, &password).await?;
    if role == Role::Admin {
        invitation::end_set_up(tx.conn()).await.map_err(internal_error)?;
    }
    commit_with_events(service, tx, &[event_of(&person, None, "create")]).await?;
    Ok(person)
}

/// Returns a new account with the site's time zone and language.
pub fn new_account(
    email: String,
    name: String,
    role: Role,
    settings: &SiteSettings,
    now: Timestamp,
) -> Account {
    Account {
        id: AccountId::generate(),
        email,
        name,
        role,
        is_disabled: false,
        zone: settings.zone.clone(),
        language: settings.language,
        theme: Theme::Auto,
        has_shortcuts: true,
        answer_notices: AnswerNotices::Bell,
        about: String::new(),
        picture: String::new(),
        created_at: now,
    }
}

/// Stores a new account; `Taken` if the address has an account.
async fn insert(conn: Conn<'_>, person: &Account, password_hash: &str) -> Result<(), DomainError> {
    account::insert(conn, person, Some(password_hash)).await.map_err(|error| {
        if error.is_unique_violation() {
            DomainError::Taken { what: "e-mail".to_owned() }
        } else {
            internal_error(error)
        }
    })
}

/// Returns the event of a new account.
fn event_of(person: &Account, actor: Option<AccountId>, verb: &'static str) -> NewEvent {
    let detail = serde_json::json!({ "role": person.role }).to_string();
    NewEvent { detail, ..NewEvent::simple(person.created_at, actor, "account", person.id.0, verb) }
}

async fn commit_with_events(
    service: &AccountService,
    mut tx: Tx,
    events: &[NewEvent],
) -> Result<(), DomainError> {
    event::append(tx.conn(), events).await.map_err(internal_error)?;
    tx.commit().await.map_err(internal_error)?;
    service.parts.committed.notify_waiters();
    Ok(())
}
