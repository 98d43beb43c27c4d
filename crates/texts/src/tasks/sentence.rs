//! Texts of the sentence on the task page.

use crate::{punctuation, texts};

texts! {
    /// Texts of the sentence on the task page.
    SentenceTexts {
        will_publish(when: String) = "Publishes on {when}", "将于 {when} 发布";
        will_unpublish(when: String) = "Unpublishes on {when}", "将于 {when} 撤下";
        will_run(when: String) = "Runs on {when}", "将于 {when} 执行";
        due_publish(when: String) = "Due since {when} and not published yet", "{when} 已到点，尚未发布";
        due_unpublish(when: String) = "Due since {when} and not unpublished yet", "{when} 已到点，尚未撤下";
        due_run(when: String) = "Due since {when} and not executed yet", "{when} 已到点，尚未执行";
        published(when: String) = "Published on {when}", "已于 {when} 发布";
        unpublished(when: String) = "Unpublished on {when}", "已于 {when} 撤下";
        executed(when: String) = "Executed on {when}", "已于 {when} 执行";
        revision(number: i32) = "revision {number}", "修订版 {number}";
        at_most(limit: String) = "skipped if more than {limit} late", "迟到超过 {limit} 则跳过";
        on_time(ms: String) = "on time ({ms} after the due time)", "准时（预定时间后 {ms}）";
        late(ms: String) = "{ms} late", "延迟 {ms}";
        to_unpublish = "To take it down, unpublish the article.", "如需下线，请撤下文章。";
        not_public = "The article is not public now.", "文章目前没有公开。";
        missed(late: String, limit: String) = "Missed: {late} late, the limit is {limit}.", "已错过：迟到 {late}，上限为 {limit}。";
        missed_limit(limit: String) = "Missed: later than the limit of {limit}.", "已错过：迟到超过上限 {limit}。";
        missed_because(why: String) = "Missed: {why}", "已错过：{why}";
        was_due(when: String) = "It was due on {when}.", "原定 {when}。";
        publish_or_dismiss = "Publish it now, reschedule it, or dismiss it.", "可以立即发布、改期或忽略。";
        run_or_dismiss = "Run it now, reschedule it, or dismiss it.", "可以立即执行、改期或忽略。";
        failed(when: String, why: String) = "Failed on {when}: {why}", "{when} 失败：{why}";
        failed_because(why: String) = "Failed: {why}", "失败：{why}";
        attempts(number: i32) = "Attempts: {number}.", "尝试 {number} 次。";
        see_log = "The server's log has the error. Retry it when the cause is fixed, or dismiss it.", "服务器日志中有错误信息。排除原因后请重试，或忽略。";
        dismiss = "Dismiss it.", "请忽略此任务。";
        approve = "Approve the revision and retry, or dismiss it.", "请批准该修订版后重试，或忽略。";
        retry_or_dismiss = "Retry it, reschedule it, or dismiss it.", "可以重试、改期或忽略。";
        unknown_reason = "the cause is not known.", "原因不明。";
        cancelled_by(name: String, when: String) = "Cancelled by {name} on {when}.", "{name}于 {when} 取消。";
        cancelled = "Cancelled.", "已取消。";
        the_engine = "the engine", "引擎";
        remaining(time: String) = "In {time}.", "还有 {time}。";
        executed_late(ms: String) = "{ms} late", "延迟 {ms}";
        executed_after(ms: String) = "{ms} after the due time", "预定时间后 {ms}";
        delivered(done: usize, of: usize) = "delivered to {done} of {of} channels", "已送达 {done}/{of} 个渠道";
        timing = "Timing", "各阶段用时";
    }
}

impl SentenceTexts {
    /// Separator of the parts of a sentence.
    #[must_use]
    pub fn comma(self) -> &'static str {
        punctuation::comma(self.0)
    }

    /// End of a sentence.
    #[must_use]
    pub fn full_stop(self) -> &'static str {
        punctuation::full_stop(self.0)
    }
}
