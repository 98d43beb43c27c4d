//! Texts of the page of a meeting: its paragraph, and its history.

use crate::{reason, texts};
use domain::task::reason as code;

texts! {
    /// The paragraph of the page of a meeting.
    MeetingSentenceTexts {
        waiting(when: String, place: String) = "Waits for {when}{place}.", "等候 {when}{place}。";
        offered(when: String, place: String) = "The room is free: {when}{place}.", "会议室已空出：{when}{place}。";
        wait_ends = "The room is taken. If it becomes free before the start, it is offered to the meeting that waits longest.", "会议室已被占用。若在开始前空出，将先提供给等候最久的会议。";
        accept_until(when: String) = "It is held until {when}; if no one accepts by then, the next meeting that waits gets it.", "保留到 {when}；届时无人接受，则提供给下一位等候者。";
        requested(when: String, place: String, who: String) = "{who} asks for {when}{place}.", "{who} 申请 {when}{place}。";
        confirmed(when: String, place: String) = "{when}{place}.", "{when}{place}。";
        running(until: String, place: String) = "In progress until {until}{place}.", "进行中，到 {until} 结束{place}。";
        ended(when: String, place: String) = "Took place {when}{place}.", "已于 {when} 举行{place}。";
        not_held(when: String, place: String) = "Was planned for {when}{place}.", "原定于 {when}{place}。";
        in_(room: String) = ", in {room}", "，{room}";
        reject_at(when: String) = "If no one decides by {when}, it is rejected.", "若到 {when} 无人决定，则不批准。";
        confirm_at(when: String) = "If no one decides by {when}, it is confirmed.", "若到 {when} 无人决定，则自动确认。";
        hold_at(when: String) = "If no one decides by {when}, it stays requested for an admin.", "若到 {when} 无人决定，则搁置，由管理员处理。";
        because(why: String) = "Reason: {why}", "原因：{why}";
        released = "No one checked in, so the room was released.", "无人签到，会议室已释放。";
        held = "No one decided in time; it waits for an admin.", "未在期限内决定，正等待管理员处理。";
        not_free = "the room did not become free in time", "会议室未能及时空出";
        not_accepted = "the room was free, and the offer was not accepted in time", "会议室已空出，但未在期限内接受";
        room_was_taken = "the room was taken when the deadline came", "到期限时会议室已被占用";
        expired = "No one decided in time.", "未在期限内决定。";
        starts_in(left: String) = "Starts in {left}.", "{left} 后开始。";
        ends_in(left: String) = "Ends in {left}.", "{left} 后结束。";
    }
}

impl MeetingSentenceTexts {
    /// Returns the reason as a user wrote it, or the words for a code.
    #[must_use]
    pub fn reason(self, reason: &str) -> String {
        match reason {
            "room_taken" => self.room_was_taken().to_owned(),
            "not_free" => self.not_free().to_owned(),
            "not_accepted" => self.not_accepted().to_owned(),
            code::OWNER_DISABLED => reason::sentence(self.0, reason),
            other => other.to_owned(),
        }
    }
}

texts! {
    /// Verbs of the history of a meeting.
    MeetingVerbTexts {
        book = "booked it", "预订了会议";
        request = "requested it", "申请了会议";
        wait = "waits for the room", "开始等候会议室";
        offer = "offered the room", "提供了会议室";
        accept = "accepted the room", "接受了会议室";
        decline = "declined the room", "放弃了会议室";
        move_ = "moved it", "改了时间";
        edit = "edited it", "修改了内容";
        remind = "changed its reminders", "更改了提醒";
        approve = "approved it", "批准了会议";
        reject = "rejected it", "未批准会议";
        cancel = "cancelled it", "取消了会议";
        start = "started it", "已开始";
        end = "ended it", "已结束";
        extend = "extended it", "延长了会议";
        check_in = "checked in", "已签到";
        release = "released the room", "释放了会议室";
        expire = "closed it, as its time was over", "因到期而关闭";
        confirm = "confirmed it, as no one had decided", "因无人决定而自动确认";
        hold = "kept the request for an admin", "搁置申请，由管理员处理";
        keep = "kept the room", "保留了会议室";
        undo = "undid the last change", "撤销了上次更改";
    }
}
