//! Texts of meetings: states, actions, the list, the form and the page.

pub mod events;
mod page;
pub mod rooms;
mod series;
pub mod span;

pub use page::{MeetingSentenceTexts, MeetingVerbTexts};
pub use series::{RepeatTexts, SeriesTexts};

use crate::{punctuation, texts};
use domain::meetings::{Answer, MeetingState};

texts! {
    /// Texts of meetings.
    MeetingTexts {
        title = "Meetings", "会议";
        lead = "What you organize or attend. The next one comes first.", "你组织或参加的会议，最近的在最前。";
        new_meeting = "New meeting", "新建会议";
        rooms = "Rooms", "会议室";
        find = "Find by title", "按标题查找";
        find_button = "Find", "查找";
        mine = "Mine", "我的";
        to_approve = "To approve", "待批准";
        past = "Past meetings", "过去的会议";
        meeting = "Meeting", "会议";
        state = "Status", "状态";
        when = "When", "时间";
        organizer = "Organizer", "组织者";
        in_room(room: &str) = "in {room}", "{room}";
        decide_by(when: String) = "decide by {when}", "须在 {when} 前决定";
        none = "No meetings.", "没有会议。";
        none_mine_hint = "Plan a meeting, or open the rooms and choose a free time.", "新建会议，或打开会议室选择空闲时间。";
        none_to_approve = "Nothing to approve.", "没有待批准的会议。";
        none_to_approve_hint = "Requests for rooms that need approval appear here.", "需要批准的会议室申请会出现在这里。";
        none_past_hint = "Meetings that took place appear here.", "已举行的会议会出现在这里。";
        cancel_date = "Cancel this date", "取消此次";
        none_found_hint = "No meetings match. Change or clear the filter.", "没有匹配的会议。请更改或清除筛选。";
        clear = "Clear the filter", "清除筛选";
        open = "Open meeting", "查看会议";
        waiting = "Waiting for the room", "等候会议室";
        offered = "Room offered", "会议室待接受";
        accept_room = "Accept the room", "接受会议室";
        decline_room = "Decline", "放弃";
        accept_by(when: String) = "accept by {when}", "须在 {when} 前接受";
        task_wait = "End of the wait for the room", "等候会议室结束";
        task_mail = "Mail about changes to the attendees", "向参会者发送更改邮件";
        task_offer = "End of the offer of the room", "会议室保留到期";
        undo_decline = "Undo: accept the room again", "撤销放弃";
        requested = "Requested", "待批准";
        confirmed = "Confirmed", "已确认";
        in_progress = "In progress", "进行中";
        ended = "Ended", "已结束";
        rejected = "Rejected", "未批准";
        expired = "Expired", "申请已过期";
        cancelled = "Cancelled", "已取消";
        released = "Released", "已释放";
        started = "Started", "已开始";
        approve = "Approve", "批准";
        reject = "Reject", "不批准";
        cancel = "Cancel meeting", "取消会议";
        reschedule = "Move or resize", "改时间";
        change_end = "Change the end", "改结束时间";
        reject_or_cancel = "Reject or cancel", "不批准或取消";
        close_meeting = "Cancel …", "取消…";
        reject_meeting = "Reject with a reason", "不批准并说明原因";
        check_in = "Check in", "签到";
        end_now = "End now", "立即结束";
        extend = "Extend", "延长";
        extend_by(minutes: i64) = "+{minutes} min", "+{minutes} 分钟";
        extend_by_full(minutes: i64) = "Extend by {minutes} minutes", "延长 {minutes} 分钟";
        reason = "Reason", "原因";
        reason_hint = "The organizer and the attendees see it.", "组织者和参会者能看到。";
        undo = "Undo", "撤销";
        undo_book = "Undo booking", "撤销预订";
        undo_move = "Undo move", "撤销改时间";
        undo_cancel = "Undo: book again", "撤销：恢复会议";
        undo_approve = "Undo approve", "撤销批准";
        undo_reject = "Undo reject", "撤销不批准";
        undo_end = "Undo end", "撤销结束";
        undo_extend = "Undo extend", "撤销延长";
        undo_check_in = "Undo check-in", "撤销签到";
        undo_book_series = "Undo booking of the series", "撤销系列预订";
        undo_move_series = "Undo move of the series", "撤销系列改时间";
        undo_cancel_series = "Undo: book the series again", "撤销：恢复系列";
        task_extend = "Next meetings added", "添加后续会议";
        undo_edit = "Undo edit", "撤销修改";
        not_yours = "Only the organizer or an admin can change this meeting.", "只有组织者或管理员可以更改此会议。";
        details = "Details", "详情";
        room = "Room", "会议室";
        no_room = "No room", "不用会议室";
        place = "Place", "地点";
        zone = "Time zone", "时区";
        duration = "Duration", "时长";
        checked_in = "Checked in", "签到";
        not_checked_in(until: String) = "Not yet. The room is released at {until} if no one checks in.", "尚未签到。若无人签到，将于 {until} 释放会议室。";
        hand_over = "Hand over", "移交";
        new_organizer = "New organizer", "新的组织者";
        hand_over_hint = "Name of a person with an account.", "有账号的人员姓名。";
        hand_over_series = "Name of a person with an account. All meetings of the series that have not ended are handed over.", "有账号的人员姓名。该系列中尚未结束的会议会全部移交。";
        edit_details = "Edit details and attendees", "修改详情和参会者";
        description = "Description", "说明";
        attendees = "Attendees", "参会者";
        answer_pending = "No answer yet", "尚未答复";
        answer_accepted = "Accepted", "参加";
        answer_tentative = "Maybe", "可能参加";
        answer_declined = "Declined", "不参加";
        link = "Link", "链接";
        answered(name: &str, answer: &str) = "{name} answered: {answer}", "{name} 答复：{answer}";
        is_mailed = "invited by mail", "已邮件邀请";
        is_blocked = "gets no mail from this desk: the address is blocked", "不会收到此工作台的邮件：该邮箱已被屏蔽";
        blocked_addresses = "Blocked addresses", "屏蔽的邮箱";
        not_mailed = "The desk has no mail server: attendees get no invitations, changes and cancellations. An admin sets it under Settings, Mail.", "工作台没有邮件服务器：参会者收不到邀请、更改和取消通知。管理员可在“设置”中的“邮件”里配置。";
        no_attendees = "No one is invited.", "没有邀请任何人。";
        reminders = "What happens automatically", "自动执行";
        no_tasks = "Nothing is scheduled for this meeting.", "此会议没有已安排的任务。";
        history = "History", "操作记录";
        task_start = "Starts", "开始";
        task_end = "Ends", "结束";
        task_release = "Room released if no one checks in", "无人签到则释放会议室";
        task_warn_release = "Organizer and attendees warned that the room is released", "提醒组织者和参会者会议室将被释放";
        task_warn = "Approvers warned of the deadline", "提醒审批人期限将至";
        task_warn_again = "Approvers warned again", "再次提醒审批人";
        task_decide = "Request decided", "处理申请";
    }
}

