//! Words about tasks: states, kinds, actions, the list and the page of one.

use super::texts;
use domain::{Kind, State, late::Stage, task::Phase};

texts! {
    /// Words about tasks.
    TaskWords {
        title = "Tasks", "任务";
        lead = "Everything that happens at a moment: waiting, done, called off.", "所有定时发生的事：等待中、已完成、已取消。";
        state = "State", "状态";
        find = "Find by title", "按标题查找";
        filter = "Show", "筛选";
        empty = "Schedule an article and it appears here.", "安排一篇文章后就会出现在这里。";
        empty_filtered = "Nothing matches. Show all tasks instead.", "没有匹配的任务，可改为显示全部。";
        show_all = "Show all", "显示全部";
        scheduled = "Scheduled", "已安排";
        due = "Due", "到点";
        failed = "Failed", "失败";
        cancelled = "Cancelled", "已取消";
        missed = "Missed", "已错过";
        publish = "Publish", "发布";
        unpublish = "Unpublish", "撤下";
        publish_now = "Publish now", "立即发布";
        unpublish_now = "Unpublish now", "立即撤下";
        cancel = "Cancel", "取消";
        move_of(title: String) = "Move “{title}”", "改期“{title}”";
        retry = "Try again", "重试";
        drop = "Drop", "放弃";
        reschedule = "Reschedule", "重新安排";
        move_ = "Move", "改期";
        move_to = "Move to this time", "改到此时间";
        undo = "Undo", "撤销";
        undo_publish = "Undo publish", "撤销发布";
        undo_unpublish = "Undo unpublish", "撤销撤下";
        undo_schedule = "Undo schedule", "撤销安排";
        undo_move = "Undo move", "撤销改期";
        undo_cancel = "Undo cancel", "撤销取消";
        undo_replace = "Undo replace", "撤销替换";
        last_change = "Last change", "上次更改";
        was_cancelled = "Cancelled.", "已取消。";
        was_scheduled(to: String) = "Scheduled for {to}.", "已安排在{to}。";
        was_moved(to: String) = "Moved to {to}.", "已改到{to}。";
        was_published = "Published at once.", "已立即发布。";
        was_unpublished = "Unpublished.", "已撤下。";
        was_changed = "Changed.", "已更改。";
        not_yours = "This belongs to somebody else; only they or an admin may change it.", "此项属于他人，仅本人或管理员可更改。";
        cannot_undo = "There is no change that could be taken back.", "没有可以撤销的更改。";
        date = "Date", "日期";
        time = "Time", "时间";
        zone = "Time zone", "时区";
        earlier = "The earlier one", "较早的一次";
        later = "The later one", "较晚的一次";
        actions = "Actions", "操作";
        owner = "Owner", "所有者";
        revision = "Revision", "修订版";
        attempts = "Attempts", "尝试次数";
        made = "Made", "创建于";
        due_at = "Due", "时间";
        happened_at = "Happened", "完成于";
        reason = "Reason", "原因";
        grace = "Late rule", "迟到规则";
        grace_of(time: String) = "still runs up to {time} late, then it is missed", "迟到 {time} 以内仍执行，超过则记为错过";
        machine = "Where it stands", "当前状态";
        machine_alt(state: String) = "State machine: scheduled, then published, failed, missed or cancelled. Now: {state}.", "状态图：已安排，之后为已完成、失败、错过或取消。当前：{state}。";
        timeline = "Timeline", "时间线";
        stages = "Every stage", "各阶段耗时";
        why_late = "Why was this late?", "为什么晚了？";
        lag(ms: String) = "Executed {ms} after its moment.", "在预定时刻后 {ms} 执行。";
        was_on_time = "Was this late?", "是否迟到？";
        on_time = "It was on time.", "准时完成。";
        stage = "Stage", "阶段";
        took = "Took", "耗时";
        from_due = "After its moment", "距预定时刻";
        stage_hinted = "Hint laid", "写入提示";
        stage_moved = "Moved to the publish list", "移入发布列表";
        stage_popped = "Taken by a consumer", "被消费者取走";
        stage_started = "Transaction began", "事务开始";
        stage_executed = "Executed", "执行完毕";
        stage_due = "Its moment", "预定时刻";
        stage_swept = "Found by the sweeper", "由巡检找到";
        swept = "No hint brought it: the sweeper found it in SQL.", "没有提示送达：由巡检从 SQL 中找到。";
        open_article = "Open the article", "打开文章";
        view_public = "View on the site", "在网站上查看";
        replace = "Replace by the current revision", "换成当前修订版";
        nothing = "No tasks", "暂无任务";
        pages = "Pages", "分页";
        cannot_change = "It has happened or was called off; nothing more can be done to it.", "已完成或已取消，无法再操作。";
    }
}

impl TaskWords {
    /// A state as the screen shows it.
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

    /// A stored state.
    #[must_use]
    pub fn state_of(self, state: State) -> &'static str {
        match state {
            State::Scheduled => self.scheduled(),
            State::Executed => match self.0 {
                super::Language::En => "Done",
                super::Language::Zh => "已完成",
            },
            State::Failed => self.failed(),
            State::Cancelled => self.cancelled(),
            State::Missed => self.missed(),
        }
    }

    /// What happened when a task of this kind was executed.
    #[must_use]
    pub fn done(self, kind: Kind) -> &'static str {
        match (kind, self.0) {
            (Kind::ArticlePublish, super::Language::En) => "Published",
            (Kind::ArticlePublish, super::Language::Zh) => "已发布",
            (Kind::ArticleUnpublish, super::Language::En) => "Unpublished",
            (Kind::ArticleUnpublish, super::Language::Zh) => "已撤下",
        }
    }

    /// What a task does.
    #[must_use]
    pub fn kind(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish => self.publish(),
            Kind::ArticleUnpublish => self.unpublish(),
        }
    }

    /// The button that takes back a change with this verb, see [`domain::task::Undo`].
    #[must_use]
    pub fn undo_of(self, verb: &str) -> &'static str {
        match verb {
            "publish_now" => self.undo_publish(),
            "unpublish" => self.undo_unpublish(),
            "schedule" => self.undo_schedule(),
            "reschedule" => self.undo_move(),
            "cancel" => self.undo_cancel(),
            "replace_revision" => self.undo_replace(),
            _ => self.undo(),
        }
    }

    /// What a stage of the way ends with.
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

    /// The button that does it at once.
    #[must_use]
    pub fn at_once(self, kind: Kind) -> &'static str {
        match kind {
            Kind::ArticlePublish => self.publish_now(),
            Kind::ArticleUnpublish => self.unpublish_now(),
        }
    }
}
