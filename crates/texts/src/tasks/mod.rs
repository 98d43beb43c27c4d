//! Texts of tasks: states, kinds, actions, the list and the task page.

pub mod activity;
pub mod bulk;
pub mod result;
pub mod sentence;
pub mod zone_move;

use crate::{event_verb::is_publication, meetings::MeetingTexts, texts};
use domain::{Kind, State, late_cause::Stage, task::Phase};

texts! {
    /// Texts of tasks.
    TaskTexts {
        title = "Queue", "队列";
        lead = "Scheduled, completed and cancelled tasks.", "已安排、已完成和已取消的任务。";
        state = "Status", "状态";
        find = "Find by title", "按标题查找";
        find_button = "Find", "查找";
        upcoming = "Upcoming", "即将执行";
        target = "Title", "标题";
        when = "When", "时间";
        search_all = "Search in every status", "在所有状态中查找";
        empty = "Schedule an article and it appears here.", "安排一篇文章后就会出现在这里。";
        empty_filtered = "No tasks match. Change or clear the filter.", "没有匹配的任务。请更改或清除筛选。";
        show_all = "Clear the search", "清除查找";
        scheduled = "Scheduled", "已安排";
        due = "Due", "到点";
        failed = "Failed", "失败";
        cancelled = "Cancelled", "已取消";
        missed = "Missed", "已错过";
        publish = "Publish", "发布";
        unpublish = "Unpublish", "撤下";
        send_reminder = "Send reminder", "发送提醒";
        show_reminder = "Show reminder in the desk", "在工作台内显示提醒";
        send_message = "Send message", "发送消息";
        review_deadline = "Review deadline", "审核期限";
        review_warning = "Reviewers warned of the deadline", "提醒审核期限";
        review_last_warning = "Reviewers warned again", "再次提醒审核期限";
        fire_rule = "Run a rule", "执行规则";
        update_waits = "Update the waits of a rule", "更新规则的等待项";
        send_signal = "Send a signal", "发送信号";
        refuse_signals = "Signals refused", "信号被拒绝";
        publish_release = "Publish release", "发布一组";
        revert_release = "Revert release", "恢复发布组";
        open_release = "Open release", "查看发布组";
        publish_now = "Publish now", "立即发布";
        unpublish_now = "Unpublish now", "立即撤下";
        cancel = "Cancel", "取消";
        unschedule = "Unschedule", "取消安排";
        reschedule_of(title: String) = "Reschedule “{title}”", "改期“{title}”";
        retry = "Retry", "重试";
        dismiss = "Dismiss", "忽略";
        reschedule = "Reschedule", "改期";
        run_now_other = "Run now", "立即执行";
        undo = "Undo", "撤销";
        undo_publish = "Undo publish", "撤销发布";
        undo_update = "Undo update", "撤销更新";
        undo_unpublish = "Undo unpublish", "撤销撤下";
        undo_schedule = "Undo schedule", "撤销安排";
        undo_reschedule = "Undo reschedule", "撤销改期";
        undo_cancel = "Undo: schedule again", "撤销：重新安排";
        undo_dismiss = "Undo dismiss", "撤销忽略";
        undo_replace = "Undo replace", "撤销替换";
        not_yours = "Only the owner or an admin can change this task.", "只有负责人或管理员可以更改此任务。";
        cannot_undo = "There is no change to undo.", "没有可以撤销的更改。";
        zone = "Time zone", "时区";
        owner = "Owner", "负责人";
        revision = "Revision", "修订版";
        due_at = "Due", "预定时间";
        status = "Status", "当前状态";
        timeline = "History", "操作记录";
        why_late = "Why was it late?", "为什么晚了？";
        lateness(ms: String) = "Executed {ms} after the due time.", "在预定时间后 {ms} 执行。";
        was_on_time = "Was it late?", "是否延迟？";
        on_time = "It was on time.", "准时执行。";
        stage = "Stage", "阶段";
        took = "Duration", "耗时";
        from_due = "After due", "距预定时间";
        stage_hinted = "Queued", "已入队";
        stage_moved = "Moved to the publish list", "移入发布列表";
        stage_popped = "Picked up", "已取出";
        stage_started = "Transaction started", "事务开始";
        stage_executed = "Executed", "执行完毕";
        stage_due = "Due", "到点";
        stage_swept = "Found by the sweeper", "由巡检找到";
        swept = "No hint arrived: the sweeper found the task in SQL.", "没有提示送达：由巡检从 SQL 中找到。";
        open_rule = "Open rule", "查看规则";
        open_rules = "Open rules", "查看所有规则";
        open_article = "Open article", "打开文章";
        view_public = "View on site", "在网站上查看";
        publish_scheduled = "Publish the scheduled version", "发布已安排的版本";
        use_current_text = "Use the current text", "改用当前正文";
        newer_revision_hint = "The article was edited later. The scheduled version is published, without those changes.", "文章此后有修改。将发布已安排的版本，不含这些修改。";
        nothing = "No tasks.", "没有任务。";
        pages = "Pages", "分页";
    }
}

