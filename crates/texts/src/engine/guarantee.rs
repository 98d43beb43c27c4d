//! Texts of the four guarantees: counters and how each is checked.

use crate::texts;

texts! {
    /// Texts of the four guarantees.
    GuaranteeTexts {
        title = "Guarantees", "四项保证";
        lead(since: String) = "Audits: all nodes, since {since}. Hints: this process, since it started.", "核对：全部节点，自 {since} 起。提示：本进程，自启动起。";
        lost = "Never lost", "绝不丢失";
        lost_count(overdue: String, disagree: String) = "{overdue} overdue now, {disagree} without a record", "目前逾期 {overdue} 项，缺少记录 {disagree} 项";
        lost_check = "Every second SQL is checked for tasks overdue by more than 5 s. Every minute executed tasks and execution records are compared both ways.", "每秒在 SQL 中检查逾期 5 秒以上的任务；每分钟将已执行的任务与执行记录互相核对。";
        early = "Never early", "绝不提前";
        early_count(early: String, held: String) = "{early} early; {held} early hints were returned", "提前 {early} 项；退回过早的提示 {held} 条";
        early_check = "SQL executes nothing before its due time, by the clocks of the database and the node. Execution records are checked every minute.", "按数据库和节点的时钟，SQL 都不会在预定时间之前执行；每分钟检查执行记录。";
        twice = "Never twice", "绝不重复";
        twice_count(twice: String, stale: String) = "{twice} duplicates; {stale} repeated or outdated hints were skipped", "重复 {twice} 项；跳过重复或过期的提示 {stale} 条";
        twice_check = "One transaction changes the task, its execution record and the log. Every minute the log is checked for duplicates.", "任务、执行记录和日志在同一事务中变更；每分钟检查日志中是否有重复。";
        silent = "Never silent", "绝不沉默";
        silent_count(attention: String, blind: String) = "{attention} need attention; unmonitored gaps of more than 5 s: {blind}", "待处理 {attention} 项；超过 5 秒的监控空档 {blind} 次";
        silent_check(longest: String) = "Every second SQL is checked for overdue, failed, missed and unconfirmed items. Longest gap between checks: {longest} s.", "每秒在 SQL 中检查逾期、失败、错过或未确认的事项。最长检查间隔：{longest} 秒。";
        audited(count: String) = "Executions audited: {count}", "已核对执行：{count} 次";
        last_check = "Last check:", "上次检查：";
        full_stop = ".", "。";
        not_yet = "not yet", "尚未";
        not_yet_audited = "not yet audited", "尚未核对";
        kept_over(count: String) = "kept in {count} audited executions", "已核对 {count} 次执行，全部守住";
        kept = "kept", "已守住";
        violated = "broken", "未守住";
        at_risk = "at risk", "有风险";
    }
}
