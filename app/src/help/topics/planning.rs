//! Topics of meetings, reminders and automation.

use super::topics;

topics! {
    MEETINGS: Meetings {
        "meetings" [List] ["series", "waiting-list", "check-in", "approval"]:
            meetings_title, meetings_what, meetings_then;
        "new-meeting" [] ["room", "series", "waiting-list", "attendee", "reading"]:
            new_meeting_title, new_meeting_what, new_meeting_then;
        "meeting" [] ["attendee", "answer-page", "check-in", "no-show", "series", "occurrence", "waiting-list"]:
            meeting_title, meeting_what, meeting_then;
        "meeting-import" [] ["series", "zone"]:
            meeting_import_title, meeting_import_what, meeting_import_then;
        "rooms" [Rooms] ["room", "booking", "approval", "door-page"]:
            rooms_title, rooms_what, rooms_then;
    }
}

topics! {
    REMINDERS: Reminders {
        "reminders" [List] ["reminder", "snooze", "channel", "outside-address", "reading"]:
            reminders_title, reminders_what, reminders_then;
    }
}

topics! {
    AUTOMATION: Automation {
        "rules" admins [] ["rule", "signal", "wait", "subject", "template", "quiet-hours", "cap", "grace"]:
            rules_title, rules_what, rules_then;
        "messages" admins [List] ["message", "notice", "channel", "delivery", "retry", "rule"]:
            messages_title, messages_what, messages_then;
    }
}
