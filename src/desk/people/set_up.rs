//! The first admin, and accounts made from the command line.

use super::{PeopleDesk, check, known, log_in, settings};
use crate::{desk::broken, secret};
use domain::{
    PersonId, Refusal, Role, Timestamp,
    person::{Client, LoggedIn, NewPerson, Person, Theme},
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
    client: &Client,
) -> Result<LoggedIn, Refusal> {
    let token_hash = secret::hash(token);
    is_open(desk, &token_hash).await?;
    let settings = settings::checked(settings)?;
    let email = check::email(&admin.email)?;
    let name = check::person_name(&admin.name)?;
    let password = check::password("password", &admin.password, &[&email, &name])?;
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
    join(desk, tx, &person, &password, (client, "set_up")).await
}

/// Stores a new account, logs it in and commits.
pub async fn join(
    desk: &PeopleDesk,
    mut tx: Tx,
    person: &Person,
    password_hash: &str,
    (client, verb): (&Client, &'static str),
) -> Result<LoggedIn, Refusal> {
    insert(tx.conn(), person, password_hash).await?;
    let (session, mut events) =
        log_in::begin(&mut tx, person.id, client, person.created_at).await.map_err(broken)?;
    events.push(event_of(person, Some(person.id), verb));
    finish(desk, tx, &events).await?;
    Ok(LoggedIn { session, mark: known::mark(desk, person.id, password_hash, None) })
}

async fn is_open(desk: &PeopleDesk, token_hash: &str) -> Result<(), Refusal> {
    let mut lease = desk.parts.store.read(Who::People).await.map_err(broken)?;
    let link = invitation::find(lease.conn(), token_hash, desk.parts.clock.now()).await.map_err(broken)?;
    link.filter(|link| link.purpose == "set_up").map(|_| ()).ok_or(Refusal::LinkSpent)
}

/// Makes an account from the command line.
pub async fn add(desk: &PeopleDesk, new: NewPerson, role: Role) -> Result<Person, Refusal> {
    let email = check::email(&new.email)?;
    let name = check::person_name(&new.name)?;
    let password = check::password("password", &new.password, &[&email, &name])?;
    let password = desk.passwords.hash(password, async { Ok(()) }).await?;
    let now = desk.parts.clock.now();
    let mut tx = desk.parts.store.begin(Who::People).await.map_err(broken)?;
    let settings = setting::desk(tx.conn()).await.map_err(broken)?;
    let person = newcomer(email, name, role, &settings, now);
    insert(tx.conn(), &person, &password).await?;
    if role == Role::Admin {
        invitation::end_set_up(tx.conn()).await.map_err(broken)?;
    }
    finish(desk, tx, &[event_of(&person, None, "create")]).await?;
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
async fn insert(conn: Conn<'_>, person: &Person, password_hash: &str) -> Result<(), Refusal> {
    person::insert(conn, person, Some(password_hash)).await.map_err(|error| {
        if error.is_taken() { Refusal::Taken { what: "e-mail".to_owned() } } else { broken(error) }
    })
}

/// The event of a new account.
fn event_of(person: &Person, actor: Option<PersonId>, verb: &'static str) -> NewEvent {
    let detail = serde_json::json!({ "role": person.role }).to_string();
    NewEvent { detail, ..NewEvent::plain(person.created_at, actor, "person", person.id.0, verb) }
}

async fn finish(desk: &PeopleDesk, mut tx: Tx, events: &[NewEvent]) -> Result<(), Refusal> {
    event::append(tx.conn(), events).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    desk.parts.committed.notify_waiters();
    Ok(())
}
