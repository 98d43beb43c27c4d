//! What becomes of a delivery after an attempt. Pure: time and chance are parameters.

use crate::channels::{Answer, End};
use domain::{
    ChannelId, DeliveryId, Timestamp,
    channel::Doubt,
    delivery::{DeliveryState, Outcome, Recipient, RecipientOutcome},
    ladder::Ladder,
};
use store::dispatch::{Claimed, Ended};

/// What a channel says about its deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manner {
    /// After which waits a failed message is sent again.
    pub ladder: Ladder,
    /// What to do when an answer was lost.
    pub on_ambiguous: Doubt,
}

impl Manner {
    /// As it stands in SQL; what cannot be read asks a person and is not tried again.
    #[must_use]
    pub fn stored(ladder: Option<&str>, on_ambiguous: Option<&str>) -> Self {
        Self {
            ladder: ladder.unwrap_or_default().parse().unwrap_or_else(|_| Ladder::usual()),
            on_ambiguous: on_ambiguous.and_then(|word| word.parse().ok()).unwrap_or(Doubt::Hold),
        }
    }
}

/// Judges an attempt that ended at `at`. `chance`, from 0 to 1, spreads the waits by a tenth to both sides, so that what
/// failed together does not come again together.
#[must_use]
pub fn judge(claimed: &Claimed, manner: &Manner, mut answer: Answer, at: Timestamp, chance: f64) -> Ended {
    let wait = manner.ladder.wait_ms(claimed.attempts.unsigned_abs());
    let wait = wait.filter(|_| claimed.attempts < claimed.max_attempts);
    settle(&mut answer.recipients, manner, wait.is_some());
    let rests_until = answer.retry_after_ms.map(|millis| at.plus(millis));
    let next = next(manner, &answer, wait.map(|wait| at.plus(spread(wait, chance))), at);
    let (state, not_before) = match next {
        Ok(again) => (DeliveryState::Pending, Some(rests_until.map_or(again, |rest| rest.max(again)))),
        Err(end) => (end, None),
    };
    Ended {
        id: DeliveryId(claimed.id),
        channel: ChannelId(claimed.channel_id),
        epoch: claimed.epoch,
        at,
        is_gone: answer.end == Some(End::Channel),
        is_left: false,
        is_taken: answer.is_taken,
        recipients: answer.recipients,
        outcome: answer.outcome,
        status: answer.status,
        answer: answer.text,
        state,
        not_before,
        rests_until,
    }
}

/// When it is tried again, or how it ended.
fn next(
    manner: &Manner,
    answer: &Answer,
    again: Option<Timestamp>,
    at: Timestamp,
) -> Result<Timestamp, DeliveryState> {
    let is_unknown = answer.outcome == Outcome::Unknown;
    match answer.outcome {
        _ if !answer.recipients.is_empty() => return of_recipients(&answer.recipients, again),
        Outcome::Delivered => return Err(DeliveryState::Delivered),
        Outcome::NotSent => return Ok(at),
        _ if answer.end.is_some() => return Err(DeliveryState::Failed),
        _ if is_unknown && manner.on_ambiguous == Doubt::Hold => return Err(DeliveryState::Unconfirmed),
        _ => {}
    }
    match again {
        Some(again) => Ok(again),
        None if is_unknown => Err(DeliveryState::Unconfirmed),
        None => Err(DeliveryState::Failed),
    }
}

/// A recipient whose answer was lost is tried again where the channel says so; one that was deferred is refused once no attempt is left.
fn settle(recipients: &mut [Recipient], manner: &Manner, has_next: bool) {
    for one in recipients {
        one.outcome = match one.outcome {
            RecipientOutcome::Unknown if has_next && manner.on_ambiguous == Doubt::Retry => {
                RecipientOutcome::Deferred
            }
            RecipientOutcome::Deferred if !has_next => RecipientOutcome::Refused,
            other => other,
        };
    }
}

