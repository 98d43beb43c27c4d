//! Decides the state of a delivery after an attempt. Pure: time and randomness are parameters.

use crate::sender::{PermanentFailure, SendResult};
use domain::{
    ChannelId, DeliveryId, Timestamp,
    channel::OnUnknownOutcome,
    delivery::{DeliveryState, Outcome, Recipient, RecipientOutcome},
    message::MessageOptions,
    notice::NoticeTerms,
    post::{LOOK_SCHEDULE, PostPurpose},
    retry_schedule::RetrySchedule,
};
use store::dispatch::{AttemptResult, ClaimedDelivery};

/// Retry policy of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Delays after which a failed message is sent again.
    pub schedule: RetrySchedule,
    /// What to do if the outcome of an attempt is unknown.
    pub on_ambiguous: OnUnknownOutcome,
}

impl RetryPolicy {
    /// Parses the policy from SQL. Values that cannot be parsed hold the delivery for a user
    /// instead of retrying.
    #[must_use]
    pub fn stored(schedule: Option<&str>, on_ambiguous: Option<&str>) -> Self {
        Self {
            schedule: schedule.unwrap_or_default().parse().unwrap_or_else(|_| RetrySchedule::standard()),
            on_ambiguous: on_ambiguous.and_then(|word| word.parse().ok()).unwrap_or(OnUnknownOutcome::Hold),
        }
    }

    /// Returns the policy for a delivery with this purpose. A check of a post may always be repeated, and the public
    /// page is asked for by a schedule of its own.
    #[must_use]
    pub fn with_purpose(self, purpose: &str) -> Self {
        let purpose: Option<PostPurpose> = purpose.parse().ok();
        let schedule = match purpose {
            Some(PostPurpose::Look) => LOOK_SCHEDULE.parse().unwrap_or(self.schedule),
            _ => self.schedule,
        };
        let on_ambiguous = match purpose {
            Some(purpose) if purpose.is_check() => OnUnknownOutcome::Retry,
            _ => self.on_ambiguous,
        };
        Self { schedule, on_ambiguous }
    }
}

/// Options of a delayed message; `None`: the delivery reports an event.
#[must_use]
pub fn options_of(claimed: &ClaimedDelivery) -> Option<MessageOptions> {
    claimed.options.as_deref().map(|options| serde_json::from_str(options).unwrap_or_default())
}

/// The same for a notice: it is repeated by its own schedule, without jitter, until a response
/// acknowledges it.
#[must_use]
pub fn decide_notice(
    claimed: &ClaimedDelivery,
    terms: &NoticeTerms,
    mut answer: SendResult,
    at: Timestamp,
) -> AttemptResult {
    let is_acknowledged = terms.ack.accepts(answer.status, answer.text.as_deref());
    if is_acknowledged {
        answer.outcome = Outcome::Delivered;
    } else if answer.outcome == Outcome::Delivered {
        answer.outcome = Outcome::Refused;
        answer.text = answer.text.or_else(|| Some("not acknowledged yet".to_owned()));
    }
    answer.permanent_failure = answer.permanent_failure.filter(|what| *what == PermanentFailure::Channel);
    let schedule = terms.retry_schedule.clone();
    let policy = RetryPolicy { schedule, on_ambiguous: OnUnknownOutcome::Retry };
    decide(claimed, &policy, answer, at, WITHOUT_JITTER)
}

/// Decides the state of a delivery after an attempt that ended at `at`. `random`, from 0 to 1, adds
/// a jitter of ±10 % to the delay, so that messages that failed together are not retried together.
#[must_use]
pub fn decide(
    claimed: &ClaimedDelivery,
    policy: &RetryPolicy,
    mut answer: SendResult,
    at: Timestamp,
    random: f64,
) -> AttemptResult {
    let wait = policy.schedule.delay_ms(claimed.attempts.unsigned_abs());
    let wait = wait.filter(|_| claimed.attempts < claimed.max_attempts);
    let is_about_message = concerns_message(&answer);
    adjust_recipients(&mut answer.recipients, policy, wait.is_some());
    let rests_until = answer.retry_after_ms.map(|millis| at.plus(millis));
    let next = next(policy, &answer, wait.map(|wait| at.plus(jitter(wait, random))), at);
    let (state, not_before) = match next {
        Ok(again) => (DeliveryState::Pending, Some(rests_until.map_or(again, |rest| rest.max(again)))),
        Err(end) => (end, None),
    };
    AttemptResult {
        id: DeliveryId(claimed.id),
        channel: ChannelId(claimed.channel_id),
        epoch: claimed.epoch,
        at,
        is_gone: answer.permanent_failure == Some(PermanentFailure::Channel),
        is_check: claimed.purpose.parse::<PostPurpose>().is_ok_and(PostPurpose::is_check),
        is_left: false,
        is_taken: answer.is_taken,
        is_about_message,
        post: answer.post,
        recipients: answer.recipients,
        outcome: answer.outcome,
        status: answer.status,
        response_body: answer.text,
        state,
        not_before,
        breaker_open_until: rests_until,
    }
}

