//! Texts of the cards of what needs a person.

use crate::texts;
use domain::engine::backups::BackupProblem;

texts! {
    /// Texts of the cards of what needs a person.
    CardTexts {
        title = "Needs you", "需要你处理";
        nothing = "Nothing needs attention.", "一切正常。";
        nothing_else = "Nothing else.", "没有其他事项。";
        checked(ago: String, what: String) = "Checked {ago}: {what}.", "{ago}检查：{what}。";
        checked_now(what: String) = "Checked just now: {what}.", "刚刚检查：{what}。";
        scheduled(n: String) = "{n} scheduled", "{n} 项已安排";
        delivering_one = "1 channel delivering", "1 个渠道正常";
        delivering(n: String) = "{n} channels delivering", "{n} 个渠道正常";
        answers(channel: String, status: u16) = "{channel} answers {status}", "“{channel}”返回 {status}";
        quoted(text: String) = " “{text}”", "“{text}”";
        not_reachable(channel: String, why: String) = "{channel} is not reachable: {why}", "无法连接“{channel}”：{why}";
        not_accepting(channel: String) = "{channel} does not accept messages", "“{channel}”不接收消息";
        switched_off(channel: String) = "{channel} was switched off by its receiver (410)", "“{channel}”已被接收方停用（410）";
        no_answer(channel: String) = "{channel} did not answer: messages may have arrived", "“{channel}”没有回应：消息可能已送达";
        held = "All messages are held", "所有消息已搁置";
        held_hint = "This database is a restored backup, a copy, or a server that took over. Articles are published as usual.", "此数据库来自备份、副本或接管的服务器。文章照常发布。";
        backup_no_space = "No backup was written: too little space is free", "未备份：可用空间不足";
        backup_no_space_hint = "A backup needs twice the size of the last one. Free space, or choose another folder. It is tried again every hour.", "备份需要上次备份两倍大小的可用空间。请释放空间或更换文件夹。系统每小时重试一次。";
        backup_missed = "The last two backups were not written", "最近两次备份均未完成";
        backup_missed_hint = "Nothing is lost yet. See the reason on the engine page.", "目前没有丢失任何内容。原因见引擎页面。";
        backup_broken = "The last backup cannot be restored", "最近一次备份无法恢复";
        backup_broken_hint = "It was restored into a scratch database, and that failed. See the reason on the engine page, and write a new backup.", "在临时数据库中试恢复失败。原因见引擎页面。请重新备份。";
        backup_link = "Backups on the engine page", "在引擎页面查看备份";
        held_link = "Confirm on the engine page", "在引擎页面确认";
        failed_one(title: String) = "“{title}” failed", "“{title}”失败";
        failed(n: String) = "{n} tasks failed", "{n} 项任务失败";
        missed_one(title: String) = "“{title}” missed its time", "“{title}”错过了时间";
        missed(n: String) = "{n} tasks missed their time", "{n} 项任务错过了时间";
        overdue_one(title: String) = "“{title}” is overdue", "“{title}”已逾期";
        overdue(n: String) = "{n} tasks are overdue", "{n} 项任务已逾期";
        older_one(title: String) = "“{title}”: the older revision was not published", "“{title}”：较旧的修订版未发布";
        older(n: String) = "{n} older revisions were not published", "{n} 个较旧的修订版未发布";
        held_one(title: String) = "“{title}” is held by the review", "“{title}”因审核而搁置";
        held_many(n: String) = "{n} articles are held by the review", "{n} 篇文章因审核而搁置";
        zones_one(title: String) = "“{title}” was rescheduled by new time-zone data", "“{title}”因时区数据更新而改期";
        zones(n: String) = "{n} tasks were rescheduled by new time-zone data", "{n} 项任务因时区数据更新而改期";
        expiring_one(title: String) = "“{title}” is about to be decided by its deadline", "“{title}”即将按期限自动处理";
        expiring(n: String) = "{n} requests are about to be decided by their deadline", "{n} 个申请即将按期限自动处理";
        expiring_hint = "Approve or reject them before the deadline decides.", "请在期限自动处理之前批准或拒绝。";
        meeting_held_one(title: String) = "“{title}” waits for an admin; it expires when the meeting ends", "“{title}”等待管理员处理；会议结束时申请失效";
        meetings_held(n: String) = "{n} requests wait for an admin; they expire when the meetings end", "{n} 个申请等待管理员处理；会议结束时申请失效";
        meetings_held_hint = "The deadline for a decision has passed. Approve or reject on the page of the meeting.", "处理期限已过。请在会议页面批准或拒绝。";
        released_one(title: String) = "The room of “{title}” was released", "“{title}”的会议室已释放";
        released(n: String) = "The rooms of {n} meetings were released", "{n} 个会议的会议室已释放";
        released_hint = "No one checked in. Undo on the meeting's page keeps the room, if it is still free.", "无人签到。如会议室仍空闲，可在会议页面撤销以保留。";
        since = "since", "始于";
        message_one = "1 message", "1 条消息";
        messages(n: String) = "{n} messages", "{n} 条消息";
        not_delivered(n: String) = "{n} not delivered", "{n} 条未送达";
        retried(n: String) = "{n} being retried", "{n} 条正在重试";
        waiting(n: String) = "{n} waiting", "{n} 条等待中";
        messages_held(n: String) = "{n} held", "{n} 条已搁置";
        trying = "trying now", "正在尝试";
        ask_admin = "An admin can retry or dismiss them.", "管理员可以重试或忽略。";
        show(n: String) = "Show {n}", "显示 {n} 项";
        shown_of(shown: String, total: String) = "Show {shown} of {total}", "显示 {total} 项中的 {shown} 项";
        retry_now = "Retry now", "立即重试";
        resume = "Resume and retry", "恢复并重试";
        test = "Send a test", "发送测试";
        edit = "Edit channel", "编辑渠道";
        log = "Log", "记录";
        retry_all(n: u64) = "Retry all {n}…", "全部重试（{n} 项）…";
        publish_all(n: u64) = "Publish all {n}…", "全部发布（{n} 项）…";
        resend_all(n: u64) = "Resend all {n}…", "全部重新发送（{n} 条）…";
        retry_one = "It is scheduled again and runs immediately, unless it was changed in the meantime.", "该项将重新安排并立即执行；若期间已更改则跳过。";
        retry_many(n: u64) = "{n} are scheduled again and run immediately. Items changed in the meantime are skipped.", "{n} 项将重新安排并立即执行；期间已更改的会跳过。";
        resend_one = "It is sent again, with the same id. It may arrive twice.", "该消息将以相同编号重新发送，可能重复送达。";
        resend_many(n: u64) = "{n} are sent again, with the same ids. Some may arrive twice.", "{n} 条将以相同编号重新发送，可能重复送达。";
        newest_first(n: u64) = "The newest {n} come first; repeat this for the rest.", "先处理最新的 {n} 项，其余可再次操作。";
        retry_yes(n: u64) = "Retry {n} now", "立即重试 {n} 项";
        publish_yes(n: u64) = "Publish {n} now", "立即发布 {n} 项";
        resend_yes(n: u64) = "Resend {n}", "重新发送 {n} 条";
        open_review = "Open the review", "打开审核";
        move_all = "Reschedule…", "改期…";
        move_hint(n: u64) = "All {n} are scheduled for this time.", "这 {n} 项都将安排在该时间。";
        move_yes(n: u64) = "Reschedule {n}", "改期 {n} 项";
        dismiss_all(n: u64) = "Dismiss {n}…", "忽略 {n} 项…";
        dismiss_tasks = "They are cancelled. Their articles stay as they are.", "这些任务会取消，文章保持不变。";
        dismiss_messages = "They are not sent. The log keeps them.", "这些消息不再发送，记录中仍会保留。";
        dismiss_yes(n: u64) = "Dismiss {n}", "忽略 {n} 项";
        dismiss = "Dismiss", "忽略";
        one_was_retried = "1 item was retried.", "已重试 1 项。";
        many_were_retried(n: u64) = "{n} items were retried.", "已重试 {n} 项。";
        one_was_dismissed = "1 item was dismissed.", "已忽略 1 项。";
        many_were_dismissed(n: u64) = "{n} items were dismissed.", "已忽略 {n} 项。";
        was_reopened(n: u64) = "Undone: {n} need attention again.", "已撤销：{n} 项恢复为待处理。";
        undo_dismiss = "Undo dismiss", "撤销忽略";
        one_was_moved = "1 item was rescheduled.", "已改期 1 项。";
        many_were_moved(n: u64) = "{n} items were rescheduled.", "已改期 {n} 项。";
        was_refused(n: u64) = "{n} skipped: they were changed, or their article has another task.", "{n} 项已跳过：已被更改，或其文章已有其他任务。";
        nothing_left = "Nothing was left to change.", "没有可处理的项。";
    }
}

