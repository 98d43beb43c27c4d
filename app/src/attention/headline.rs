//! The first line of a card, and the numbers after it.

use crate::tasks::target::title_of;
use domain::{
    attention::{AttentionCard, AttentionCause},
    delivery::Outcome,
};
use texts::attention::card::CardTexts;
use texts::{deliveries::ChannelTexts, number::counted};

/// Maximum number of characters quoted from a response.
const MAX_QUOTED_CHARS: usize = 160;

/// Returns the problem in one sentence; for a channel with the answer of its receiver.
pub fn headline(texts: CardTexts, card: &AttentionCard) -> String {
    let channel = || card.channel.as_ref().map(|(_, name)| name.clone()).unwrap_or_default();
    match card.cause {
        AttentionCause::ChannelFailing | AttentionCause::ChannelDelayed | AttentionCause::DeliveryFailed => {
            let answer = ChannelTexts(texts.0).answer_line(&card.answer, MAX_QUOTED_CHARS);
            match (card.answer.status, answer) {
                (Some(status), answer) => {
                    let quoted = answer.map(|answer| texts.quoted(answer)).unwrap_or_default();
                    format!("{}{quoted}", texts.answers(channel(), status))
                }
                (None, Some(_)) if card.answer.failed_outcome() == Outcome::Unknown => {
                    texts.no_answer(channel())
                }
                (None, Some(why)) => texts.not_reachable(channel(), why),
                (None, None) => texts.not_accepting(channel()),
            }
        }
        AttentionCause::ChannelOff => texts.switched_off(channel()),
        AttentionCause::DeliveryUnconfirmed => texts.no_answer(channel()),
        AttentionCause::DeliveriesHeld => texts.held().to_owned(),
        AttentionCause::BackupsFailing => texts.backup_problem(&card.reason).to_owned(),
        AttentionCause::TaskFailed => of_tasks(texts, card, |t| texts.failed_one(t), |n| texts.failed(n)),
        AttentionCause::TaskMissed => of_tasks(texts, card, |t| texts.missed_one(t), |n| texts.missed(n)),
        AttentionCause::TaskOverdue => of_tasks(texts, card, |t| texts.overdue_one(t), |n| texts.overdue(n)),
        AttentionCause::TextOlder => of_tasks(texts, card, |t| texts.older_one(t), |n| texts.older(n)),
        AttentionCause::TaskHeld => of_tasks(texts, card, |t| texts.held_one(t), |n| texts.held_many(n)),
        AttentionCause::MeetingExpiring => {
            of_meetings(card, |t| texts.expiring_one(t), |n| texts.expiring(n))
        }
        AttentionCause::MeetingHeld => {
            of_meetings(card, |t| texts.meeting_held_one(t), |n| texts.meetings_held(n))
        }
        AttentionCause::MeetingReleased => {
            of_meetings(card, |t| texts.released_one(t), |n| texts.released(n))
        }
        AttentionCause::ZoneData => of_tasks(texts, card, |t| texts.zones_one(t), |n| texts.zones(n)),
    }
}

fn of_tasks(
    texts: CardTexts,
    card: &AttentionCard,
    one: impl Fn(String) -> String,
    many: impl Fn(String) -> String,
) -> String {
    match &card.tasks[..] {
        [task] if card.total == 1 => one(title_of(texts.0, task)),
        _ => many(counted(card.total)),
    }
}

fn of_meetings(
    card: &AttentionCard,
    one: impl Fn(String) -> String,
    many: impl Fn(String) -> String,
) -> String {
    match &card.meetings[..] {
        [meeting] if card.total == 1 => one(meeting.title.clone()),
        _ => many(counted(card.total)),
    }
}

/// Returns the numbers of messages of a channel's card: how many did not arrive, and how many of
/// them are retried, wait or are held. `are_all_held`: whether no channel sends.
pub fn numbers(texts: CardTexts, card: &AttentionCard, are_all_held: bool) -> Vec<String> {
    if card.channel.is_none() || card.total == 0 {
        return Vec::new();
    }
    let all = match card.total {
        1 => texts.message_one().to_owned(),
        total => texts.messages(counted(total)),
    };
    let waiting = card.total.saturating_sub(card.failed);
    let held = if are_all_held || card.cause == AttentionCause::ChannelOff { waiting } else { 0 };
    let retried = card.retried.min(waiting - held);
    let is_ended = card.cause == AttentionCause::DeliveryUnconfirmed;
    let parts = [
        (card.failed > 0 && !is_ended).then(|| texts.not_delivered(counted(card.failed))),
        (retried > 0).then(|| texts.retried(counted(retried))),
        (waiting > retried + held).then(|| texts.waiting(counted(waiting - retried - held))),
        (held > 0).then(|| texts.messages_held(counted(held))),
    ];
    [Some(all)].into_iter().chain(parts).flatten().collect()
}
