//! Topics of meetings, reminders and automation.

use super::topics;

topics! {
    MEETINGS: Meetings {
        "meetings" [List] ["series", "waiting-list", "check-in", "approval"]:
            "Meetings", "会议";
            "See the meetings that you organize or attend, and the requests that wait for your approval.", "查看你组织或参加的会议，以及等待你批准的申请。";
            "A meeting starts and ends by itself; changes are sent to its attendees by mail.", "会议会自动开始和结束；更改会通过邮件通知参会者。";
        "new-meeting" [] ["room", "series", "waiting-list", "attendee", "reading"]:
            "New meeting", "新建会议";
            "Enter a title, a time, a room and the attendees, and let the meeting repeat if needed.", "填写标题、时间、会议室和参会者，需要时可设为重复。";
            "A free room is booked at once; for a taken one the next free times are offered, or the meeting waits for it.", "会议室空闲则立即预订；已被占用时会提供下一个空闲时间，或让会议排队等候。";
        "meeting" [] ["attendee", "answer-page", "check-in", "no-show", "series", "occurrence", "waiting-list"]:
            "Meeting", "会议详情";
            "See who comes, move or extend the meeting, check in, end it early or cancel it.", "查看谁会参加，可移动或延长会议、签到、提前结束或取消。";
            "Attendees are notified of each change; of a series you choose how far the change goes.", "每次更改都会通知参会者；重复会议可选择更改的范围。";
        "meeting-import" [] ["series", "zone"]:
            "Import meetings", "导入会议";
            "Choose a calendar file (.ics), and see which meetings it would make.", "选择日历文件（.ics），查看会生成哪些会议。";
            "Nothing is booked before you confirm; a newer file updates the meetings of the earlier one.", "确认前不会预订；较新的文件会更新之前导入的会议。";
        "rooms" [Rooms] ["room", "booking", "approval", "door-page"]:
            "Rooms", "会议室";
            "See the free and taken times of the rooms by day, or of one room by week.", "按天查看各会议室的空闲与占用时间，或按周查看一间会议室。";
            "Choose a free time to book it; two meetings never get the same room.", "选择空闲时间即可预订；同一时间一间会议室只属于一个会议。";
    }
}

topics! {
    REMINDERS: Reminders {
        "reminders" [List] ["reminder", "snooze", "channel", "outside-address", "reading"]:
            "Reminders", "提醒";
            "Write what to remember, when, and for whom: you, a person of the desk or a mail address.", "填写提醒内容、时间和对象：自己、工作台成员或一个邮箱地址。";
            "It is sent at its time; then mark it as done, or snooze it to get it again later.", "到时间发送；之后可标记为完成，或选择稍后提醒。";
    }
}

topics! {
    AUTOMATION: Automation {
        "rules" admins [] ["rule", "signal", "wait", "subject", "template", "quiet-hours", "cap", "grace"]:
            "Rules", "规则";
            "Write a rule as a sentence: after this signal, wait this long, then do this, unless that came first.", "用一句话写规则：收到某信号后等待一段时间，然后执行；若先收到另一信号则不执行。";
            "Each matching signal opens a wait, and the page of the rule shows who waits and what happened.", "每个符合的信号开启一个等待；规则页面显示谁在等待以及发生了什么。";
        "messages" admins [List] ["message", "notice", "channel", "delivery", "retry", "rule"]:
            "Messages", "消息";
            "See what rules and programs send through a channel at a set time, or create a message yourself.", "查看规则和程序在指定时间通过渠道发送的内容，也可以自己新建消息。";
            "It is sent at its time and tried again after a failure; until then it can be changed or cancelled.", "到时间发送，失败后会重试；在此之前可以更改或取消。";
    }
}