impl TaskTexts {
    /// State as the user interface shows it, with *due* derived from the clock.
    #[must_use]
    pub fn phase(self, phase: Phase, kind: Kind) -> &'static str {
        match phase {
            Phase::Scheduled => self.scheduled(),
            Phase::Due => self.due(),
            Phase::Executed => self.done(kind),
            Phase::Failed => self.failed(),
            Phase::Cancelled => self.cancelled(),
            Phase::Missed => self.missed(),
        }
    }

    /// Stored state.
    #[must_use]
    pub fn state_of(self, state: State) -> &'static str {
        match state {
            State::Scheduled => self.scheduled(),
            State::Executed => match self.0 {
                crate::Language::En => "Done",
                crate::Language::Zh => "已完成",
            },
            State::Failed => self.failed(),
            State::Cancelled => self.cancelled(),
            State::Missed => self.missed(),
        }
    }

    /// State of an executed task of this kind.
    #[must_use]
    pub fn done(self, kind: Kind) -> &'static str {
        match (kind, self.0) {
            (Kind::ArticlePublish | Kind::Other("release.publish"), crate::Language::En) => "Published",
            (Kind::ArticlePublish | Kind::Other("release.publish"), crate::Language::Zh) => "已发布",
            (Kind::ArticleUnpublish, crate::Language::En) => "Unpublished",
            (Kind::ArticleUnpublish, crate::Language::Zh) => "已撤下",
            (
                Kind::Other("message.send" | "reminder.send" | "reminder.bell" | "signal.send"),
                crate::Language::En,
            ) => "Sent",
            (
                Kind::Other("message.send" | "reminder.send" | "reminder.bell" | "signal.send"),
                crate::Language::Zh,
            ) => "已发送",
            (Kind::Other("rule.fire"), crate::Language::En) => "Acted",
            (Kind::Other(_), crate::Language::En) => "Executed",
            (Kind::Other(_), crate::Language::Zh) => "已执行",
        }
    }

    /// Action of a task.
    #[must_use]
    pub fn kind(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish => self.publish(),
            Kind::ArticleUnpublish => self.unpublish(),
            Kind::Other("message.send") => self.send_message(),
            Kind::Other("reminder.send") => self.send_reminder(),
            Kind::Other("reminder.bell") => self.show_reminder(),
            Kind::Other("rule.fire") => self.fire_rule(),
            Kind::Other("rule.update_waits") => self.update_waits(),
            Kind::Other("signal.send") => self.send_signal(),
            Kind::Other("signal.refuse") => self.refuse_signals(),
            Kind::Other("release.publish") => self.publish_release(),
            Kind::Other("release.revert") => self.revert_release(),
            Kind::Other("review.decide") => self.review_deadline(),
            Kind::Other("review.warn") => self.review_warning(),
            Kind::Other("review.warn_again") => self.review_last_warning(),
            Kind::Other(word) => MeetingTexts(self.0).task_of(word).unwrap_or(word),
        }
    }

    /// Label of the button that undoes a change with this verb, see [`domain::task::UndoOffer`].
    #[must_use]
    pub fn undo_of(self, verb: &str) -> &'static str {
        match verb {
            "publish_now" => self.undo_publish(),
            "unpublish" => self.undo_unpublish(),
            "schedule" => self.undo_schedule(),
            "reschedule" => self.undo_reschedule(),
            "cancel" => self.undo_cancel(),
            "dismiss" => self.undo_dismiss(),
            "replace_revision" => self.undo_replace(),
            _ => self.undo(),
        }
    }

    /// What ends a stage.
    #[must_use]
    pub fn stage_of(self, stage: Stage) -> &'static str {
        match stage {
            Stage::Hinted => self.stage_hinted(),
            Stage::Moved => self.stage_moved(),
            Stage::Popped => self.stage_popped(),
            Stage::Swept => self.stage_swept(),
            Stage::Started => self.stage_started(),
            Stage::Executed => self.stage_executed(),
        }
    }

    /// Label of the button that cancels the task: an article is unscheduled.
    #[must_use]
    pub fn cancel_of(self, kind: Kind) -> &'static str {
        if is_publication(kind) { self.unschedule() } else { self.cancel() }
    }

    /// Label of the button that executes the task now.
    #[must_use]
    pub fn run_now(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish | Kind::Other("release.publish") => self.publish_now(),
            Kind::ArticleUnpublish => self.unpublish_now(),
            Kind::Other(_) => self.run_now_other(),
        }
    }
}
