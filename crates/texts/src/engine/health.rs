//! Health issues as sentences. The English texts of causes are also in `domain::health`, because the log prints them;
//! a test compares them.

use crate::{Language, punctuation};
use domain::engine::EngineReport;
use domain::health::{HealthIssue, HealthIssueKind, IssueDetail, Severity, format_utc};

sets!(engine: HealthTexts, IssueDetailTexts);

impl HealthTexts {
    /// Describes an issue of this kind and its consequence.
    #[must_use]
    pub fn summary(self, kind: HealthIssueKind) -> &'static str {
        match kind {
            HealthIssueKind::DatabaseUnavailable => self.database_unavailable(),
            HealthIssueKind::DatabaseReadOnly => self.database_read_only(),
            HealthIssueKind::DatabaseFull => self.database_full(),
            HealthIssueKind::ClockSkew => self.clock_skew(),
            HealthIssueKind::Stuck => self.stuck(),
            HealthIssueKind::NewerRelease => self.newer_release(),
            HealthIssueKind::HintStoreUnavailable => self.hint_store_unavailable(),
            HealthIssueKind::DatabaseSlow => self.database_slow(),
            HealthIssueKind::HintStoreSlow => self.hint_store_slow(),
            HealthIssueKind::RedisMismatch => self.redis_mismatch(),
            HealthIssueKind::RedisDataLoss => self.redis_data_loss(),
            HealthIssueKind::DeliveriesHeld => self.deliveries_held(),
            HealthIssueKind::QueryFailed => self.query_failed(),
            HealthIssueKind::ClockOffset => self.clock_offset(),
            HealthIssueKind::LoopFailed => self.loop_failed(),
            HealthIssueKind::TaskPanics => self.task_panics(),
            HealthIssueKind::DeliveriesStuck => self.deliveries_stuck(),
            HealthIssueKind::AuditFailed => self.audit_failed(),
            HealthIssueKind::CertificateExpires => self.certificate_expires(),
        }
    }

    /// Describes the cause and its remedy; if they are not known, the kind.
    #[must_use]
    pub fn cause(self, issue: &HealthIssue) -> String {
        match &issue.detail {
            None => self.summary(issue.kind).to_owned(),
            Some(detail) => cause(IssueDetailTexts(self.0), detail),
        }
    }

    /// Describes cause, remedy and consequence. A notice has no consequence.
    #[must_use]
    pub fn explanation(self, issue: &HealthIssue) -> String {
        let (cause, summary) = (self.cause(issue), self.summary(issue.kind));
        if issue.detail.is_none() || issue.severity == Severity::Notice {
            return cause;
        }
        let (full_stop, gap) = (punctuation::full_stop(self.0), punctuation::gap(self.0));
        format!("{cause}{full_stop}{gap}{summary}")
    }
}

fn cause(texts: IssueDetailTexts, detail: &IssueDetail) -> String {
    let plain = match detail {
        IssueDetail::QueryFailed { why } => return texts.query_failed(why),
        IssueDetail::QueryLogged { reference } => return texts.query_logged(reference),
        IssueDetail::RedisBreakerOpen => texts.redis_breaker_open(),
        IssueDetail::RedisUnreachable { why } => return texts.redis_unreachable(why),
        IssueDetail::RedisFull => texts.redis_full(),
        IssueDetail::RedisReplica => texts.redis_replica(),
        IssueDetail::RedisUnsaved => texts.redis_unsaved(),
        IssueDetail::RedisUnwritten => texts.redis_unwritten(),
        IssueDetail::RedisLoading => texts.redis_loading(),
        IssueDetail::RedisTooOld => texts.redis_too_old(),
        IssueDetail::RedisEvicts { policy } => return texts.redis_evicts(policy),
        IssueDetail::RedisMismatch { missing_nodes, foreign_nodes } => {
            return membership(texts, missing_nodes, *foreign_nodes);
        }
        IssueDetail::RedisDataLoss { at } => return texts.redis_data_loss(&format_utc(*at)),
        IssueDetail::TaskPanics { task } => return texts.task_panics(&task.to_string()),
        IssueDetail::ClockOffset { offset_ms } => return texts.clock_offset(*offset_ms),
        IssueDetail::MessagesStuck { channels } => return texts.messages_stuck(channels),
        IssueDetail::AttemptsLost { count } => return texts.attempts_lost(*count),
        IssueDetail::Audit { since, audited, lost, early, duplicates } => {
            return texts.audit_failed(&format_utc(*since), *audited, *lost, *early, *duplicates);
        }
        IssueDetail::CertificateExpires { at } => return texts.certificate_expires(&format_utc(*at)),
        IssueDetail::CertificateExpired { at } => return texts.certificate_expired(&format_utc(*at)),
        IssueDetail::LoopEnded { why } => return texts.loop_ended(why),
    };
    plain.to_owned()
}

