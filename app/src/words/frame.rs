//! Words of the frame around every page, and of buttons that stand everywhere.

use super::texts;

texts! {
    /// Words of the frame.
    FrameWords {
        skip = "Skip to the content", "跳到正文";
        main_menu = "Main menu", "主菜单";
        desk = "Desk", "工作台";
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
        admins_only = "This page is for admins. Ask one of them if something should change.", "此页面仅供管理员使用。如需更改，请联系管理员。";
        settings_menu = "Settings menu", "设置菜单";
        log_in = "Log in", "登录";
        log_out = "Log out", "退出登录";
        offline_since(time: String) = "Connection lost. Offline here since {time}: this page may be out of date. Publishing does not depend on it.", "连接已断开。自 {time} 起离线：页面可能不是最新。发布不受影响。";
        engine_silent(span: String) = "No word from the engine for {span}. Nothing is published until it is back.", "已有 {span}没有收到引擎的消息。恢复之前不会发布任何内容。";
        engine_behind = "The engine is behind: something is overdue. See Attention.", "引擎滞后：有任务已超时，请查看“待处理”。";
        engine_paused = "Publishing is paused. Nothing goes out until an admin resumes it.", "发布已暂停。管理员恢复之前不会发布任何内容。";
        engine_alive = "Engine is running", "引擎运行中";
        engine_is_paused = "Engine is paused", "引擎已暂停";
        engine_unknown = "Engine: not known here", "引擎状态未知";
        engine_is_down = "Engine is not publishing", "引擎未在发布";
        needs_attention(n: u64) = "{n} in Attention", "{n} 项待处理";
        not_found_title = "There is no such page", "页面不存在";
        not_found_text = "The address may be mistyped, or what was here is gone.", "地址可能有误，或内容已被移除。";
        to_the_desk = "To the desk", "回到工作台";
        save = "Save", "保存";
        cancel = "Cancel", "取消";
        close = "Close", "关闭";
        search = "Search", "搜索";
        all = "All", "全部";
        next_page = "Next page", "下一页";
        first_page = "First page", "第一页";
    }
}
