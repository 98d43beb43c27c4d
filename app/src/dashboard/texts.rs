//! Texts of the dashboard and the Attention page.

use crate::texts::texts;

texts! {
    /// Texts of the dashboard and the Attention page.
    DashboardTexts {
        title = "Dashboard", "概览";
        nothing_next = "Nothing is scheduled.", "目前没有安排。";
        nothing_hint = "Write an article, schedule it, and watch it being published here.", "写一篇文章，安排时间，就能在这里看着它发布。";
        write_first = "Write an article", "写文章";
        next_up = "Upcoming", "接下来";
        next_publish = "Next: publish ", "接下来发布：";
        next_unpublish = "Next: unpublish ", "接下来撤下：";
        due_now = "Due now: ", "正在执行：";
        recent = "Recently published", "最近发布";
        no_recent = "Nothing has been published yet.", "还没有发布过内容。";
        waiting(n: String) = "{n} scheduled", "{n} 项已安排";
        today(n: String) = "{n} executed in the last 24 hours", "过去 24 小时执行 {n} 项";
        all_tasks = "All tasks", "全部任务";
        attention_title = "Attention", "待处理";
        attention_lead = "Everything that needs a decision, with the actions beside it.", "需要处理的事项，旁边就是可用的操作。";
        attention_empty = "Nothing needs attention.", "没有待处理的事项。";
        attention_empty_hint = "Failed or missed tasks appear here within five seconds.", "失败或错过的任务会在五秒内出现在这里。";
        failed_because = "Failed", "失败";
        missed_because = "Missed", "已错过";
        overdue_because = "Overdue", "已逾期";
        zone_data_because = "Time zones", "时区";
        dismiss = "Dismiss", "忽略";
        retry_group(n: u64) = "Retry all {n}…", "全部重试（{n} 项）…";
        retry_group_hint(n: u64) = "{n} are scheduled again and run immediately. Items changed in the meantime are skipped.", "{n} 项将重新安排并立即执行；期间已更改的会跳过。";
        retry_group_most(n: u64) = "The newest {n} are retried first; repeat this for the rest.", "先重试最新的 {n} 项，其余可再次重试。";
        retry_group_yes(n: u64) = "Retry {n} now", "立即重试 {n} 项";
        retried(done: u64) = "Retried: {done}.", "已重试 {done} 项。";
        retried_refused(refused: u64) = "{refused} skipped: they were changed, or their article has another task.", "{refused} 项已跳过：已被更改，或其文章已有其他任务。";
        retried_none = "Nothing was left to retry.", "没有可重试的项。";
        shown_of(shown: usize, total: u64) = "{shown} of {total} shown", "显示 {total} 项中的 {shown} 项";
    }
}