texts! {
    /// Texts of the form for a meeting.
    MeetingFormTexts {
        new_title = "New meeting", "新建会议";
        usual_reminders = "If none is chosen: the usual reminders of the room, or those in my settings", "未选择时：使用会议室的默认提醒，或我设置的提醒";
        meeting_title = "Title", "标题";
        in_room = "in", "地点";
        on = "on", "时间";
        until = "until", "至";
        ends_at = "End", "结束时间";
        length = "Length", "时长";
        minutes(n: i64) = "{n} min", "{n} 分钟";
        ends_other_day = "Ends on another day", "在另一天结束";
        end_date = "Last day", "结束日期";
        people = "People of the desk", "工作台成员";
        add_group(name: &str) = "Add {name}", "添加{name}";
        group_hint = "A group adds the members that it has now; remove any of them here. Later changes of the group change no invitation.", "小组会添加其当前成员，可在此逐个移除。之后小组成员变动不会影响邀请。";
        is_free_then = "free", "空闲";
        is_busy_then(when: String) = "busy {when}", "{when} 忙";
        with = "With", "参会者";
        with_hint = "Guests by e-mail address, one per line or separated by commas.", "来宾邮箱地址，每行一个或用逗号分隔。";
        description = "Description", "说明";
        optional(label: &str) = "{label} (optional)", "{label}（可选）";
        capacity(name: String, seats: u32) = "{name} ({seats} seats)", "{name}（{seats} 人）";
        book = "Book", "预订";
        wait_for_room = "Wait for this room", "等候此会议室";
        wait_hint = "You are notified when it becomes free, and how long it is then held for you.", "空出时会通知你，并告知为你保留到何时。";
        book_for(when: String) = "Book {when}", "预订 {when}";
        request_for(when: String) = "Request {when}", "申请 {when}";
        move_to(when: String) = "Move to {when}", "改到 {when}";
        save = "Save", "保存";
        move_ = "Move", "改时间";
        is_free(room: String) = "{room} is free then.", "{room} 在该时间空闲。";
        is_not_free(room: String) = "{room} cannot be booked then: it is closed, or another booking is too close.", "{room} 在该时间无法预订：不在开放时间，或与其他预订相隔太近。";
        is_taken(room: String) = "{room} is taken then:", "{room} 在该时间已被占用：";
        next_free(when: String) = "Next free: {when}", "下一个空闲时间：{when}";
        use_next = "Use that time", "使用该时间";
        free_rooms = "Free then:", "该时间空闲的会议室：";
        no_free_room = "No room is free then.", "该时间没有空闲的会议室。";
        needs_approval = "This room needs approval. The time is held for you until it is decided.", "此会议室需要批准。在决定之前为你保留该时间。";
        needs_approval_unheld = "This room needs approval. The time is not held until it is approved.", "此会议室需要批准。批准之前不保留该时间。";
        find_room = "Find a free room", "查找空闲会议室";
        when_busy(title: String, when: String) = "{title}, {when}", "{title}，{when}";
        busy = "Busy", "已占用";
    }
}

