//! Changing channels. Each change is one transaction with its line of the log; secrets never stand there.

use super::{
    check::checked,
    route::{self, Keep},
};
use crate::{
    channels::{place, signature},
    desk::{broken, proof},
    parts::Parts,
};
use domain::{
    Actor, ChannelId, Refusal,
    channel::{Channel, ChannelEdit, ChannelState, Holder, Secret, Way},
    delivery::DeliveryRow,
};
use serde_json::{Value, json};
use store::{
    StoreError, Tx, Who, channel, delivery,
    event::{self, NewEvent},
};

/// How long the secret before the present one signs too, milliseconds.
const FORMER_MS: i64 = 24 * 3_600_000;

/// A new channel, and its secret if that was made here.
pub async fn add(
    parts: &Parts,
    actor: &Actor,
    new: ChannelEdit,
    given: Option<Secret>,
) -> Result<(ChannelId, Option<Secret>), Refusal> {
    route::is_built(&new.route)?;
    let new = checked(new, &parts.ways.rules)?;
    let id = ChannelId::fresh();
    let keep = route::secret(&new.route, None, given)?;
    let (fresh, sealed) = match keep {
        Keep::This(secret) => (None, Some(sealed(parts, id, secret.0.as_bytes())?)),
        Keep::AsItIs | Keep::Nothing if new.route.holder() == Holder::Signer => {
            let (secret, sealed) = fresh_secret(parts, id)?;
            (Some(secret), Some(sealed))
        }
        Keep::AsItIs | Keep::Nothing => (None, None),
    };
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    channel::insert(tx.conn(), id, &new, sealed.as_deref(), parts.clock.now()).await.map_err(broken)?;
    end(parts, actor, id, tx, "create", json!({"name": new.name, "way": new.route.way()})).await?;
    Ok((id, fresh))
}

fn sealed(parts: &Parts, id: ChannelId, secret: &[u8]) -> Result<String, Refusal> {
    let weak = || broken(StoreError::Corrupt("this machine cannot seal secrets".to_owned()));
    parts.ways.vault.seal(&place(id), secret).ok_or_else(weak)
}

fn fresh_secret(parts: &Parts, id: ChannelId) -> Result<(Secret, String), Refusal> {
    let secret = signature::fresh_secret();
    let weak = || broken(StoreError::Corrupt("a fresh secret cannot be read".to_owned()));
    let sealed = sealed(parts, id, &signature::key(&secret).ok_or_else(weak)?)?;
    Ok((Secret(secret), sealed))
}

/// Other settings, and another secret where one is given.
pub async fn edit(
    parts: &Parts,
    actor: &Actor,
    id: ChannelId,
    edit: ChannelEdit,
    given: Option<Secret>,
) -> Result<(), Refusal> {
    let edit = checked(edit, &parts.ways.rules)?;
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    let found = channel::hold(tx.conn(), id).await.map_err(broken)?;
    let was = Channel::try_from(found.ok_or_else(|| Refusal::no_such("channel"))?).map_err(broken)?;
    if edit.route.way() != was.settings.route.way() {
        return Err(Refusal::WrongWay { way: was.settings.route.way() });
    }
    let keep = route::secret(&edit.route, Some(&was.settings.route), given)?;
    there(channel::change(tx.conn(), id, &edit).await.map_err(broken)?)?;
    match keep {
        Keep::AsItIs => {}
        Keep::Nothing if !was.has_secret => {}
        Keep::Nothing => there(channel::keep_secret(tx.conn(), id, None).await.map_err(broken)?)?,
        Keep::This(secret) => {
            let sealed = sealed(parts, id, secret.0.as_bytes())?;
            there(channel::keep_secret(tx.conn(), id, Some(&sealed)).await.map_err(broken)?)?;
        }
    }
    end(parts, actor, id, tx, "change", json!({"name": edit.name})).await
}

/// A test message, on its way at once.
pub async fn test(parts: &Parts, actor: &Actor, channel: &Channel) -> Result<DeliveryRow, Refusal> {
    if channel.state != ChannelState::Active {
        return Err(stands(channel.state));
    }
    let now = parts.clock.now();
    let body =
        json!({"type": "test", "timestamp": now, "data": {"channel": channel.settings.name}}).to_string();
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    // A rest after failures ends with the try that a person asks for.
    channel::resume(tx.conn(), channel.id, now).await.map_err(broken)?;
    let id = delivery::insert_test(tx.conn(), (channel.id, &channel.settings.name), body, now)
        .await
        .map_err(broken)?;
    end(parts, actor, channel.id, tx, "test", json!({"delivery_id": id})).await?;
    super::log::row(parts, actor, id).await
}

/// Pauses it, or lets it send again.
pub async fn pause(parts: &Parts, actor: &Actor, channel: &Channel, is_paused: bool) -> Result<(), Refusal> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    if is_paused {
        if !channel::pause(tx.conn(), channel.id).await.map_err(broken)? {
            return Err(stands(channel.state));
        }
    } else {
        let is_there = channel::resume(tx.conn(), channel.id, now).await.map_err(broken)?;
        there(is_there)?;
        channel::send_now(tx.conn(), channel.id, now).await.map_err(broken)?;
    }
    let verb = if is_paused { "pause" } else { "resume" };
    end(parts, actor, channel.id, tx, verb, json!({"name": channel.settings.name})).await
}

/// Another secret. The present one signs too for a day.
pub async fn rotate(parts: &Parts, actor: &Actor, was: &Channel) -> Result<Secret, Refusal> {
    let (id, way) = (was.id, was.settings.route.way());
    if way != Way::Webhook {
        return Err(Refusal::WrongWay { way });
    }
    let (secret, sealed) = fresh_secret(parts, id)?;
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    proof::require(tx.conn(), actor, parts.clock.now()).await?;
    let found = channel::find(tx.conn(), id).await.map_err(broken)?;
    let former = found.and_then(|found| found.secret).ok_or_else(|| Refusal::no_such("channel"))?;
    let until = parts.clock.now().plus(FORMER_MS);
    let is_there = channel::rotate(tx.conn(), id, &sealed, &former, until).await.map_err(broken)?;
    there(is_there)?;
    end(parts, actor, id, tx, "rotate", json!({})).await?;
    Ok(secret)
}

/// Ends it.
pub async fn delete(parts: &Parts, actor: &Actor, id: ChannelId) -> Result<(), Refusal> {
    let mut tx = parts.store.begin(Who::People).await.map_err(broken)?;
    let is_there = channel::delete(tx.conn(), id, parts.clock.now()).await.map_err(broken)?;
    there(is_there)?;
    end(parts, actor, id, tx, "delete", json!({})).await
}

fn there(is_there: bool) -> Result<(), Refusal> {
    if is_there { Ok(()) } else { Err(Refusal::no_such("channel")) }
}

fn stands(state: ChannelState) -> Refusal {
    Refusal::WrongState { what: "channel".to_owned(), state: state.to_string() }
}

async fn end(
    parts: &Parts,
    actor: &Actor,
    id: ChannelId,
    mut tx: Tx,
    verb: &'static str,
    detail: Value,
) -> Result<(), Refusal> {
    let plain = NewEvent::plain(parts.clock.now(), Some(actor.person), "channel", id.0, verb);
    event::append(tx.conn(), &[NewEvent { detail: detail.to_string(), ..plain }]).await.map_err(broken)?;
    tx.commit().await.map_err(broken)?;
    parts.committed.notify_waiters();
    parts.posted.notify_one();
    Ok(())
}
