//! The cards of the Attention page: one for each cause.

use super::{
    card::card,
    entries::{WAITING, cause_of, next_attempt},
    meetings, task_groups,
};
use crate::{
    app_state::AppState,
    deliveries::channels::log,
    services::{Presenter, internal_error},
};
use domain::{
    Actor, ChannelId, DomainError, State, Timestamp,
    attention::{AttentionCard, AttentionCause, AttentionPage},
    delivery::{Answer, DeliveryRow, DeliveryState},
    task::{AttentionGroup, reason},
};
use std::{collections::HashMap, mem};
use store::{
    PoolRole,
    attention::{self, AttentionDelivery},
    backup_run, delivery,
    failing::{self, FailingChannel},
    restore,
};
use uuid::Uuid;

/// Maximum number of messages shown on a card, for each state.
const MAX_CARD_MESSAGES: i64 = 20;
/// Maximum number of messages on the page.
const MAX_PAGE_MESSAGES: usize = 400;

/// Returns the page: the tasks by state and reason, the channels that do not deliver with their
/// messages, and whether all messages are held.
pub async fn read(parts: &AppState, actor: &Actor) -> Result<AttentionPage, DomainError> {
    let groups = task_groups::groups(parts, actor).await?;
    let now = parts.clock.now();
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, now).await?;
    let owner = (!actor.is_admin()).then_some(actor.account);
    let failing = failing::channels(lease.conn(), now).await.map_err(internal_error)?;
    let messages =
        attention::messages(lease.conn(), now, owner, MAX_CARD_MESSAGES).await.map_err(internal_error)?;
    let ids: Vec<Uuid> = messages.iter().take(MAX_PAGE_MESSAGES).map(|one| one.id).collect();
    let records = delivery::find_many(lease.conn(), &ids).await.map_err(internal_error)?;
    let held = match actor.is_admin() {
        true => restore::delivery_hold_since(lease.conn()).await.map_err(internal_error)?,
        false => None,
    };
    let backups = match actor.is_admin() {
        true => backup_run::find_problem(lease.conn()).await.map_err(internal_error)?,
        false => None,
    };
    let (scheduled, delivering) = attention::working(lease.conn()).await.map_err(internal_error)?;
    let of_meetings = meetings::cards(lease.conn(), &presenter).await?;
    drop(lease);
    let rows = log::present_all(records, actor)?.into_iter().map(|row| (row.id.0, row)).collect();
    let mut channels = ChannelCards { presenter: &presenter, rows, cards: Vec::new() };
    channels.add_failing(&failing);
    channels.add_messages(&messages);
    let mut cards: Vec<AttentionCard> = groups.into_iter().map(of_tasks).collect();
    cards.extend(channels.finish());
    cards.extend(of_meetings);
    cards.extend(held.map(|since| AttentionCard {
        since: Some(presenter.moment(since)),
        total: 1,
        changeable: 1,
        ..card("held".to_owned(), AttentionCause::DeliveriesHeld)
    }));
    cards.extend(backups.map(|(problem, since)| AttentionCard {
        reason: problem,
        since: Some(presenter.moment(Timestamp::from_millis(since))),
        total: 1,
        ..card("backups".to_owned(), AttentionCause::BackupsFailing)
    }));
    // That all messages are held explains the cards of the channels. The sort is stable: cards of
    // equal severity keep their order.
    cards.sort_by_key(|card| (card.cause != AttentionCause::DeliveriesHeld, card.cause.severity()));
    Ok(AttentionPage { cards, checked_at: now, scheduled, delivering })
}

fn of_tasks(group: AttentionGroup) -> AttentionCard {
    let AttentionGroup { state, reason, total, changeable, since, tasks } = group;
    let cause = match state {
        _ if reason == reason::ZONE_DATA => AttentionCause::ZoneData,
        _ if reason == reason::PUBLISH_NOW_FAILED => AttentionCause::TaskFailed,
        State::Failed if reason == reason::OLDER_TEXT => AttentionCause::TextOlder,
        State::Failed => AttentionCause::of_review(&reason).unwrap_or(AttentionCause::TaskFailed),
        State::Missed => AttentionCause::of_review(&reason).unwrap_or(AttentionCause::TaskMissed),
        _ => AttentionCause::TaskOverdue,
    };
    let empty = card(format!("{state}:{reason}"), cause);
    AttentionCard { reason, since, total, changeable, tasks, ..empty }
}