/// Whether a failure concerns this message alone, such as a bad address: it says nothing about whether
/// the receiver takes other messages. A refused recipient does, a lost response does not.
fn concerns_message(answer: &SendResult) -> bool {
    let is_known = |one: &Recipient| one.outcome != RecipientOutcome::Unknown;
    let is_refused_by_recipients = answer.outcome == Outcome::Refused
        && !answer.recipients.is_empty()
        && answer.recipients.iter().all(is_known);
    answer.is_about_message || is_refused_by_recipients
}

/// Returns the time of the next attempt, or the state without one.
fn next(
    policy: &RetryPolicy,
    answer: &SendResult,
    again: Option<Timestamp>,
    at: Timestamp,
) -> Result<Timestamp, DeliveryState> {
    let is_unknown = answer.outcome == Outcome::Unknown;
    match answer.outcome {
        _ if !answer.recipients.is_empty() => return state_of_recipients(&answer.recipients, again),
        Outcome::Delivered => return Err(DeliveryState::Delivered),
        Outcome::NotSent => return Ok(at),
        // It waits with the others of its channel, until an admin resumes that.
        _ if answer.permanent_failure == Some(PermanentFailure::Channel) => return Err(DeliveryState::Held),
        _ if answer.permanent_failure.is_some() => return Err(DeliveryState::Failed),
        _ if is_unknown && policy.on_ambiguous == OnUnknownOutcome::Hold => {
            return Err(DeliveryState::Unconfirmed);
        }
        _ => {}
    }
    match again {
        Some(again) => Ok(again),
        None if is_unknown => Err(DeliveryState::Unconfirmed),
        None => Err(DeliveryState::Failed),
    }
}

/// Adjusts the outcome of each recipient: an unknown one is retried if the channel says so; a
/// deferred one counts as refused if no attempt is left.
fn adjust_recipients(recipients: &mut [Recipient], policy: &RetryPolicy, has_next: bool) {
    for one in recipients {
        one.outcome = match one.outcome {
            RecipientOutcome::Unknown if has_next && policy.on_ambiguous == OnUnknownOutcome::Retry => {
                RecipientOutcome::Deferred
            }
            RecipientOutcome::Deferred if !has_next => RecipientOutcome::Refused,
            other => other,
        };
    }
}

/// Decides for a message to several recipients: it is retried while one is deferred, unconfirmed if
/// an outcome is unknown, and failed if one refused.
fn state_of_recipients(
    recipients: &[Recipient],
    again: Option<Timestamp>,
) -> Result<Timestamp, DeliveryState> {
    let is_any = |outcome| recipients.iter().any(|one| one.outcome == outcome);
    match again.filter(|_| is_any(RecipientOutcome::Deferred)) {
        Some(again) => Ok(again),
        None if is_any(RecipientOutcome::Unknown) => Err(DeliveryState::Unconfirmed),
        None if is_any(RecipientOutcome::Refused) => Err(DeliveryState::Failed),
        None => Err(DeliveryState::Delivered),
    }
}

/// A random number that leaves a delay as it is.
const WITHOUT_JITTER: f64 = 0.5;

