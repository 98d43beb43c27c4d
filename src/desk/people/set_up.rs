//! The first admin, and accounts made from the command line.

use super::{PeopleDesk, check, log_in, settings};
use crate::{desk::broken, secret};
use domain::{
    PersonId, Refusal, Role, Timestamp,
    person::{NewPerson, Person, SessionSecret, Theme},
    settings::DeskSettings,
};
use store::{
    Conn, StoreError, Tx, Who,
    event::{self, NewEvent},
    invitation::{self, InvitationRecord},
    person, setting,
};

/// Whether the first admin is still to be made.
pub async fn is_needed(desk: &PeopleDesk) -> Result<bool, Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    Ok(!person::has_admin(lease.conn()).await.map_err(broken)?)
}

/// A fresh token for making the first admin; `None`: there is one.
pub async fn offer(desk: &PeopleDesk) -> Result<Option<String>, Refusal> {
    offer_token(desk).await.map_err(broken)
}

async fn offer_token(desk: &PeopleDesk) -> Result<Option<String>, StoreError> {
    let mut tx = desk.parts.store.begin(Who::People).await?;
    invitation::end_set_up(tx.conn()).await?;
    if person::has_admin(tx.conn()).await? {
        tx.commit().await?;
        return Ok(None);
    }
    let token = secret::fresh();
    let link = InvitationRecord {
        token_hash: secret::hash(&token),
        purpose: "set_up".to_owned(),
        person_id: None,
        email: String::new(),
        name: String::new(),
        role: Role::Admin.as_str().to_owned(),
        expires_at: i64::MAX,
    };
    invitation::insert(tx.conn(), &link).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// Makes the first admin and logs them in.
pub async fn set_up(
    desk: &PeopleDesk,
    token: &str,
    admin: NewPerson,
    settings: DeskSettings,
    agent: &str,
) -> Result<SessionSecret, Refusal> {
    let token_hash = secret::hash(token);
    is_open(desk, &token_hash).await?;
    let settings = settings::checked(settings)?;
    let email = check::email(&admin.email)?;
    let name = check::name("name", &admin.name)?;
    let password = check::password("password", &admin.password)?;
    let password = desk.passwords.hash(password, is_open(desk, &token_hash)).await?;

    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let link = invitation::take(tx.conn(), &token_hash, now).await.map_err(broken)?;
    if link.is_none_or(|link| link.purpose != "set_up")
        || person::has_admin(tx.conn()).await.map_err(broken)?
    {
        return Err(Refusal::LinkSpent);
    }
    setting::put_desk(tx.conn(), &settings).await.map_err(broken)?;
    let person = newcomer(email, name, Role::Admin, &settings, now);
    insert(tx.conn(), &person, &password).await?;
    let session = log_in::begin(tx.conn(), person.id, agent, now).await.map_err(broken)?;
    finish(desk, tx, &person, Some(person.id), "set_up").await?;
    Ok(session)
}

async fn is_open(desk: &PeopleDesk, token_hash: &str) -> Result<(), Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let link = invitation::find(lease.conn(), token_hash, desk.parts.clock.now()).await.map_err(broken)?;
    link.filter(|link| link.purpose == "set_up").map(|_| ()).ok_or(Refusal::LinkSpent)
}

/// Makes an account from the command line.
pub async fn add(desk: &PeopleDesk, new: NewPerson, role: Role) -> Result<Person, Refusal> {
    let email = check::email(&new.email)?;
    let name = check::name("name", &new.name)?;
    let password = check::password("password", &new.password)?;
    let password = desk.passwords.hash(password, async { Ok(()) }).await?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let settings = setting::desk(tx.conn()).await.map_err(broken)?;
    let person = newcomer(email, name, role, &settings, now);
    insert(tx.conn(), &person, &password).await?;
    if role == Role::Admin {
        invitation::end_set_up(tx.conn()).await.map_err(broken)?;
    }
    finish(desk, tx, &person, None, "create").await?;
    Ok(person)
}

/// Somebody new, with the desk's zone and language until they choose their own.
pub fn newcomer(email: String, name: String, role: Role, settings: &DeskSettings, now: Timestamp) -> Person {
    Person {
        id: PersonId::fresh(),
        email,
        name,
        role,
        is_disabled: false,
        zone: settings.zone.clone(),
        language: settings.language,
        theme: Theme::Auto,
        created_at: now,
    }
}

/// Stores somebody new; `Taken` if the address has an account.
pub async fn insert(conn: Conn<'_>, person: &Person, password_hash: &str) -> Result<(), Refusal> {
    person::insert(conn, person, Some(password_hash)).await.map_err(|error| {
        if error.is_taken() { Refusal::Taken { what: "e-mail".to_owned() } } else { broken(error) }
    })
}

/// Writes the event of a new account and commits.
pub async fn finish(
    desk: &PeopleDesk,
    mut tx: Tx,
    person: &Person,
    actor: Option<PersonId>,
    verb: &'static str,
) -> Result<(), Refusal> {
    let mut event = NewEvent::plain(person.created_at, actor, "person", person.id.0, verb);
    event.detail = serde_json::json!({ "role": person.role }).to_string();
    event::append(tx.conn(), &[event]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}