/// The cards of channels. Failed messages are on the card of their channel if that does not deliver.
struct ChannelCards<'a> {
    presenter: &'a Presenter<'a>,
    /// Messages of the page that are not on a card yet.
    rows: HashMap<Uuid, DeliveryRow>,
    cards: Vec<AttentionCard>,
}

impl ChannelCards<'_> {
    fn add_failing(&mut self, failing: &[FailingChannel]) {
        let is_admin = self.presenter.actor.is_admin();
        for channel in failing {
            let id = ChannelId(channel.id);
            let answer = Answer {
                status: channel.last_status.and_then(|status| u16::try_from(status).ok()),
                text: channel.last_response_body.clone(),
            };
            let empty = card(format!("channel:{id}"), cause_of(channel, self.presenter.now));
            self.cards.push(AttentionCard {
                channel: Some((id, channel.name.clone())),
                answer: if is_admin { answer } else { Answer::default() },
                since: channel.since.or(channel.failed_at).map(|at| self.presenter.moment(at)),
                next_at: next_attempt(channel).map(Timestamp::from_millis),
                total: if is_admin { channel.undelivered.unsigned_abs() } else { 0 },
                retried: if is_admin { channel.retried.unsigned_abs() } else { 0 },
                ..empty
            });
        }
    }

    fn add_messages(&mut self, messages: &[AttentionDelivery]) {
        let of_group = |one: &AttentionDelivery, next: &AttentionDelivery| {
            (&one.state, one.channel_id) == (&next.state, next.channel_id)
        };
        for group in messages.chunk_by(of_group) {
            self.add_group(group);
        }
    }

    fn add_group(&mut self, group: &[AttentionDelivery]) {
        let (first, total) = (&group[0], group[0].total.unsigned_abs());
        let rows: Vec<DeliveryRow> = group.iter().filter_map(|one| self.rows.remove(&one.id)).collect();
        let is_admin = self.presenter.actor.is_admin();
        let is_unconfirmed = first.state == DeliveryState::Unconfirmed.as_str();
        let place = self.card_of(first, is_unconfirmed);
        let since = first.since.map(|at| self.presenter.moment(at));
        let card = &mut self.cards[place];
        match first.state.as_str() {
            // The total of an admin's card is known already, and exact.
            WAITING if is_admin => {}
            WAITING => card.total += total,
            _ => {
                card.total += total;
                card.failed += total;
            }
        }
        if card.answer == Answer::default() && !is_unconfirmed {
            card.answer = rows.first().map(|row| row.answer.clone()).unwrap_or_default();
        }
        card.since = match (card.since, since) {
            (Some(card), Some(since)) => Some(if since.at < card.at { since } else { card }),
            (card, since) => card.or(since.filter(|_| first.state != WAITING)),
        };
        card.deliveries.extend(rows);
    }

    /// Returns the place of the card for this group; creates the card if it is missing.
    fn card_of(&mut self, first: &AttentionDelivery, is_unconfirmed: bool) -> usize {
        let id = ChannelId(first.channel_id);
        let is_of = |card: &AttentionCard| card.channel.as_ref().is_some_and(|(of, _)| *of == id);
        let is_fit = |card: &AttentionCard| {
            is_of(card) && (card.cause == AttentionCause::DeliveryUnconfirmed) == is_unconfirmed
        };
        if let Some(place) = self.cards.iter().position(is_fit) {
            return place;
        }
        let (state, cause) = match is_unconfirmed {
            true => (DeliveryState::Unconfirmed, AttentionCause::DeliveryUnconfirmed),
            false => (DeliveryState::Failed, AttentionCause::DeliveryFailed),
        };
        let empty = card(format!("messages.{state}:{id}"), cause);
        let is_deleted = first.is_known == 0;
        self.cards.push(AttentionCard { channel: Some((id, first.channel.clone())), is_deleted, ..empty });
        self.cards.len() - 1
    }

    /// Returns the cards that concern the user; newest messages first.
    fn finish(self) -> Vec<AttentionCard> {
        let is_admin = self.presenter.actor.is_admin();
        let mut cards = self.cards;
        cards.retain(|card| is_admin || card.total > 0);
        for card in &mut cards {
            card.changeable = if is_admin { card.total } else { 0 };
            let mut rows = mem::take(&mut card.deliveries);
            rows.sort_by_key(|row| std::cmp::Reverse(row.id.0));
            card.deliveries = rows;
        }
        cards
    }
}
