//! Texts of rooms: the day, the week and the settings.

use crate::texts;

texts! {
    /// Texts of the pages of rooms.
    RoomTexts {
        title = "Rooms", "会议室";
        lead(place: String) = "Free and busy times, shown in {place} time. Choose a free time to book it.", "空闲与占用情况，时间以{place}显示。选择空闲时间即可预订。";
        previous_day = "Previous day", "前一天";
        next_day = "Next day", "后一天";
        previous_week = "Previous week", "上一周";
        next_week = "Next week", "下一周";
        today = "Today", "今天";
        this_week = "This week", "本周";
        days = "Days", "日期";
        go_to = "Go to date", "跳到日期";
        go = "Go", "前往";
        room = "Room", "会议室";
        day = "Day", "日期";
        hour = "Hour", "小时";
        free_from(from: String, to: String) = "Free {from}–{to}", "{from}–{to} 空闲";
        seats(seats: u32) = "{seats} seats", "{seats} 人";
        none = "No rooms.", "没有会议室。";
        none_hint = "An admin adds rooms in the settings.", "由管理员在设置中添加会议室。";
        none_hint_admin = "Add the first room, and it can be booked at once.", "添加第一个会议室后即可预订。";
        add = "Add room", "添加会议室";
        find_title = "Find a free room", "查找空闲会议室";
        date = "Date", "日期";
        from = "From", "从";
        to = "To", "到";
        people = "Seats", "人数";
        equipment = "Equipment", "设备";
        find = "Find", "查找";
        found(when: String) = "Free {when}:", "{when} 空闲：";
        found_none(when: String) = "No room is free {when}. Choose another time, fewer seats or less equipment.", "{when} 没有空闲的会议室。请换一个时间，或减少人数、设备。";
        book(room: String) = "Book {room}", "预订 {room}";
        week_lead(place: String) = "One week, shown in {place} time.", "一周，时间以{place}显示。";
        room_zone(place: String) = "The room is in the time zone of {place}.", "会议室所在时区：{place}。";
        needs_approval = "Needs approval", "需要批准";
        all_rooms = "All rooms", "全部会议室";
        keys = "Keys: left and right arrow: previous and next day.", "快捷键：左、右方向键：前一天、后一天。";
        keys_week = "Keys: left and right arrow: previous and next week.", "快捷键：左、右方向键：上一周、下一周。";
        archived_hint = "This room is archived: it cannot be booked.", "此会议室已归档，无法预订。";
    }
}

texts! {
    /// Texts of the settings of rooms.
    RoomSettingsTexts {
        title = "Rooms", "会议室";
        lead = "Rooms that can be booked, in the order in which they are shown.", "可预订的会议室，按显示顺序排列。";
        none = "No rooms yet.", "还没有会议室。";
        none_hint = "Add the first one below.", "请在下方添加第一个。";
        add_title = "Add a room", "添加会议室";
        add = "Add room", "添加";
        edit = "Edit", "编辑";
        edit_title(name: String) = "Edit “{name}”", "编辑“{name}”";
        save = "Save", "保存";
        close = "Close", "关闭";
        up = "Move up", "上移";
        down = "Move down", "下移";
        archive = "Archive", "归档";
        restore = "Restore", "恢复";
        archived = "Archived rooms", "已归档的会议室";
        of(action: &str, name: String) = "{action} – {name}", "{action}：{name}";
        name = "Name", "名称";
        capacity = "Seats", "人数";
        capacity_hint = "Leave empty for no limit.", "留空：不限。";
        place = "Place", "位置";
        place_hint = "Floor, building, or a link.", "楼层、楼宇或链接。";
        equipment = "Equipment", "设备";
        equipment_hint = "Separated by commas, e.g. screen, whiteboard.", "用逗号分隔，例如：屏幕、白板。";
        opening = "Opening hours", "开放时间";
        opens = "From", "从";
        closes = "To", "到";
        opening_hint = "Leave both empty if it is always open.", "都留空：全天开放。";
        opening_days = "Choose no day for every day.", "未选择日期：每天。";
        buffer = "Time between two bookings (minutes)", "两次预订之间的间隔（分钟）";
        approval = "Approval", "批准";
        approval_none = "Not needed: a booking is confirmed at once", "不需要：预订立即确认";
        approval_required = "Required: an admin decides", "需要：由管理员决定";
        holds = "A request holds the time", "申请期间保留该时间";
        after_minutes = "Decide within (minutes after the request)", "申请后多少分钟内决定";
        before_minutes = "Decide by (minutes before the start)", "开始前多少分钟须决定";
        deadline_hint = "Whichever comes first. Leave both empty for until the start.", "以先到者为准。都留空：到会议开始为止。";
        decision = "If no one decides", "若无人决定";
        decision_reject = "Reject the request", "不批准";
        decision_confirm = "Confirm the meeting", "确认会议";
        decision_hold = "Hold it for an admin", "搁置，由管理员处理";
        check_in = "Release the room if no one checks in", "无人签到则释放会议室";
        check_in_title = "Check-in", "签到";
        offer = "Time to accept the room after waiting for it (minutes)", "候补获得会议室后的接受时限（分钟）";
        reminders = "Usual reminders (minutes before the start)", "默认提醒（开始前的分钟数）";
        reminders_hint = "By mail to organizer and attendees, if no reminders are chosen for a meeting. Up to 3, separated by commas, e.g. 10, 60. Leave empty for those of the organizer.", "未为会议选择提醒时，向组织者和参会者发送邮件。最多 3 个，用逗号分隔，例如：10, 60。留空：按组织者的设置。";
        offer_hint = "For this time, a room that becomes free is held for the meeting that waits longest, at most until its start.", "会议室空出后为等待最久的会议保留此时间，最迟到会议开始。";
        grace = "Time to check in (minutes after the start)", "签到时限（开始后分钟数）";
        booked_by = "Can be booked by this role and higher", "可预订的最低角色";
        kept_hours(hours: String) = "Several opening hours are set: {hours}. They are kept; the API changes them.", "已设置多个开放时间：{hours}。此处保持不变，可通过 API 修改。";
        added = "The room is added.", "已添加会议室。";
        saved = "The room is saved.", "会议室已保存。";
        was_archived = "The room is archived. Its meetings stay.", "会议室已归档，其会议保留。";
        was_restored = "The room can be booked again.", "会议室可再次预订。";
        door = "Page for a screen at the door", "门口屏幕页面";
        door_hint = "It shows now and next, and needs no log-in: anyone with the link sees it. A new link replaces the one before.", "显示当前和接下来的会议，无需登录：知道链接的人都能查看。新链接会替换旧链接。";
        door_pin = "PIN to book at the door", "门口预订 PIN";
        door_pin_hint = "4 to 8 digits. Leave empty if the room cannot be booked there.", "4 至 8 位数字。留空：不能在门口预订。";
        door_pin_wrong = "The PIN must be 4 to 8 digits.", "PIN 须为 4 至 8 位数字。";
        door_create = "Create a link", "创建链接";
        door_revoke = "Revoke the link", "撤销链接";
        door_ready = "The link is ready. Open it on the screen now: it is not shown again.", "链接已创建。请现在在屏幕上打开，之后不再显示。";
        door_revoked = "The link is revoked. The screen no longer shows anything.", "链接已撤销，屏幕不再显示内容。";
        was_ordered = "The order is changed.", "顺序已更改。";
    }
}
