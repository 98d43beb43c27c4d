//! Texts of the layout around every page, and of shared buttons.

use crate::texts::texts;

texts! {
    /// Texts of the layout.
    LayoutTexts {
        skip = "Skip to the content", "跳到正文";
        main_menu = "Main menu", "主菜单";
        dashboard = "Dashboard", "概览";
        articles = "Articles", "文章";
        attention = "Attention", "待处理";
        tasks = "Tasks", "任务";
        engine = "Engine", "引擎";
        settings = "Settings", "设置";
        site = "Public site", "公开网站";
        more = "More", "更多";
        profile = "Profile", "个人资料";
        people = "People", "成员";
        channels = "Channels", "渠道";
        tokens = "API tokens", "API 令牌";
        desk_settings = "Desk settings", "工作台设置";
        admins_only = "This page is for admins. Ask an admin to change something here.", "此页面仅供管理员使用。如需更改，请联系管理员。";
        settings_menu = "Settings menu", "设置菜单";
        log_in = "Log in", "登录";
        log_out = "Log out", "退出登录";
        offline_since(time: String) = "Connection lost. Offline since {time}: this page may be out of date. Publishing does not depend on it.", "连接已断开。自 {time} 起离线：页面可能不是最新。发布不受影响。";
        engine_silent(span: String) = "The engine has not responded for {span}. Nothing is published until it runs again.", "引擎已有 {span}没有响应。恢复运行之前不会发布任何内容。";
        engine_behind = "Publishing is late: some tasks are overdue. See Attention.", "发布延迟：有任务已逾期，请查看“待处理”。";
        engine_paused = "Publishing is paused. Nothing is published until an admin resumes it.", "发布已暂停。管理员恢复之前不会发布任何内容。";
        engine_alive = "Engine is running", "引擎运行中";
        engine_is_paused = "Engine is paused", "引擎已暂停";
        engine_unknown = "Engine: status unknown", "引擎状态未知";
        engine_is_down = "Engine is not publishing", "引擎未在发布";
        needs_attention(n: u64) = "{n} in Attention", "{n} 项待处理";
        not_found_title = "Page not found", "页面不存在";
        not_found_text = "The URL may be mistyped, or the page was removed.", "网址可能有误，或页面已被移除。";
        to_dashboard = "Go to the dashboard", "前往概览";
        close = "Close", "关闭";
        all = "All", "全部";
        next_page = "Next page", "下一页";
        first_page = "First page", "第一页";
    }
}
