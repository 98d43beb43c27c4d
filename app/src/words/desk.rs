//! Words of the front page and of Attention.

use super::texts;

texts! {
    /// Words of the front page.
    DeskWords {
        title = "Desk", "工作台";
        nothing_next = "Nothing is scheduled.", "目前没有安排。";
        nothing_hint = "Write an article, choose its moment, and watch it go out from here.", "写一篇文章，选好时间，就能在这里看着它发布。";
        write_first = "Write an article", "写文章";
        next_up = "Next", "即将发布";
        goes_out = "goes out", "即将发布";
        goes_off = "leaves the site", "即将撤下";
        is_due = "is going out now", "正在发布";
        just_out = "Just went out", "刚刚发布";
        nothing_out = "Nothing has gone out yet.", "还没有发布过内容。";
        lag = "Lag", "延迟";
        late(ms: String) = "{ms} after its moment", "延迟 {ms}";
        waiting(n: String) = "{n} scheduled", "{n} 项已安排";
        today(n: String) = "{n} in the last 24 hours", "过去 24 小时 {n} 项";
        all_tasks = "All tasks", "全部任务";
        attention_title = "Attention", "待处理";
        attention_lead = "Everything that needs a person, with the way out beside it.", "需要人处理的事项，旁边就是解决办法。";
        attention_of_others = "Only the owner or an admin can try these again.", "只有所有者或管理员可以重试这些任务。";
        attention_empty = "Nothing needs you.", "没有需要处理的事项。";
        attention_empty_hint = "Whatever fails or is missed appears here within five seconds.", "失败或错过的任务会在五秒内出现在这里。";
        failed_because = "Failed", "失败";
        missed_because = "Missed", "错过";
        overdue_because = "Overdue", "超时";
        zone_data_because = "Time zones", "时区";
        dismiss = "Dismiss", "忽略";
        retry_group(n: u64) = "Try all {n} again…", "全部重试（{n} 项）…";
        retry_group_hint(n: u64) = "{n} wait again and go out at once. Whatever has changed meanwhile stays as it is.", "{n} 项将重新等待并立即执行；期间已更改的保持不变。";
        retry_group_most(n: u64) = "The newest {n} are tried first; then the rest can be.", "先重试最新的 {n} 项，其余可稍后重试。";
        retry_group_yes(n: u64) = "Yes, try {n} again now", "确认，立即重试 {n} 项";
        retried(done: u64) = "Tried again: {done}.", "已重试 {done} 项。";
        retried_refused(refused: u64) = "{refused} could not be: they had been changed, or their article has another task by now.", "{refused} 项无法重试：已被更改，或其文章已有其他任务。";
        retried_none = "Nothing was left to be tried again.", "没有可重试的项。";
        shown_of(shown: usize, total: u64) = "{shown} of {total} shown", "显示 {total} 项中的 {shown} 项";
    }
}