fn membership(texts: IssueDetailTexts, missing_nodes: &str, foreign_nodes: usize) -> String {
    let missing = (!missing_nodes.is_empty()).then(|| texts.redis_missing_nodes(missing_nodes));
    let foreign = (foreign_nodes > 0).then(|| texts.redis_foreign_nodes(foreign_nodes));
    let separator = [punctuation::full_stop(texts.0), punctuation::gap(texts.0)].concat();
    missing.into_iter().chain(foreign).collect::<Vec<_>>().join(&separator)
}

/// Sets the message of each health issue in the report.
pub fn fill_issue_messages(report: &mut EngineReport, language: Language) {
    let texts = HealthTexts(language);
    for error in report.loops.iter_mut().filter_map(|one| one.error.as_mut()) {
        error.issue.message = texts.cause(&error.issue.issue);
    }
    for one in &mut report.issues {
        one.message = texts.explanation(&one.issue);
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::health::*;
    use domain::Timestamp;

    #[test]
    fn chinese_sentences_contain_the_same_details() {
        let at = Timestamp::from_millis(1_803_888_000_000);
        let details = [
            (IssueDetail::RedisFull, "maxmemory"),
            (IssueDetail::RedisTooOld, "6.2"),
            (IssueDetail::LoopEnded { why: "timed out".to_owned() }, "timed out"),
            (IssueDetail::AttemptsLost { count: 3 }, "3 条"),
            (IssueDetail::CertificateExpires { at }, "2027-03-01 08:00:00 UTC"),
            (IssueDetail::QueryLogged { reference: "4f2a".to_owned() }, "4f2a"),
            (IssueDetail::RedisUnreachable { why: "timed out".to_owned() }, "timed out"),
            (IssueDetail::RedisEvicts { policy: "allkeys-lru".to_owned() }, "allkeys-lru"),
            (IssueDetail::QueryFailed { why: "deadlock".to_owned() }, "deadlock"),
            (
                IssueDetail::RedisMismatch { missing_nodes: "anna, ben".to_owned(), foreign_nodes: 0 },
                "anna, ben",
            ),
            (IssueDetail::RedisMismatch { missing_nodes: "anna".to_owned(), foreign_nodes: 2 }, "2 个"),
            (IssueDetail::RedisDataLoss { at }, "2027-03-01 08:00:00 UTC"),
            (IssueDetail::ClockOffset { offset_ms: -2_500 }, "-2500"),
            (IssueDetail::MessagesStuck { channels: "Sink".to_owned() }, "Sink"),
            (IssueDetail::CertificateExpired { at }, "2027-03-01 08:00:00 UTC"),
            (IssueDetail::Audit { since: at, audited: 9, lost: 1, early: 0, duplicates: 0 }, "9 次"),
        ];
        for (detail, value) in details {
            assert_eq!(cause(IssueDetailTexts(Language::En), &detail), detail.to_string());
            let issue = HealthIssue::from(detail);
            let (english, chinese) = (
                HealthTexts(Language::En).explanation(&issue),
                HealthTexts(Language::Zh).explanation(&issue),
            );
            assert!(chinese.contains(value) && !chinese.is_ascii(), "{chinese}");
            assert!(english.is_ascii() && english != chinese, "{english}");
        }
    }
}
