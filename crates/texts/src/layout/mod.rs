//! Texts of the layout around every page, and of shared buttons.

pub mod palette;
pub mod status;

use crate::texts;

texts! {
    /// Texts of the layout.
    LayoutTexts {
        skip = "Skip to the content", "跳到正文";
        no_program = "The script of these pages is still being built. Everything works without it, and the page uses it as soon as it is there.", "页面脚本仍在构建中。在此期间所有功能均可使用，构建完成后页面会自动启用脚本。";
        main_menu = "Main menu", "主菜单";
        dashboard = "Today", "今天";
        automation = "Automation", "自动化";
        system = "System", "系统";
        search_or_type = "Search or type a command", "搜索或输入命令";
        make = "New", "新建";
        new_article = "Article", "文章";
        new_meeting = "Meeting", "会议";
        new_reminder = "Reminder", "提醒";
        new_release = "Release", "发布组";
        new_message = "Message", "消息";
        new_rule = "Rule", "规则";
        from_file = "Articles from a plan", "从计划导入文章";
        profile_and_language = "Profile and language", "个人资料与语言";
        articles = "Articles", "文章";
        quick_add = "Quick add", "快速添加";
        tasks = "Queue", "队列";
        releases = "Releases", "发布组";
        calendar = "Calendar", "日历";
        slots = "Posting slots", "发布时段";
        media = "Media", "媒体";
        meetings = "Meetings", "会议";
        messages = "Messages", "消息";
        rules = "Rules", "规则";
        reminders = "Reminders", "提醒";
        notifications = "Notifications", "通知";
        activity = "Activity", "动态";
        mail_server = "Mail", "邮件";
        outside_mail = "Mail to others", "对外邮件";
        engine = "Engine", "引擎";
        queue_settings = "Queue settings", "队列设置";
        settings = "Settings", "设置";
        site = "Public site", "公开网站";
        more = "More", "更多";
        notification_choices = "Notifications", "通知设置";
        people = "People", "成员";
        channels = "Channels", "渠道";
        rooms = "Rooms", "会议室";
        review = "Review", "审核";
        words = "Word lists", "词库";
        waiting_reviews(n: u64) = "{n} waiting for a review", "{n} 篇待审核";
        tokens = "API tokens", "API 令牌";
        site_settings = "Public site", "公开网站";
        feeds = "Calendar feeds", "日历订阅";
        tags = "Tags", "标签";
        import = "Import", "导入";
        admins_only = "This page is for admins. Ask an admin to change something here.", "此页面仅供管理员使用。如需更改，请联系管理员。";
        find_setting = "Find a setting", "查找设置";
        of_me = "Me", "我";
        of_desk = "Desk", "工作台";
        general = "General", "常规";
        settings_menu = "Settings menu", "设置菜单";
        list_start = "Open the list from its start", "从头打开列表";
        to_list = "Go to the list", "前往列表";
        log_in = "Log in", "登录";
        log_out = "Log out", "退出登录";
        last_result = "Last change", "上次更改";
        only_admins = "Only admins can act on these", "只有管理员能处理";
        needs_attention(n: u64) = "{n} need attention", "{n} 项待处理";
        not_found_title = "Page not found", "页面不存在";
        not_found_text = "The URL may be mistyped, or the page was removed.", "网址可能有误，或页面已被移除。";
        changed_meanwhile = "This has changed meanwhile. Your input is kept.", "内容已有更改，你的输入仍保留。";
        show_changes = "Discard my input and show the changes", "放弃输入并显示更改";
        to_dashboard = "Go to Today", "前往“今天”";
        close = "Close", "关闭";
        all = "All", "全部";
        next_page = "Next page", "下一页";
        first_page = "First page", "第一页";
    }
}

texts! {
    /// Results of actions that load a page.
    ResultTexts {
        saved = "Saved.", "已保存。";
        word_replaced = "The word is replaced in a new revision.", "已在新的修订版中替换该词。";
        reviewers_asked = "Who is asked for the review is changed.", "审核人已更改。";
        revision_restored = "The earlier revision is the current text again. Nothing was lost.", "较早的修订版已恢复为当前正文，没有丢失任何内容。";
        submitted = "Submitted for review.", "已提交审核。";
        article_restored = "The article is restored from the trash.", "文章已从回收站恢复。";
        undo_delete = "Undo delete", "撤销删除";
        dismissed = "Dismissed.", "已忽略。";
        resent = "The message is sent again.", "正在重新发送消息。";
        arrived = "Marked as delivered.", "已标记为已送达。";
        dropped = "The message is dismissed and no longer sent.", "已忽略该消息，不再发送。";
        engine_paused = "Publishing is paused.", "发布已暂停。";
        engine_resumed = "Publishing is resumed.", "发布已恢复。";
        undo_pause = "Undo pause", "撤销暂停";
        release_without_time = "The articles are added, but the release is not scheduled: choose its time here.", "文章已加入，但发布组尚未安排时间：请在此选择。";
        released = "Messages are sent again.", "消息已恢复发送。";
    }
}
