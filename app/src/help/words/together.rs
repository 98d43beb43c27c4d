//! Words of meetings, rooms, reminders and people.

use super::words;

words! {
    "room": "Room", "会议室";
        "A room that meetings can book; two meetings never have it at once.", "可供会议预订的房间；同一时间只属于一个会议。";
        "“Library, 8 seats, Monday to Friday 08:00–18:00.”", "“图书室，8 人，周一至周五 08:00–18:00”。";
    "booking": "Booking", "预订";
        "The room and the times of a meeting, with its state.", "会议的会议室、时间及其状态。";
        "Moving a meeting to 11:00 changes its booking if the room is free then.", "若会议室空闲，将会议移到 11:00 会更改其预订。";
    "buffer": "Time between bookings", "预订间隔";
        "Minutes that stay free before the next meeting in a room.", "同一会议室下一个会议之前保持空闲的分钟数。";
        "With 15 minutes, a meeting until 10:00 lets the next one start at 10:15.", "间隔为 15 分钟时，10:00 结束的会议之后最早 10:15 开始下一个。";
    "attendee": "Attendee", "参会者";
        "A person who is invited to a meeting, with or without an account.", "受邀参加会议的人，可以没有账号。";
        "ann@example.org gets an invitation by mail and accepts it there.", "ann@example.org 收到邮件邀请并在其中接受。";
    "answer-page": "Answer page", "答复页面";
        "The page on which an attendee accepts or declines, by the link in the mail.", "参会者通过邮件中的链接接受或谢绝的页面。";
        "Ann opens the link in her mail and chooses “Accept”, without an account.", "Ann 打开邮件中的链接并选择“接受”，无需账号。";
    "door-page": "Door page", "门口屏幕页面";
        "The page of a screen at the door of a room: now, next, and check-in.", "会议室门口屏幕的页面：当前、接下来的会议和签到。";
        "The screen shows “Free until 14:00” and books with a PIN.", "屏幕显示“14:00 前空闲”，可用 PIN 预订。";
    "series": "Series", "重复会议";
        "A meeting that repeats by a rule in local time.", "按当地时间规则重复的会议。";
        "“Every Monday 10:00 until 1 March” stays at 10:00 when the clocks change.", "“每周一 10:00，至 3 月 1 日”在时钟调整后仍为 10:00。";
    "occurrence": "Occurrence", "场次";
        "One meeting of a series.", "重复会议中的一次。";
        "You cancel the occurrence on 25 December; the other Mondays stay.", "取消 12 月 25 日的场次，其他周一不变。";
    "check-in": "Check-in", "签到";
        "The confirmation at the start that the meeting takes place.", "会议开始时确认会议确实举行。";
        "Press “Check in” on the page of the meeting or at the door.", "在会议页面或门口屏幕上选择“签到”。";
    "no-show": "No-show", "无人签到";
        "A meeting without a check-in in time; its room is released.", "未按时签到的会议，其会议室会被释放。";
        "No one checks in by 10:10, so the room is free for others.", "到 10:10 无人签到，会议室即可供他人使用。";
    "waiting-list": "Waiting list", "候补";
        "Meetings that wait for a taken room, the longest wait first.", "等候已被占用的会议室的会议，等待最久的在前。";
        "A meeting is cancelled, and yours is offered its room for 30 minutes.", "有会议取消后，你的会议可在 30 分钟内接受该会议室。";
    "reminder": "Reminder", "提醒";
        "A short text that is sent to a person at a set time.", "在设定时间发给某人的一段短文字。";
        "“Call the mayor”, tomorrow at 09:00, for you.", "“给市长打电话”，明天 09:00，提醒自己。";
    "snooze": "Snooze", "稍后提醒";
        "Sends a reminder again later.", "让提醒稍后再次发送。";
        "“1 h” at 09:00 brings it back at 10:00.", "09:00 选择“1 小时”，10:00 会再次提醒。";
    "notification": "Notification", "通知";
        "A line behind the bell about something that concerns you.", "通知铃中与你有关的一条消息。";
        "“Ada moved your article to Friday 09:00”, with Undo.", "“Ada 将你的文章移到周五 09:00”，可撤销。";
    "device": "Device", "设备";
        "A browser that shows your notifications, also while the desk is closed.", "显示你的通知的浏览器，工作台关闭时也会显示。";
        "Turn it on in the notification settings on your phone.", "在手机上打开通知设置即可开启。";
    "role": "Role", "角色";
        "What an account may do: creator, reviewer or admin.", "账号的权限：创作者、审核人或管理员。";
        "A creator schedules own articles; a reviewer also approves those of others.", "创作者可安排自己的文章；审核人还可批准他人的文章。";
    "desk": "Desk", "工作台";
        "The pages for the people who write and plan, as opposed to the public site.", "供写作和安排者使用的页面，与公开网站相对。";
        "Readers never see the desk; they see the public site.", "读者看不到工作台，只能看到公开网站。";
}
