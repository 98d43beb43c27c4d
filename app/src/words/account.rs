//! Texts of log-in, set-up, profile, people, tokens and the desk's settings.

use super::texts;

texts! {
    /// Texts of log-in, set-up, profile, people, tokens and the desk's settings.
    AccountWords {
        text_is_kept = "You have been logged out. Log in again and go on: what you typed is kept.", "你已退出登录。重新登录即可继续，所填内容已保留。";
        log_in = "Log in", "登录";
        email = "E-mail", "邮箱";
        password = "Password", "密码";
        password_hint(min: usize) = "At least {min} characters. A few words in a row are easy to keep and hard to guess.", "至少 {min} 个字符。几个词连在一起，好记又难猜。";
        not_set_up = "This desk has no admin yet. Open the set-up link that the server printed when it started.", "此工作台还没有管理员。请打开服务器启动时打印的设置链接。";
        unencrypted = "This connection is not encrypted: others in the network can read your password. Ask whoever runs this desk for an https address.", "此连接未加密：同一网络中的其他人可以读取您的密码。请向运维人员索取 https 地址。";
        password_again = "What you do here outlives your session. You will not be asked again for 10 minutes.", "此操作在会话结束后仍然有效。10 分钟内不会再次询问。";
        forgot = "Forgotten your password? Ask an admin for a new link.", "忘记密码？请向管理员索取新链接。";
        logged_in_as(name: String) = "You are logged in as {name}.", "您已登录为 {name}。";
        go_on = "Go to the desk", "前往工作台";

        set_up = "Set up this desk", "设置工作台";
        set_up_lead = "You are the first here, so you become its admin.", "您是第一位成员，将成为管理员。";
        set_up_done = "This desk is set up. The link has done its work and cannot be used again.", "工作台已设置完毕，此链接已失效。";
        no_token = "This address needs the one-time link that the server printed when it started.", "此页面需要服务器启动时打印的一次性链接。";
        about_you = "You", "关于您";
        about_desk = "The desk", "工作台";
        name = "Name", "姓名";
        desk_title = "Title of the desk and the site", "工作台与网站的名称";
        zone = "Time zone", "时区";
        zone_hint = "A name like Europe/Berlin or Asia/Shanghai.", "如 Asia/Shanghai 或 Europe/Berlin。";
        language = "Language", "语言";
        finish = "Start", "开始使用";

        invited = "You are invited", "您受到邀请";
        invited_lead(email: String) = "Your account: {email}", "您的账号：{email}";
        accept = "Join the desk", "加入工作台";
        new_password = "A new password", "新密码";
        set_password = "Set the password and log in", "设置密码并登录";
        spent = "This link has been used or is too old. Ask an admin for a new one.", "链接已使用或已过期，请向管理员索取新链接。";

        profile = "Profile", "个人资料";
        theme = "Look", "外观";
        theme_auto = "Like the device", "跟随设备";
        theme_light = "Light", "浅色";
        theme_dark = "Dark", "深色";
        save = "Save", "保存";
        saved = "Saved.", "已保存。";
        change_password = "Change the password", "修改密码";
        old_password = "Current password", "当前密码";
        password_changed = "The password has changed. All other sessions have ended, and all API tokens that you did not keep.", "密码已修改，其他会话及未保留的 API 令牌均已失效。";
        keep_tokens = "API tokens that go on working", "继续有效的 API 令牌";
        keep_tokens_hint = "Those that are not ticked end with the old password.", "未勾选的令牌将随旧密码一起失效。";
        sessions = "Where you are logged in", "登录位置";
        this_session = "this one", "当前";
        since = "Since", "始于";
        last_seen = "Last seen", "最近活动";
        end_session = "End", "结束";
        end_session_of(agent: String) = "End the session of {agent}", "结束 {agent} 的会话";
        session_ended = "The session has ended.", "会话已结束。";

        desk_settings = "Desk settings", "工作台设置";
        desk_lead = "They hold for everybody and for the public site.", "对所有人和公开网站生效。";

        people = "People", "成员";
        role = "Role", "角色";
        creator = "Creator", "创作者";
        reviewer = "Reviewer", "审核者";
        admin = "Admin", "管理员";
        creator_hint = "writes and schedules their own", "撰写并安排自己的文章";
        reviewer_hint = "also approves", "还可以审核";
        admin_hint = "changes everything", "可以修改一切";
        disabled = "disabled", "已停用";
        you = "you", "您";
        invite = "Invite somebody", "邀请成员";
        make_link = "Make the link", "生成链接";
        link_ready(name: String) = "A link for {name}. It is shown only now and works once; send it to them.", "给 {name} 的链接。仅显示这一次，且只能使用一次，请发给对方。";
        link_invite = "Good for 7 days.", "7 天内有效。";
        link_reset = "Good for 24 hours; using it ends their sessions and API tokens.", "24 小时内有效；使用后其会话和 API 令牌全部失效。";
        link = "Link", "链接";
        set_role = "Change", "更改";
        role_of(name: String) = "Role of {name}", "{name} 的角色";
        role_changed = "The role has changed. Whoever has it logs in again.", "角色已更改，对方需要重新登录。";
        was_disabled = "The account is shut. Sessions and tokens have ended.", "账号已停用，其会话和令牌均已失效。";
        was_enabled = "The account is open again.", "账号已重新启用。";
        reset = "Reset password", "重置密码";
        disable = "Disable", "停用";
        enable = "Enable", "启用";
        of(what: String, name: String) = "{what}: {name}", "{what}：{name}";
        disable_heading(name: String) = "Disable {name}?", "停用 {name}？";
        disable_lead = "Their sessions and tokens end at once. This is what they have scheduled:", "其会话和令牌立即失效。以下是其已安排的内容：";
        keep_tasks = "Disable; these become yours and go out as planned", "停用；这些归你所有，并按计划发布";
        cancel_tasks = "Disable and cancel these", "停用，并取消这些安排";
        not_now = "Not now", "暂不停用";
        actions = "Actions", "操作";

        tokens = "API tokens", "API 令牌";
        tokens_lead = "A program that carries a token acts in your name: it never may more than you.", "程序凭令牌以您的名义操作，权限不会超过您本人。";
        no_tokens_hint = "Make one for each program, so that you can end it alone.", "请为每个程序单独创建令牌，以便单独吊销。";
        scope = "May", "权限";
        scope_read = "Only read", "仅读取";
        scope_write = "Read and change what you may change", "读取，并更改您可更改的内容";
        reads = "read", "读取";
        writes = "read and change", "读取和更改";
        token_name = "What is it for?", "用途";
        days = "Good for", "有效期";
        days_30 = "30 days", "30 天";
        days_90 = "90 days", "90 天";
        days_365 = "1 year", "1 年";
        create = "Create a token", "创建令牌";
        token_ready(name: String) = "The token “{name}”. It is shown only now; keep it safe.", "令牌“{name}”。仅显示这一次，请妥善保管。";
        token = "Token", "令牌";
        no_tokens = "You have no tokens.", "您还没有令牌。";
        made = "Made", "创建于";
        expires = "Good until", "有效期至";
        used = "Last used", "最近使用";
        never = "never", "从未";
        revoke = "Revoke", "吊销";
        revoked = "The token no longer works.", "令牌已失效。";
    }
}

impl AccountWords {
    /// What a role is called.
    #[must_use]
    pub fn role_name(self, role: domain::Role) -> &'static str {
        match role {
            domain::Role::Creator => self.creator(),
            domain::Role::Reviewer => self.reviewer(),
            domain::Role::Admin => self.admin(),
        }
    }
}
