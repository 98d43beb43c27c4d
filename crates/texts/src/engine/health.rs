//! Health issues as sentences. The English texts of causes are in `domain::health`, because the log
//! prints them.

use crate::{Language, punctuation};
use domain::engine::EngineReport;
use domain::health::{HealthIssue, HealthIssueKind, IssueDetail, Severity, format_utc};

sets!(engine: HealthTexts);

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
        match (&issue.detail, self.0) {
            (None, _) => self.summary(issue.kind).to_owned(),
            (Some(detail), Language::En) => detail.to_string(),
            (Some(detail), Language::Zh) => chinese(detail),
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

fn chinese(detail: &IssueDetail) -> String {
    let plain = match detail {
        IssueDetail::QueryFailed { why } => return format!("数据库操作失败：{why}"),
        IssueDetail::QueryLogged { reference } => return format!("查询失败；详见日志中的 {reference}"),
        IssueDetail::RedisBreakerOpen => "Redis 没有响应，5 秒后重试",
        IssueDetail::RedisUnreachable { why } => {
            return format!("无法连接 Redis（{why}）：请检查它是否在运行、地址是否正确");
        }
        IssueDetail::RedisFull => "Redis 已满，拒绝写入：请增加其内存（maxmemory）",
        IssueDetail::RedisReplica => "此 Redis 是只读副本：请填写其主节点的地址",
        IssueDetail::RedisUnsaved => "Redis 无法保存数据，拒绝写入：请检查其磁盘和日志",
        IssueDetail::RedisUnwritten => "Redis 无法写入其 append-only 文件，拒绝写入：请检查其磁盘",
        IssueDetail::RedisLoading => "Redis 仍在载入数据：请稍候",
        IssueDetail::RedisTooOld => "此 Redis 版本过旧：需要 6.2 或更高版本",
        IssueDetail::RedisEvicts { policy } => {
            return format!(
                "Redis 内存满时会丢弃数据（maxmemory-policy 为 {policy}），因此不予使用：请将 maxmemory-policy 设为 \
                 noeviction"
            );
        }
        IssueDetail::RedisMismatch { missing_nodes, foreign_nodes } => {
            return membership(missing_nodes, *foreign_nodes);
        }
        IssueDetail::RedisDataLoss { at } => {
            return format!(
                "{} 发现其为空：已被清空，或重启时丢失数据。正在从数据库重新载入",
                format_utc(*at)
            );
        }
        IssueDetail::TaskPanics { task } => return format!("任务 {task} 执行时崩溃"),
        IssueDetail::ClockOffset { offset_ms } => {
            return format!(
                "数据库时钟与本机相差 {offset_ms} 毫秒（正数为更快）：请在两者上启用时间同步服务（chrony、systemd-timesyncd）"
            );
        }
        IssueDetail::MessagesStuck { channels } => return format!("{channels} 有到点的消息，但没有发出"),
        IssueDetail::AttemptsLost { count } => return format!("有 {count} 条消息正在发送时中断，结果不明"),
        IssueDetail::Audit { since, audited, lost, early, duplicates } => {
            return format!(
                "自 {} 起核对 {audited} 次执行：{lost} 次任务与执行记录不一致，{early} 次提前，{duplicates} 次重复",
                format_utc(*since)
            );
        }
        IssueDetail::CertificateExpires { at } => {
            return format!("本服务器的证书将于 {} 到期：请更新", format_utc(*at));
        }
        IssueDetail::CertificateExpired { at } => {
            return format!("本服务器的证书已于 {} 过期，浏览器会发出警告：请更新", format_utc(*at));
        }
        IssueDetail::LoopEnded { why } => return format!("运行中断，已重新启动：{why}"),
    };
    plain.to_owned()
}

fn membership(missing_nodes: &str, foreign_nodes: usize) -> String {
    let missing = (!missing_nodes.is_empty()).then(|| {
        format!(
            "存活但不在此 Redis 中的节点：{missing_nodes}。请让同一工作台的所有节点使用相同的 --redis-url，并确认它们能连接"
        )
    });
    let foreign = (foreign_nodes > 0).then(|| {
        format!(
            "此 Redis 中还有另一工作台的节点（{foreign_nodes} 个），会取走本台的提示。请为每个工作台单独配置 Redis，或其中单独的\
             数据库编号（redis://HOST:PORT/1）"
        )
    });
    missing.into_iter().chain(foreign).collect::<Vec<_>>().join("。")
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
