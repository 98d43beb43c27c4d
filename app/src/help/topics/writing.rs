//! Topics of Today, articles and the calendar.

use super::topics;

topics! {
    TODAY: Today {
        "today" [] ["attention", "scheduled", "due", "missed", "overdue", "held", "unconfirmed", "retry", "lateness", "posting-slot"]:
            today_title, today_what, today_then;
        "quick-add" [] ["posting-slot", "scheduled", "reading", "draft"]:
            quick_add_title, quick_add_what, quick_add_then;
        "notifications" [] ["notification", "device", "quiet-hours", "undo"]:
            notifications_title, notifications_what, notifications_then;
        "help" [] ["desk", "undo"]:
            help_title, help_what, help_then;
    }
}

topics! {
    ARTICLES: Articles {
        "articles" [List] ["draft", "scheduled", "held", "tag", "saved-view", "trash"]:
            articles_title, articles_what, articles_then;
        "editor" [Editor] ["draft", "revision", "posting-slot", "reading", "slug", "tag", "translation", "presence"]:
            editor_title, editor_what, editor_then;
        "article-plan" [] ["draft", "scheduled", "zone", "slug"]:
            article_plan_title, article_plan_what, article_plan_then;
        "revisions" [] ["revision", "undo"]:
            revisions_title, revisions_what, revisions_then;
        "links" [] ["draft"]:
            links_title, links_what, links_then;
        "releases" [] ["release", "revision", "held"]:
            releases_title, releases_what, releases_then;
        "media" [] ["alternative-text", "draft"]:
            media_title, media_what, media_then;
        "review" [List, Review] ["review", "approval", "workflow", "word-list", "held"]:
            review_title, review_what, review_then;
        "review-text" [Review] ["review", "approval", "revision", "word-list"]:
            review_text_title, review_text_what, review_text_then;
        "review-link" [] ["review", "approval", "revision"]:
            review_link_title, review_link_what, review_link_then;
    }
}

topics! {
    CALENDAR: Calendar {
        "calendar" [Calendar, Moving] ["scheduled", "posting-slot", "release", "series", "zone", "draft"]:
            calendar_title, calendar_what, calendar_then;
    }
}