/// A message to several: it waits while one of them is deferred, asks a person where an answer was lost, and failed where one refused.
fn of_recipients(recipients: &[Recipient], again: Option<Timestamp>) -> Result<Timestamp, DeliveryState> {
    let is_any = |outcome| recipients.iter().any(|one| one.outcome == outcome);
    match again.filter(|_| is_any(RecipientOutcome::Deferred)) {
        Some(again) => Ok(again),
        None if is_any(RecipientOutcome::Unknown) => Err(DeliveryState::Unconfirmed),
        None if is_any(RecipientOutcome::Refused) => Err(DeliveryState::Failed),
        None => Err(DeliveryState::Delivered),
    }
}

fn spread(wait: i64, chance: f64) -> i64 {
    (wait as f64 * (0.9 + 0.2 * chance)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn claimed(attempts: i32) -> Claimed {
        let (id, body) = (Uuid::nil(), String::new());
        Claimed { id, channel_id: id, epoch: attempts + 3, attempts, max_attempts: 3, body }
    }

    fn judged(attempts: i32, doubt: Doubt, outcome: Outcome, retry_after_ms: Option<i64>) -> Ended {
        let manner = Manner { ladder: "10s, 1m".parse().unwrap(), on_ambiguous: doubt };
        let answer = Answer { retry_after_ms, ..Answer::none(outcome, "") };
        judge(&claimed(attempts), &manner, answer, Timestamp::from_millis(0), 0.5)
    }

    #[test]
    fn a_failure_climbs_the_ladder_and_then_fails() {
        let at = |attempts| {
            let ended = judged(attempts, Doubt::Hold, Outcome::Refused, None);
            (ended.state, ended.not_before.map(Timestamp::millis))
        };
        assert_eq!(at(1), (DeliveryState::Pending, Some(10_000)));
        assert_eq!(at(2), (DeliveryState::Pending, Some(60_000)));
        assert_eq!(at(3), (DeliveryState::Failed, None));
        assert_eq!((spread(10_000, 0.0), spread(10_000, 1.0)), (9_000, 11_000));
    }

    #[test]
    fn a_lost_answer_asks_a_person_or_is_sent_again_and_asks_at_the_end() {
        let state = |attempts, doubt| judged(attempts, doubt, Outcome::Unknown, None).state;
        assert_eq!(state(1, Doubt::Hold), DeliveryState::Unconfirmed);
        assert_eq!(state(1, Doubt::Retry), DeliveryState::Pending);
        assert_eq!(state(3, Doubt::Retry), DeliveryState::Unconfirmed);
    }

    #[test]
    fn a_rest_that_was_asked_for_is_kept() {
        let ended = judged(1, Doubt::Retry, Outcome::Refused, Some(90_000));
        assert_eq!(ended.not_before, ended.rests_until);
        assert_eq!(ended.not_before, Some(Timestamp::from_millis(90_000)));
        let ended = judged(2, Doubt::Retry, Outcome::Refused, Some(1_000));
        assert_eq!(ended.not_before, Some(Timestamp::from_millis(60_000)));
    }

    #[test]
    fn what_was_not_sent_is_tried_at_once_and_what_is_gone_never() {
        let ended = judged(3, Doubt::Hold, Outcome::NotSent, None);
        assert_eq!(
            (ended.state, ended.not_before),
            (DeliveryState::Pending, Some(Timestamp::from_millis(0)))
        );
        let manner = Manner::stored(Some("10s"), Some("retry"));
        for (end, is_gone) in [(End::Message, false), (End::Channel, true)] {
            let refused = Answer { end: Some(end), ..Answer::none(Outcome::Refused, "") };
            let ended = judge(&claimed(1), &manner, refused, Timestamp::from_millis(0), 0.5);
            assert_eq!((ended.state, ended.is_gone), (DeliveryState::Failed, is_gone));
        }
    }
}