fn jitter(wait: i64, random: f64) -> i64 {
    (wait as f64 * (0.9 + 0.2 * random)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::notice::AckRule;
    use uuid::Uuid;

    #[test]
    fn a_notice_is_repeated_until_a_response_acknowledges_it() {
        let terms = NoticeTerms {
            retry_schedule: "15s, 3m".parse().unwrap(),
            ack: AckRule { status: None, body: Some("success".to_owned()) },
        };
        let at = Timestamp::from_millis(1_000);
        let decided = |attempts: i32, status: u16, text: &str| {
            let answer = SendResult {
                status: Some(status),
                text: Some(text.to_owned()),
                ..SendResult::without_response(
                    if status == 200 { Outcome::Delivered } else { Outcome::Refused },
                    "",
                )
            };
            let result = decide_notice(&claimed(attempts), &terms, answer, at);
            (result.state, result.not_before.map(Timestamp::millis), result.outcome)
        };
        let refused = Outcome::Refused;
        assert_eq!(decided(1, 200, "later"), (DeliveryState::Pending, Some(16_000), refused));
        assert_eq!(decided(2, 500, "success"), (DeliveryState::Pending, Some(181_000), refused));
        assert_eq!(decided(3, 200, ""), (DeliveryState::Failed, None, refused));
        assert_eq!(decided(2, 200, "Success"), (DeliveryState::Delivered, None, Outcome::Delivered));
    }

    fn claimed(attempts: i32) -> ClaimedDelivery {
        let (id, body) = (Uuid::nil(), String::new());
        ClaimedDelivery {
            id,
            channel_id: id,
            epoch: attempts + 3,
            attempts,
            max_attempts: 3,
            body,
            purpose: "notify".to_owned(),
            options: None,
        }
    }

    #[test]
    fn a_page_is_asked_for_during_ten_minutes_and_a_lost_check_is_made_again() {
        let policy = || RetryPolicy::stored(Some("1h"), Some("hold"));
        let look = policy().with_purpose("look");
        let delays = (1..look.schedule.max_attempts()).filter_map(|number| look.schedule.delay_ms(number));
        assert_eq!(delays.sum::<i64>(), 600_000);
        for (purpose, schedule, on_ambiguous) in [
            ("notify", "1h", OnUnknownOutcome::Hold),
            ("publish", "1h", OnUnknownOutcome::Hold),
            ("prepare", "1h", OnUnknownOutcome::Retry),
            ("look", LOOK_SCHEDULE, OnUnknownOutcome::Retry),
        ] {
            let expected = RetryPolicy { schedule: schedule.parse().unwrap(), on_ambiguous };
            assert_eq!(policy().with_purpose(purpose), expected, "{purpose}");
        }
    }

    fn judged(
        attempts: i32,
        doubt: OnUnknownOutcome,
        outcome: Outcome,
        retry_after_ms: Option<i64>,
    ) -> AttemptResult {
        let policy = RetryPolicy { schedule: "10s, 1m".parse().unwrap(), on_ambiguous: doubt };
        let answer = SendResult { retry_after_ms, ..SendResult::without_response(outcome, "") };
        decide(&claimed(attempts), &policy, answer, Timestamp::from_millis(0), 0.5)
    }

    #[test]
    fn a_failure_follows_the_retry_schedule_and_then_fails() {
        let at = |attempts| {
            let ended = judged(attempts, OnUnknownOutcome::Hold, Outcome::Refused, None);
            (ended.state, ended.not_before.map(Timestamp::millis))
        };
        assert_eq!(at(1), (DeliveryState::Pending, Some(10_000)));
        assert_eq!(at(2), (DeliveryState::Pending, Some(60_000)));
        assert_eq!(at(3), (DeliveryState::Failed, None));
        assert_eq!((jitter(10_000, 0.0), jitter(10_000, 1.0)), (9_000, 11_000));
    }

    #[test]
    fn an_unknown_outcome_is_unconfirmed_or_retried_and_unconfirmed_at_the_end() {
        let state = |attempts, doubt| judged(attempts, doubt, Outcome::Unknown, None).state;
        assert_eq!(state(1, OnUnknownOutcome::Hold), DeliveryState::Unconfirmed);
        assert_eq!(state(1, OnUnknownOutcome::Retry), DeliveryState::Pending);
        assert_eq!(state(3, OnUnknownOutcome::Retry), DeliveryState::Unconfirmed);
    }

    #[test]
    fn a_requested_delay_is_respected() {
        let ended = judged(1, OnUnknownOutcome::Retry, Outcome::Refused, Some(90_000));
        assert_eq!(ended.not_before, ended.breaker_open_until);
        assert_eq!(ended.not_before, Some(Timestamp::from_millis(90_000)));
        let ended = judged(2, OnUnknownOutcome::Retry, Outcome::Refused, Some(1_000));
        assert_eq!(ended.not_before, Some(Timestamp::from_millis(60_000)));
    }

    #[test]
    fn a_refused_recipient_concerns_the_message_and_a_lost_response_the_channel() {
        let recipient = |outcome| Recipient {
            recipient: "anna@example.org".to_owned(),
            outcome,
            status: None,
            response_body: None,
        };
        let answer = |outcome, recipients: Vec<RecipientOutcome>| SendResult {
            recipients: recipients.into_iter().map(recipient).collect(),
            ..SendResult::without_response(outcome, "")
        };
        for (outcome, recipients, expected) in [
            (Outcome::Refused, vec![RecipientOutcome::Refused], true),
            (Outcome::Refused, vec![RecipientOutcome::Deferred, RecipientOutcome::Refused], true),
            (Outcome::Unknown, vec![RecipientOutcome::Unknown, RecipientOutcome::Refused], false),
            (Outcome::Refused, vec![], false),
            (Outcome::Unreachable, vec![], false),
        ] {
            assert_eq!(concerns_message(&answer(outcome, recipients.clone())), expected, "{recipients:?}");
        }
        assert!(concerns_message(&SendResult::unsendable("too long")));
    }

    #[test]
    fn an_unsent_message_is_retried_at_once_and_a_permanent_refusal_fails_or_is_held() {
        let ended = judged(3, OnUnknownOutcome::Hold, Outcome::NotSent, None);
        assert_eq!(
            (ended.state, ended.not_before),
            (DeliveryState::Pending, Some(Timestamp::from_millis(0)))
        );
        let policy = RetryPolicy::stored(Some("10s"), Some("retry"));
        for (end, is_gone, state) in [
            (PermanentFailure::Message, false, DeliveryState::Failed),
            (PermanentFailure::Channel, true, DeliveryState::Held),
        ] {
            let refused = SendResult {
                permanent_failure: Some(end),
                ..SendResult::without_response(Outcome::Refused, "")
            };
            let ended = decide(&claimed(1), &policy, refused, Timestamp::from_millis(0), 0.5);
            assert_eq!((ended.state, ended.is_gone), (state, is_gone));
        }
    }
}
