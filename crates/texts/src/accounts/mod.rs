//! Texts of login, set-up, profile, people, API tokens and desk settings.

pub mod groups;
pub mod passkeys;
pub mod saved_views;
pub mod second_factor;
pub mod sign_in;

use crate::texts;

texts! {
    /// Texts of login, set-up, profile, people, API tokens and desk settings.
    AccountTexts {
        input_is_kept = "Log in again to continue: your input is kept.", "重新登录即可继续，所填内容已保留。";
        log_in = "Log in", "登录";
        email = "E-mail", "邮箱";
        password = "Password", "密码";
        password_hint(min: usize) = "At least {min} characters. Several random words are easy to remember and hard to guess.", "至少 {min} 个字符。几个不相关的词连在一起，好记又难猜。";
        not_set_up = "This desk has no admin yet. Open the set-up link that the server printed when it started.", "此工作台还没有管理员。请打开服务器启动时显示的设置链接。";
        unencrypted = "This connection is not encrypted: others on the network can read your password. Ask the operator for an https address.", "此连接未加密：同一网络中的其他人可以读取你的密码。请向运维人员索取 https 地址。";
        password_again = "This change stays in effect after you log out, so your password is required. You are not asked again for 10 minutes.", "此操作在退出登录后仍然有效，因此需要密码。10 分钟内不再询问。";
        stay_logged_in(days: u32) = "Stay logged in for {days} days", "{days} 天内保持登录";
        forgot = "Forgot your password? Ask an admin for a reset link.", "忘记密码？请向管理员索取重置链接。";
        logged_in_as(name: String) = "You are logged in as {name}.", "你已登录为 {name}。";
        go_to_desk = "Go to the desk", "前往工作台";

        set_up = "Set up this desk", "设置工作台";
        set_up_lead = "You are the first user and become the admin. Your first article comes next, or the import of a blog you have.", "你是第一位成员，将成为管理员。下一步是写第一篇文章，或导入已有的博客。";
        set_up_done = "This desk is already set up. The link can no longer be used.", "工作台已设置完毕，此链接已失效。";
        needs_set_up_link = "Open the set-up link. The server (presstime serve) printed it in its log when it started.", "请打开设置链接：服务器（presstime serve）启动时已将它写入日志。";
        your_account = "Your account", "你的账号";
        the_desk = "Desk", "工作台";
        name = "Name", "姓名";
        desk_title = "Title of the desk and the site", "工作台与网站的名称";
        desk_title_hint(title: String) = "For example the name of your blog. Left empty, it is {title} until you change it.", "例如你的博客名称。留空则为 {title}，之后可以更改。";
        zone = "Time zone", "时区";
        zone_hint = "For example Europe/Berlin or Asia/Shanghai.", "如 Asia/Shanghai 或 Europe/Berlin。";
        language = "Language", "语言";
        finish = "Start", "开始使用";

        invited = "You are invited", "你受到邀请";
        invited_lead(email: String) = "Your account: {email}", "你的账号：{email}";
        accept = "Join the desk", "加入工作台";
        new_password = "New password", "新密码";
        set_password = "Set password and log in", "设置密码并登录";
        link_expired = "This link was already used or has expired. Ask an admin for a new one.", "链接已使用或已过期。请向管理员索取新链接。";

        profile = "Profile", "个人资料";
        theme = "Appearance", "外观";
        theme_auto = "Same as device", "跟随设备";
        theme_light = "Light", "浅色";
        theme_dark = "Dark", "深色";
        keyboard = "Keyboard", "键盘";
        answers = "Answers to your meetings", "对你的会议的答复";
        answers_off = "No notification", "不通知";
        answers_bell = "In the bell", "在通知铃中";
        answers_mail = "In the bell and by mail", "在通知铃中并发送邮件";
        answers_hint = "One notification for each meeting, with the number of answers; at most one mail every ten minutes.", "每个会议一条通知，附答复人数；每十分钟的答复合为一封邮件。";
        shortcuts = "Shortcuts of a single key", "单键快捷键";
        shortcuts_hint = "Z undoes, N adds, J and K move in lists, E, M, X and P act on the selected row, / searches, G and a letter open a page, ? opens help. Switch them off if you dictate text.", "Z 撤销，N 添加，J、K 在列表中移动，E、M、X、P 操作所选行，/ 搜索，G 加字母打开页面，? 打开帮助。使用语音输入时可关闭。";
        author_page = "Your page as an author", "你的作者页面";
        about = "About you", "个人简介";
        about_hint = "Shown above your articles on the site. At most 600 characters.", "显示在网站上你的文章列表上方，最多 600 个字符。";
        picture = "Picture", "头像";
        picture_hint = "A picture of the media library (/media/…). It becomes public.", "媒体库中的图片（/media/…）。该图片将公开。";
        save = "Save", "保存";
        saved = "Saved.", "已保存。";
        change_password = "Change password", "修改密码";
        old_password = "Current password", "当前密码";
        password_changed = "Password changed. All other sessions are logged out, and API tokens you did not keep are revoked.", "密码已修改。其他会话已退出，未保留的 API 令牌已吊销。";
        keep_tokens = "API tokens to keep", "保留的 API 令牌";
        keep_tokens_hint = "Tokens not selected are revoked.", "未勾选的令牌将被吊销。";
        sessions = "Sessions", "登录会话";
        this_session = "this one", "当前";
        logged_in = "Logged in {when}", "{when}登录";
        last_seen = "last active {when}", "{when}活动";
        is_persistent(days: u32) = "stays logged in for {days} days", "{days} 天内保持登录";
        end_session = "Log out", "退出";
        end_session_of(agent: String) = "Log out the session of {agent}", "退出“{agent}”的会话";
        end_other_sessions = "Log out all other sessions", "退出其他所有会话";
        other_sessions_ended = "All other sessions are logged out.", "其他会话已全部退出。";
        session_ended = "The session is logged out.", "该会话已退出。";

        desk_settings = "Desk settings", "工作台设置";
        desk_lead = "These apply to all users and to the public site.", "对所有成员和公开网站生效。";

        people = "People", "成员";
        role = "Role", "角色";
        joined = "Joined", "加入时间";
        find_person = "Search name or e-mail", "搜索姓名或邮箱";
        find = "Search", "搜索";
        disabled_tab = "Disabled", "已停用";
        no_people = "No people found.", "没有找到成员。";
        no_people_hint = "Try another name, or show all.", "请换一个姓名，或显示全部。";
        creator = "Creator", "创作者";
        reviewer = "Reviewer", "审核人";
        admin = "Admin", "管理员";
        creator_hint = "own articles only", "仅限自己的文章";
        reviewer_hint = "own articles, and reviews those of others", "自己的文章，并审核他人的文章";
        admin_hint = "manages everything", "可以管理一切";
        disabled = "disabled", "已停用";
        you = "you", "你";
        invite = "Invite a person", "邀请成员";
        invitations = "Invitations", "邀请";
        days_left(days: i64) = "invited, {days} d left", "已邀请，还剩 {days} 天";
        expired = "expired", "已过期";
        renew_link = "New link", "新链接";
        withdraw = "Withdraw", "撤回邀请";
        was_withdrawn = "The invitation is withdrawn. Its link no longer works.", "邀请已撤回，链接已失效。";
        create_link = "Create invitation link", "创建邀请链接";
        link_ready(name: String) = "Link for {name}. It is shown only once and works once: send it now.", "给“{name}”的链接。仅显示一次，且只能使用一次，请立即发给对方。";
        was_invited(name: String) = "{name} was invited already; the earlier link no longer works.", "“{name}”此前已受邀请，之前的链接已失效。";
        link_invite = "Valid for 7 days.", "7 天内有效。";
        link_reset = "Valid for 24 hours. Using it ends all their sessions and API tokens.", "24 小时内有效。使用后对方的会话和 API 令牌全部失效。";
        set_role = "Save role", "保存角色";
        role_of(name: String) = "Role of {name}", "“{name}”的角色";
        role_changed = "Role changed. This person must log in again.", "角色已更改，对方需要重新登录。";
        was_disabled = "The account is disabled. Its sessions and tokens are revoked.", "账号已停用，其会话和令牌均已失效。";
        was_enabled = "The account is enabled.", "账号已启用。";
        was_undone = "Undone: the account is as it was. Ended sessions stay ended.", "已撤销：账号恢复原状，已结束的会话不会恢复。";
        undo_role = "Undo role change", "撤销角色更改";
        undo_disable = "Undo disable", "撤销停用";
        undo_enable = "Undo enable", "撤销启用";
        reset = "Reset password", "重置密码";
        disable = "Disable", "停用";
        enable = "Enable", "启用";
        of(what: String, name: String) = "{what}: {name}", "{what}：{name}";
        disable_heading(name: String) = "Disable {name}?", "停用“{name}”？";
        disable_lead(tasks: usize) = "Their sessions and tokens are revoked immediately. Scheduled tasks: {tasks}.", "其会话和令牌将立即失效。已安排的任务：{tasks} 项。";
        disable_lead_managed = "Their sessions and tokens are revoked immediately. They have no scheduled publications, but open meetings, reminders or reviews.", "其会话和令牌将立即失效。没有由其安排的发布，但有等待中的会议、提醒或审核。";
        hand_over_to = "Hand these tasks and their articles over to", "将这些任务及其文章移交给";
        hand_over = "Disable and hand over", "停用并移交";
        name_of_you(name: String) = "{name} (you)", "{name}（你）";
        was_handed_over = "The account is disabled. Its scheduled tasks were handed over and stay scheduled.", "账号已停用。其已安排的任务已移交，仍会按时执行。";
        cancel_tasks = "Disable, and cancel these tasks", "停用，并取消这些任务";
        keep_account = "Keep the account", "不停用";

        tokens = "API tokens", "API 令牌";
        tokens_lead = "A program with a token acts in your name and never has more permissions than you.", "程序凭令牌以你的名义操作，权限不会超过你本人。";
        no_tokens_hint = "Create one token per program, so that each can be revoked separately.", "请为每个程序单独创建令牌，以便单独吊销。";
        scope = "Permissions", "权限";
        scope_read = "Read only", "仅读取";
        scope_write = "Read and change what you can change", "读取，并更改你可更改的内容";
        scope_signal = "Send signals only", "仅发送信号";
        sends_signals = "send signals", "发送信号";
        reads = "read", "读取";
        writes = "read and change", "读取和更改";
        token_name = "Purpose", "用途";
        valid_for = "Valid for", "有效期";
        days_30 = "30 days", "30 天";
        days_90 = "90 days", "90 天";
        days_365 = "1 year", "1 年";
        create = "Create token", "创建令牌";
        token_ready(name: String) = "Token “{name}”. It is shown only once: store it safely.", "令牌“{name}”。仅显示一次，请妥善保管。";
        no_tokens = "You have no tokens.", "你还没有令牌。";
        created = "Created", "创建于";
        expires = "Expires", "过期于";
        used = "Last used", "最近使用";
        never = "never", "从未";
        revoke = "Revoke", "吊销";
        revoked = "The token is revoked.", "令牌已吊销。";
    }
}

impl AccountTexts {
    /// Name of a role.
    #[must_use]
    pub fn role_name(self, role: domain::Role) -> &'static str {
        match role {
            domain::Role::Creator => self.creator(),
            domain::Role::Reviewer => self.reviewer(),
            domain::Role::Admin => self.admin(),
        }
    }
}
