//! What is wrong with the engine, for who looks at it. Only the server says it.

use super::Language;
use domain::fault::{Fault, moment};

/// What is wrong and what to do.
#[must_use]
pub fn sentence(language: Language, fault: &Fault) -> String {
    match language {
        Language::En => fault.to_string(),
        Language::Zh => chinese(fault),
    }
}

fn chinese(fault: &Fault) -> String {
    let plain = match fault {
        Fault::DatabaseAway => "数据库没有响应",
        Fault::DatabaseReadOnly => "数据库目前只读",
        Fault::DatabaseFull => "数据库磁盘已满",
        Fault::DatabaseFailed { why } => return format!("数据库没有完成所要求的操作：{why}"),
        Fault::Question { reference } => return format!("一次查询失败；详见日志中的 {reference}"),
        Fault::HintsRest => "Redis 没有响应，5 秒内不再询问；任务由数据库直接发布",
        Fault::HintsAway { why } => {
            return format!("无法连接 Redis（{why}）；任务由数据库直接发布。它在运行吗？地址正确吗？");
        }
        Fault::HintsFull => "Redis 已满，拒绝写入：请增加其内存（maxmemory）；任务由数据库直接发布",
        Fault::HintsReplica => "此 Redis 是只读副本：请填写其主节点的地址；任务由数据库直接发布",
        Fault::HintsUnsaved => "Redis 无法保存数据，拒绝写入：请检查其磁盘和日志；任务由数据库直接发布",
        Fault::HintsUnwritten => "Redis 无法写入其 append-only 文件，拒绝写入：请检查其磁盘",
        Fault::HintsLoading => "Redis 仍在载入数据：请稍候；任务由数据库直接发布",
        Fault::HintsOld => "此 Redis 版本过旧：需要 6.2 或更高版本",
        Fault::HintsEvicted { policy } => {
            return format!(
                "Redis 内存满时会丢弃数据（maxmemory-policy 为 {policy}），因此不予使用：请将 maxmemory-policy 设为 \
                 noeviction；任务由数据库直接发布"
            );
        }
        Fault::HintsApart { names, strangers } => return apart(names, *strangers),
        Fault::HintsWiped { at } => {
            return format!("{} 发现其为空：已被清空，或重启时丢失数据。提示正重新载入", moment(*at));
        }
        Fault::BrokeOff => "运行中断，已重新启动",
        Fault::BreaksDown { task } => return format!("任务 {task} 执行时崩溃"),
        Fault::ClocksApart { offset_ms } => {
            return format!("时钟相差 {offset_ms} 毫秒：在两者一致之前不会发布任何内容");
        }
        Fault::ClockAhead { offset_ms } => {
            return format!("数据库时钟与本机相差 {offset_ms} 毫秒（正数为更快）");
        }
        Fault::MessagesStuck { channels } => return format!("{channels} 有到点的消息，但没有发出"),
        Fault::AttemptsLost { count } => return format!("有 {count} 条消息已取出，结果不明"),
        Fault::Audit { since, audited, lost, early, twice } => {
            return format!(
                "自 {} 起核对 {audited} 次执行：{lost} 次任务与台账不一致，{early} 次提前，{twice} 次重复",
                moment(*since)
            );
        }
        Fault::Other(words) => words,
    };
    plain.to_owned()
}

fn apart(names: &str, strangers: usize) -> String {
    let absent = (!names.is_empty()).then(|| {
        format!(
            "存活但不在此 Redis 中的节点：{names}。请让同一编辑台的所有节点使用相同的 --redis-url，并确认它们能连接"
        )
    });
    let others = (strangers > 0).then(|| {
        format!(
            "此 Redis 中还有另一编辑台的节点（{strangers} 个），会取走本台的提示。请为每个编辑台单独配置 Redis，或其中单独的\
             数据库编号（redis://HOST:PORT/1）"
        )
    });
    absent.into_iter().chain(others).collect::<Vec<_>>().join("。")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    #[test]
    fn what_is_said_in_chinese_says_as_much() {
        let at = Timestamp::from_millis(1_803_888_000_000);
        let faults = [
            (Fault::HintsAway { why: "timed out".to_owned() }, "timed out"),
            (Fault::HintsEvicted { policy: "allkeys-lru".to_owned() }, "allkeys-lru"),
            (Fault::DatabaseFailed { why: "deadlock".to_owned() }, "deadlock"),
            (Fault::HintsApart { names: "anna, ben".to_owned(), strangers: 0 }, "anna, ben"),
            (Fault::HintsApart { names: "anna".to_owned(), strangers: 2 }, "2 个"),
            (Fault::HintsWiped { at }, "2027-03-01 08:00:00 UTC"),
            (Fault::ClockAhead { offset_ms: -2_500 }, "-2500"),
            (Fault::MessagesStuck { channels: "Sink".to_owned() }, "Sink"),
            (Fault::Audit { since: at, audited: 9, lost: 1, early: 0, twice: 0 }, "9 次"),
        ];
        for (fault, told) in faults {
            let (english, chinese) = (sentence(Language::En, &fault), sentence(Language::Zh, &fault));
            assert!(chinese.contains(told) && !chinese.is_ascii(), "{chinese}");
            assert!(english.is_ascii() && english != chinese, "{english}");
        }
    }
}
