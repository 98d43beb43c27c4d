//! Faults of the engine as sentences. Compiled for the server only.

use super::Language;
use domain::fault::{Fault, format_utc};

/// Describes the fault and its remedy.
#[must_use]
pub fn sentence(language: Language, fault: &Fault) -> String {
    match language {
        Language::En => fault.to_string(),
        Language::Zh => chinese(fault),
    }
}

fn chinese(fault: &Fault) -> String {
    let plain = match fault {
        Fault::DatabaseUnavailable => "数据库没有响应",
        Fault::DatabaseReadOnly => "数据库目前只读",
        Fault::DatabaseFull => "数据库磁盘已满",
        Fault::DatabaseFailed { why } => return format!("数据库操作失败：{why}"),
        Fault::QueryFailed { reference } => return format!("查询失败；详见日志中的 {reference}"),
        Fault::HintsBreakerOpen => "Redis 没有响应，5 秒后重试；任务由数据库直接发布",
        Fault::HintStoreUnavailable { why } => {
            return format!(
                "无法连接 Redis（{why}）；任务由数据库直接发布。请检查它是否在运行、地址是否正确"
            );
        }
        Fault::HintsFull => "Redis 已满，拒绝写入：请增加其内存（maxmemory）；任务由数据库直接发布",
        Fault::HintsReplica => "此 Redis 是只读副本：请填写其主节点的地址；任务由数据库直接发布",
        Fault::HintsUnsaved => "Redis 无法保存数据，拒绝写入：请检查其磁盘和日志；任务由数据库直接发布",
        Fault::HintsUnwritten => "Redis 无法写入其 append-only 文件，拒绝写入：请检查其磁盘",
        Fault::HintsLoading => "Redis 仍在载入数据：请稍候；任务由数据库直接发布",
        Fault::HintsTooOld => "此 Redis 版本过旧：需要 6.2 或更高版本",
        Fault::HintsEvicted { policy } => {
            return format!(
                "Redis 内存满时会丢弃数据（maxmemory-policy 为 {policy}），因此不予使用：请将 maxmemory-policy 设为 \
                 noeviction；任务由数据库直接发布"
            );
        }
        Fault::RedisMismatch { missing_nodes, foreign_nodes } => {
            return membership(missing_nodes, *foreign_nodes);
        }
        Fault::RedisDataLoss { at } => {
            return format!("{} 发现其为空：已被清空，或重启时丢失数据。提示正重新载入", format_utc(*at));
        }
        Fault::LoopPanicked => "运行中断，已重新启动",
        Fault::TaskPanics { task } => return format!("任务 {task} 执行时崩溃"),
        Fault::ClocksDiffer { offset_ms } => {
            return format!("时钟相差 {offset_ms} 毫秒：在两者一致之前不会发布任何内容");
        }
        Fault::ClockAhead { offset_ms } => {
            return format!("数据库时钟与本机相差 {offset_ms} 毫秒（正数为更快）");
        }
        Fault::MessagesStuck { channels } => return format!("{channels} 有到点的消息，但没有发出"),
        Fault::AttemptsLost { count } => return format!("有 {count} 条消息正在发送时中断，结果不明"),
        Fault::Audit { since, audited, lost, early, duplicates } => {
            return format!(
                "自 {} 起核对 {audited} 次执行：{lost} 次任务与执行记录不一致，{early} 次提前，{duplicates} 次重复",
                format_utc(*since)
            );
        }
        Fault::Other(words) => words,
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

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    #[test]
    fn chinese_sentences_contain_the_same_details() {
        let at = Timestamp::from_millis(1_803_888_000_000);
        let faults = [
            (Fault::HintStoreUnavailable { why: "timed out".to_owned() }, "timed out"),
            (Fault::HintsEvicted { policy: "allkeys-lru".to_owned() }, "allkeys-lru"),
            (Fault::DatabaseFailed { why: "deadlock".to_owned() }, "deadlock"),
            (Fault::RedisMismatch { missing_nodes: "anna, ben".to_owned(), foreign_nodes: 0 }, "anna, ben"),
            (Fault::RedisMismatch { missing_nodes: "anna".to_owned(), foreign_nodes: 2 }, "2 个"),
            (Fault::RedisDataLoss { at }, "2027-03-01 08:00:00 UTC"),
            (Fault::ClockAhead { offset_ms: -2_500 }, "-2500"),
            (Fault::MessagesStuck { channels: "Sink".to_owned() }, "Sink"),
            (Fault::Audit { since: at, audited: 9, lost: 1, early: 0, duplicates: 0 }, "9 次"),
        ];
        for (fault, detail) in faults {
            let (english, chinese) = (sentence(Language::En, &fault), sentence(Language::Zh, &fault));
            assert!(chinese.contains(detail) && !chinese.is_ascii(), "{chinese}");
            assert!(english.is_ascii() && english != chinese, "{english}");
        }
    }
}
