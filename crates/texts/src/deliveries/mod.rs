//! Texts of channels and deliveries.

pub mod held_mail;
pub mod hold;
pub mod mail_server;
pub mod posts;
pub mod sending;

use domain::{
    channel::{
        ChannelCondition, ChannelEvent, ChannelState, MailSecurity, OnUnknownOutcome, SmsFormat, Transport,
    },
    delivery::{Answer, DeliveryDecision, DeliveryState, NoResponse, Outcome},
};

/// Maximum number of characters quoted from a response.
const MAX_QUOTED_CHARS: usize = 160;

sets!(deliveries: ChannelTexts);

impl ChannelTexts {
    /// State of a delivery.
    #[must_use]
    pub fn state(self, state: DeliveryState) -> &'static str {
        match state {
            DeliveryState::Pending => self.pending(),
            DeliveryState::Sending => self.sending(),
            DeliveryState::Delivered => self.delivered(),
            DeliveryState::Failed => self.failed(),
            DeliveryState::Unconfirmed => self.unconfirmed(),
            DeliveryState::Cancelled => self.cancelled(),
            DeliveryState::Held => self.held(),
        }
    }

    /// State of a channel.
    #[must_use]
    pub fn channel_state(self, state: ChannelState) -> &'static str {
        match state {
            ChannelState::Active => self.active(),
            ChannelState::Paused => self.paused(),
            ChannelState::Off => self.disabled(),
            ChannelState::Deleting => self.deleting(),
        }
    }

    /// What a channel does.
    #[must_use]
    pub fn condition(self, condition: ChannelCondition) -> &'static str {
        match condition {
            ChannelCondition::Delivering => self.delivering(),
            ChannelCondition::Failing => self.failing_now(),
            ChannelCondition::Paused => self.paused_by(),
            ChannelCondition::SwitchedOff => self.switched_off(),
            ChannelCondition::Deleting => self.deleting(),
            ChannelCondition::NeverUsed => self.never_used(),
            ChannelCondition::NothingDelivered => self.nothing_delivered(),
        }
    }

    /// Result of an attempt, with the response.
    #[must_use]
    pub fn result_of(self, outcome: Outcome, answer: &Answer) -> String {
        let result = match (outcome, answer.status) {
            (Outcome::Refused, Some(status @ 500..=511)) => self.server_error(status),
            (Outcome::Refused, Some(status)) => self.rejected_with(status),
            _ => self.outcome(outcome).to_owned(),
        };
        match self.answer_line(answer, MAX_QUOTED_CHARS).filter(|_| outcome != Outcome::Delivered) {
            Some(line) => format!("{result} {}", self.quoted(line)),
            None => result,
        }
    }

    /// Beginning of the response on one line, at most `max` characters, or why there was none.
    #[must_use]
    pub fn answer_line(self, answer: &Answer, max: usize) -> Option<String> {
        match answer.no_response() {
            Some(why) => Some(self.no_response(why).to_owned()),
            None => answer.line(max),
        }
    }

    /// Why an attempt got no response.
    #[must_use]
    pub fn no_response(self, why: NoResponse) -> &'static str {
        match why {
            NoResponse::NoConnection => self.no_connection(),
            NoResponse::NoAnswer => self.no_answer(),
            NoResponse::CutOff => self.cut_off(),
            NoResponse::NoAnswerToText => self.no_answer_to_text(),
            NoResponse::CutOffAfterText => self.cut_off_after_text(),
            NoResponse::NoConfirm => self.no_confirm(),
            NoResponse::CutOffBeforeConfirm => self.cut_off_before_confirm(),
        }
    }

    /// Outcome of an attempt.
    #[must_use]
    pub fn outcome(self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Delivered => self.was_delivered(),
            Outcome::Refused => self.rejected(),
            Outcome::Unreachable => self.unreachable(),
            Outcome::Blocked => self.blocked(),
            Outcome::Unknown => self.unknown(),
            Outcome::NotSent => self.not_sent(),
        }
    }

    /// Event that a message reports.
    #[must_use]
    pub fn event(self, event: ChannelEvent) -> &'static str {
        match event {
            ChannelEvent::ArticlePublished => self.published(),
            ChannelEvent::ArticleUpdated => self.updated(),
            ChannelEvent::ArticleUnpublished => self.unpublished(),
            ChannelEvent::MeetingRequested => self.meeting_requested(),
            ChannelEvent::MeetingConfirmed => self.meeting_confirmed(),
            ChannelEvent::MeetingChanged => self.meeting_changed(),
            ChannelEvent::MeetingStarted => self.meeting_started(),
            ChannelEvent::MeetingEnded => self.meeting_ended(),
            ChannelEvent::MeetingCancelled => self.meeting_cancelled(),
            ChannelEvent::ArticleSubmitted => self.article_submitted(),
            ChannelEvent::ArticleApproved => self.article_approved(),
            ChannelEvent::ArticleSentBack => self.article_sent_back(),
            ChannelEvent::ArticleHeld => self.article_held(),
            ChannelEvent::ArticleReleased => self.article_released(),
            ChannelEvent::ApprovalExpired => self.approval_expired(),
            ChannelEvent::TaskFailed => self.task_failed(),
            ChannelEvent::TaskMissed => self.task_missed(),
            ChannelEvent::PostPrepared => self.post_prepared(),
            ChannelEvent::PostSeen => self.post_seen(),
            ChannelEvent::Test => self.test_message(),
            ChannelEvent::Message => self.message(),
        }
    }

    /// What happens if the receiver does not respond.
    #[must_use]
    pub fn unknown_outcome_of(self, policy: OnUnknownOutcome) -> &'static str {
        match policy {
            OnUnknownOutcome::Retry => self.unknown_outcome_retry(),
            OnUnknownOutcome::Hold => self.unknown_outcome_hold(),
        }
    }

    /// Transport of a channel.
    #[must_use]
    pub fn transport_name(self, transport: Transport) -> &'static str {
        match transport {
            Transport::Webhook => self.webhook(),
            Transport::Mail => self.mail(),
            Transport::Sms => self.sms(),
            Transport::Amqp => self.amqp(),
            Transport::WordPress => self.wordpress(),
            Transport::Ghost => self.ghost(),
        }
    }

    /// Encryption of the connection to a mail server.
    #[must_use]
    pub fn security_of(self, security: MailSecurity) -> &'static str {
        match security {
            MailSecurity::StartTls => self.starttls(),
            MailSecurity::Tls => self.tls(),
            MailSecurity::Unencrypted => self.no_encryption(),
        }
    }

    /// Request format of an SMS gateway.
    #[must_use]
    pub fn format_of(self, format: SmsFormat) -> &'static str {
        match format {
            SmsFormat::Json => self.format_json(),
            SmsFormat::Form => self.format_form(),
        }
    }

    /// Action on a delivery.
    #[must_use]
    pub fn resolve(self, decision: DeliveryDecision) -> &'static str {
        match decision {
            DeliveryDecision::Resend => self.resend(),
            DeliveryDecision::Arrived => self.mark_delivered(),
            DeliveryDecision::Drop => self.dismiss(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::deliveries::*;

    #[test]
    fn the_reason_of_a_missing_response_is_translated_and_a_response_is_quoted() {
        let line = |status, text: &str| {
            let answer = Answer { status, text: Some(text.to_owned()) };
            ChannelTexts(Language::Zh).result_of(answer.failed_outcome(), &answer)
        };
        assert_eq!(line(None, "no connection"), "无法连接 “无法建立连接”");
        assert_eq!(line(None, "no answer in time"), "无响应：可能已送达 “未及时响应”");
        assert_eq!(line(Some(404), "no connection"), "被拒绝（404） “no connection”");
        let english = |why: &NoResponse| ChannelTexts(Language::En).no_response(*why);
        for why in NoResponse::ALL.iter().filter(|why| **why != NoResponse::NoConfirm) {
            assert_eq!(english(why), why.as_str());
        }
        assert_eq!(english(&NoResponse::NoConfirm), "no confirmation in time");
    }
}