texts! {
    /// Results of actions on meetings.
    MeetingResultTexts {
        waits(title: String, when: String) = "“{title}” waits for the room: {when}. You are notified when it becomes free.", "“{title}”正在等候会议室：{when}。空出时会通知你。";
        accepted(title: String, when: String) = "The room is yours: “{title}”, {when}.", "会议室归你使用：“{title}”，{when}。";
        declined(title: String) = "Declined: “{title}” does not use this room.", "已放弃，“{title}”不再使用该会议室。";
        booked(title: String, when: String) = "“{title}” is booked for {when}.", "“{title}”已预订：{when}。";
        requested(title: String, when: String) = "“{title}” is requested for {when}. It is confirmed when an admin approves it.", "“{title}”已申请：{when}。管理员批准后确认。";
        booked_series(title: String, when: String) = "“{title}” is booked as a series. The first meeting: {when}.", "“{title}”已按系列预订，第一次：{when}。";
        moved_series(title: String, when: String) = "“{title}” and the other meetings of its series are moved. This one: {when}.", "“{title}”及该系列的其他会议已改时间，此次：{when}。";
        cancelled_series(title: String) = "“{title}” and the other meetings of its series are cancelled.", "“{title}”及该系列的其他会议已取消。";
        kept_moved_one = "1 meeting that was moved on its own stays booked.", "曾单独改过时间的 1 次会议仍保留预订。";
        kept_moved_many(count: usize) = "{count} meetings that were moved on their own stay booked.", "曾单独改过时间的 {count} 次会议仍保留预订。";
        moved(title: String, when: String) = "“{title}” is moved to {when}.", "“{title}”已改到 {when}。";
        approved(title: String) = "“{title}” is approved.", "已批准“{title}”。";
        rejected(title: String) = "“{title}” is rejected.", "未批准“{title}”。";
        cancelled(title: String) = "“{title}” is cancelled.", "已取消“{title}”。";
        checked_in(title: String) = "Checked in. The room stays yours for “{title}”.", "已签到，会议室保留给“{title}”。";
        ended(title: String) = "“{title}” is ended. The room is free.", "“{title}”已结束，会议室已空出。";
        extended(title: String, until: String) = "“{title}” is extended until {until}.", "“{title}”已延长到 {until}。";
        edited(title: String) = "“{title}” is saved.", "“{title}”已保存。";
        handed_over(title: String, organizer: String) = "“{title}” is handed over to {organizer}.", "“{title}”已移交给 {organizer}。";
        undone(title: String, when: String) = "Undone: “{title}” is {when} again.", "已撤销：“{title}”恢复为 {when}。";
        undone_cancelled(title: String) = "Undone: “{title}” is no longer booked.", "已撤销：“{title}”不再预订。";
        changed(title: String) = "“{title}” is changed.", "“{title}”已更改。";
    }
}