impl CardTexts {
    /// What a retry of this number of tasks does.
    pub fn retry_tasks(self, n: u64) -> String {
        if n == 1 { self.retry_one().to_owned() } else { self.retry_many(n) }
    }

    /// Says how many items were retried.
    pub fn was_retried(self, n: u64) -> String {
        if n == 1 { self.one_was_retried().to_owned() } else { self.many_were_retried(n) }
    }

    /// Says how many items were dismissed.
    pub fn was_dismissed(self, n: u64) -> String {
        if n == 1 { self.one_was_dismissed().to_owned() } else { self.many_were_dismissed(n) }
    }

    /// Says how many items were rescheduled.
    pub fn was_moved(self, n: u64) -> String {
        if n == 1 { self.one_was_moved().to_owned() } else { self.many_were_moved(n) }
    }

    /// What resending this number of messages does.
    pub fn resend_hint(self, n: u64) -> String {
        if n == 1 { self.resend_one().to_owned() } else { self.resend_many(n) }
    }

    /// What is wrong with the backups, by [`BackupProblem`].
    pub fn backup_problem(self, problem: &str) -> &'static str {
        match problem.parse() {
            Ok(BackupProblem::NoSpace) => self.backup_no_space(),
            Ok(BackupProblem::NotRestorable) => self.backup_broken(),
            Ok(BackupProblem::Missed) | Err(_) => self.backup_missed(),
        }
    }

    /// What to do about the backups, by [`BackupProblem`].
    pub fn backup_hint(self, problem: &str) -> &'static str {
        match problem.parse() {
            Ok(BackupProblem::NoSpace) => self.backup_no_space_hint(),
            Ok(BackupProblem::NotRestorable) => self.backup_broken_hint(),
            Ok(BackupProblem::Missed) | Err(_) => self.backup_missed_hint(),
        }
    }

    /// Says that not all items are changed at once, if so.
    pub fn rest(self, all: u64, most: u64) -> Option<String> {
        (most < all).then(|| format!(" {}", self.newest_first(most)))
    }
}
