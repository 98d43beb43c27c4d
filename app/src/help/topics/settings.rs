//! Topics of the settings and of the pages before the log-in.

use super::topics;

topics! {
    SETTINGS: Settings {
        "profile" [] ["zone", "desk"]:
            profile_title, profile_what, profile_then;
        "notification-settings" [] ["notification", "device", "quiet-hours"]:
            notification_settings_title, notification_settings_what, notification_settings_then;
        "tokens" [] ["token", "signal"]:
            tokens_title, tokens_what, tokens_then;
        "feeds" [] ["feed", "room"]:
            feeds_title, feeds_what, feeds_then;
        "outside-mail" [] ["outside-address", "held", "desk"]:
            outside_mail_title, outside_mail_what, outside_mail_then;
        "people" admins [] ["desk", "role", "token"]:
            people_title, people_what, people_then;
        "groups" admins [] ["role", "review", "attendee"]:
            groups_title, groups_what, groups_then;
        "sign-in" admins [] ["role", "desk"]:
            sign_in_title, sign_in_what, sign_in_then;
        "channels" admins [List] ["channel", "webhook", "delivery", "attempt", "retry", "unconfirmed", "held"]:
            channels_title, channels_what, channels_then;
        "queue-settings" admins [] ["queue", "channel", "delivery", "grace"]:
            queue_settings_title, queue_settings_what, queue_settings_then;
        "mail-server" admins [] ["channel", "outside-address", "reminder"]:
            mail_server_title, mail_server_what, mail_server_then;
        "room-settings" admins [] ["room", "buffer", "approval", "no-show", "check-in", "door-page", "waiting-list"]:
            room_settings_title, room_settings_what, room_settings_then;
        "posting-slots" admins [] ["posting-slot", "scheduled", "zone"]:
            posting_slots_title, posting_slots_what, posting_slots_then;
        "review-settings" admins [] ["workflow", "review", "approval", "word-list", "wait", "held"]:
            review_settings_title, review_settings_what, review_settings_then;
        "word-lists" admins [] ["word-list", "held", "review"]:
            word_lists_title, word_lists_what, word_lists_then;
        "site-settings" admins [] ["slug", "tag", "desk"]:
            site_settings_title, site_settings_what, site_settings_then;
        "tags" admins [] ["tag", "slug"]:
            tags_title, tags_what, tags_then;
        "import" admins [] ["draft", "scheduled", "zone", "undo"]:
            import_title, import_what, import_then;
        "desk-settings" admins [] ["desk", "zone", "role"]:
            desk_settings_title, desk_settings_what, desk_settings_then;
        "log-in" [] ["desk", "role"]:
            log_in_title, log_in_what, log_in_then;
    }
}