impl MeetingResultTexts {
    /// Says that a series is cancelled without `kept` meetings that were moved one by one.
    #[must_use]
    pub fn cancelled_series_but(self, title: String, kept: usize) -> String {
        let rest = if kept == 1 { self.kept_moved_one().to_owned() } else { self.kept_moved_many(kept) };
        [&self.cancelled_series(title), punctuation::gap(self.0), &rest].concat()
    }
}

impl MeetingTexts {
    /// Word of a state.
    #[must_use]
    pub fn state_of(self, state: MeetingState) -> &'static str {
        match state {
            MeetingState::Waiting => self.waiting(),
            MeetingState::Offered => self.offered(),
            MeetingState::Requested => self.requested(),
            MeetingState::Confirmed => self.confirmed(),
            MeetingState::InProgress => self.in_progress(),
            MeetingState::Ended => self.ended(),
            MeetingState::Rejected => self.rejected(),
            MeetingState::Expired => self.expired(),
            MeetingState::Cancelled => self.cancelled(),
            MeetingState::Released => self.released(),
        }
    }

    /// Word of an answer.
    #[must_use]
    pub fn answer_of(self, answer: Answer) -> &'static str {
        match answer {
            Answer::Pending => self.answer_pending(),
            Answer::Accepted => self.answer_accepted(),
            Answer::Tentative => self.answer_tentative(),
            Answer::Declined => self.answer_declined(),
        }
    }

    /// What a task of a meeting does; `None`: it is not one.
    #[must_use]
    pub fn task_of(self, kind: &str) -> Option<&'static str> {
        Some(match kind {
            "meeting.start" => self.task_start(),
            "meeting.end" => self.task_end(),
            "meeting.release" => self.task_release(),
            "meeting.warn_release" => self.task_warn_release(),
            "meeting.warn" => self.task_warn(),
            "meeting.warn_again" => self.task_warn_again(),
            "meeting.decide" => self.task_decide(),
            "meeting.wait" => self.task_wait(),
            "meeting.offer" => self.task_offer(),
            "meeting.mail" => self.task_mail(),
            "series.extend" => self.task_extend(),
            _ => return None,
        })
    }

    /// Label of the button that undoes a change with this verb.
    #[must_use]
    pub fn undo_of(self, verb: &str) -> &'static str {
        match verb {
            "book" => self.undo_book(),
            "move" => self.undo_move(),
            "cancel" => self.undo_cancel(),
            "approve" => self.undo_approve(),
            "reject" => self.undo_reject(),
            "decline" => self.undo_decline(),
            "end" => self.undo_end(),
            "extend" => self.undo_extend(),
            "check_in" => self.undo_check_in(),
            "edit" => self.undo_edit(),
            "book_series" => self.undo_book_series(),
            "move_series" => self.undo_move_series(),
            "cancel_series" => self.undo_cancel_series(),
            _ => self.undo(),
        }
    }
}
