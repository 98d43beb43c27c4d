//! The four promises, what is counted for each, and how it is looked at.

use super::texts;

texts! {
    /// The promises and how they are kept.
    PromiseWords {
        title = "The promises", "四项承诺";
        lead(since: String) = "Audits: of all nodes, since {since}. Hints: of this process, since it started.", "核对：全部节点，自 {since} 起。提示：本进程，自启动起。";
        lost = "Never lost", "绝不丢失";
        lost_count(overdue: String, disagree: String) = "{overdue} overdue now, {disagree} without a record", "目前超时 {overdue} 项，缺少记录 {disagree} 项";
        lost_how = "Each second SQL is asked for what is more than 5 s overdue; each minute every executed task is compared with the ledger, and every line of the ledger with its task.", "每秒向 SQL 查询超时 5 秒以上的任务；每分钟将每个已执行的任务与台账逐条互相核对。";
        early = "Never early", "绝不提前";
        early_count(early: String, held: String) = "{early} of them early; {held} early hints were sent back", "其中提前 {early} 项；退回过早的提示 {held} 条";
        early_how = "SQL executes nothing before its moment, by the database's clock and the node's; each minute the ledger is read for what was.", "按数据库时钟和节点时钟，SQL 都不会在预定时刻之前执行；每分钟检查台账。";
        twice = "Never twice", "绝不重复";
        twice_count(twice: String, stale: String) = "{twice} of them twice; {stale} repeated or old hints came to nothing", "其中重复 {twice} 项；重复或过期的提示 {stale} 条未起作用";
        twice_how = "One transaction changes the task, the ledger and the log; each minute the log is counted for a second line of the same execution.", "任务、台账和日志在同一事务中变更；每分钟检查日志中是否有同一执行的第二条记录。";
        silent = "Never silent", "绝不沉默";
        silent_count(attention: String, blind: String) = "{attention} on Attention; times without a look for more than 5 s while a node ran: {blind}", "待处理 {attention} 项；有节点运行却超过 5 秒未检查：{blind} 次";
        silent_how(longest: String) = "Each second SQL is asked for what is overdue, failed, missed or unconfirmed. Never for more than {longest} s without a look.", "每秒向 SQL 查询超时、失败、错过或未确认的事项。检查间隔从未超过 {longest} 秒。";
        audited(count: String) = "Executions audited: {count}", "已核对执行：{count} 次";
        last = "Last look:", "上次检查：";
        stop = ".", "。";
        not_yet = "not yet", "尚未";
        kept = "kept", "已守住";
        broken = "broken", "未守住";
        at_risk = "at risk", "有风险";
    }
}
