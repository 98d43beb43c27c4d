//! Topics of the settings and of the pages before the log-in.

use super::topics;

topics! {
    SETTINGS: Settings {
        "profile" [] ["zone", "desk"]:
            "Profile", "个人资料";
            "Change your name, language, time zone, theme, password, passkeys and shortcuts.", "更改姓名、语言、时区、外观、密码、通行密钥和快捷键。";
            "It applies to you on all your devices; times are shown in your zone from then on.", "更改对你的所有设备生效；之后的时间以你的时区显示。";
        "notification-settings" [] ["notification", "device", "quiet-hours"]:
            "Notification settings", "通知设置";
            "Choose what you are notified of, and whether by bell, mail or on this device.", "选择接收哪些通知，以及通过通知铃、邮件还是设备接收。";
            "In your quiet hours mails and devices wait, and reminders still come at their time.", "免打扰时段内邮件和设备通知会延后，提醒仍按时送达。";
        "tokens" [] ["token", "signal"]:
            "API tokens", "API 令牌";
            "Create a token for each program that works with the desk in your name.", "为每个以你的名义使用工作台的程序创建一个令牌。";
            "A token is shown once and never has more permissions than you; a revoked one no longer works.", "令牌只显示一次，权限不会超过你本人；吊销后即失效。";
        "feeds" [] ["feed", "room"]:
            "Calendar feeds", "日历订阅";
            "Create an address for your calendar program, with your items, a room or the whole desk.", "为日历程序创建一个地址，内容可以是你的事项、一间会议室或整个工作台。";
            "The program reads the address again and again, so changes here appear there.", "程序会定期读取该地址，因此这里的更改会出现在那里。";
        "outside-mail" [] ["outside-address", "held", "desk"]:
            "Mail to others", "对外邮件";
            "See which mails to outside addresses wait for a limit, and which addresses are blocked.", "查看哪些对外邮件因上限而等待，以及哪些邮箱被屏蔽。";
            "A held mail is sent as soon as the limit allows; admins change the limits here.", "搁置的邮件会在额度恢复后发送；管理员可在此更改上限。";
        "people" admins [] ["desk", "role", "token"]:
            "People", "成员";
            "Invite people by a link, change their role, or disable an account.", "通过链接邀请成员，更改角色，或停用账号。";
            "A disabled account can no longer log in, and you decide what becomes of its scheduled tasks.", "停用的账号无法再登录，其已安排的任务由你决定如何处理。";
        "groups" admins [] ["role", "review", "attendee"]:
            "Groups", "小组";
            "Name a set of people, to ask them for a review or invite them to a meeting at once.", "为一组成员命名，以便一次请他们审核或邀请他们参会。";
            "Each member of that moment is asked or invited; a later change of the group changes nothing there.", "会逐个请当时的每位成员；之后小组变动不影响已请的审核和已发的邀请。";
        "sign-in" admins [] ["role", "desk"]:
            "Sign-in", "单点登录";
            "Let people log in with the accounts of your organisation, and say which groups get which role.", "让成员用组织的账号登录，并设置各组对应的角色。";
            "A person is what the provider calls them, never an e-mail address; role and groups are read again at each log-in.", "身份以提供方的用户标识为准，与邮箱无关；角色和小组在每次登录时重新读取。";
        "channels" admins [List] ["channel", "webhook", "delivery", "attempt", "retry", "unconfirmed", "held"]:
            "Channels", "渠道";
            "Connect webhooks, mail, SMS or AMQP, choose the events, and send a test.", "连接 Webhook、邮件、短信或 AMQP，选择事件，并发送测试消息。";
            "Each event becomes a delivery that is tried again after a failure; its log shows every attempt.", "每个事件成为一次投递，失败后会重试；日志显示每次尝试。";
        "queue-settings" admins [] ["queue", "channel", "delivery", "grace"]:
            "Queue settings", "队列设置";
            "See how many tasks of each kind run at once or start in a minute. See when they are tried again, how each channel sends, and who set it.", "查看每种任务同时执行和每分钟开始的数量、失败后何时重试、每个渠道的发送方式，以及由谁设置。";
            "A change applies on all nodes within a second; what is scheduled or waiting stays.", "更改会在一秒内对所有节点生效；已安排和等待的内容保留。";
        "mail-server" admins [] ["channel", "outside-address", "reminder"]:
            "Mail server", "邮件服务器";
            "Enter the SMTP server that sends invitations and reminders by mail.", "填写用于发送邀请和提醒邮件的 SMTP 服务器。";
            "Send a test to yourself; without a server mails are not sent, and pages say so.", "可给自己发送测试邮件；没有服务器时不发送邮件，相关页面会提示。";
        "room-settings" admins [] ["room", "buffer", "approval", "no-show", "check-in", "door-page", "waiting-list"]:
            "Room settings", "会议室设置";
            "Add rooms with their seats, opening hours, approval and check-in.", "添加会议室，并设置人数、开放时间、批准和签到方式。";
            "The new settings apply to new bookings; meetings that are booked stay.", "新设置适用于之后的预订；已预订的会议不变。";
        "posting-slots" admins [] ["posting-slot", "scheduled", "zone"]:
            "Posting slots", "发布时段";
            "Enter the usual times of publication for each weekday, and days without slots.", "为每个工作日填写常用发布时间，以及没有时段的日期。";
            "The next free slot is offered when an article is scheduled; what is scheduled keeps its time.", "安排文章时会提供下一个空闲时段；已安排的内容保持原来的时间。";
        "review-settings" admins [] ["workflow", "review", "approval", "word-list", "wait", "held"]:
            "Review settings", "审核设置";
            "Choose what happens before an article is published: nothing, a check of words, one reviewer or two.", "选择文章发布前的审核方式：不审核、检查用词、一位或两位审核人。";
            "If articles wait at that moment, the page asks what becomes of them.", "若此时有文章在等待，页面会询问如何处理。";
        "word-lists" admins [] ["word-list", "held", "review"]:
            "Word lists", "词库";
            "Collect words that block a publication, need an approval, are flagged or are replaced.", "收集禁止发布、须经批准、需要标记或替换的词语。";
            "Texts are checked while they are written and again before they are published.", "写作时会检查正文，发布前会再次检查。";
        "site-settings" admins [] ["slug", "tag", "desk"]:
            "Public site", "公开网站";
            "Choose how readers see the site: layout, description, navigation and footer.", "选择读者看到的网站样式：布局、简介、导航和页脚。";
            "A preview shows the site at a future time; saving changes it for all readers.", "预览可显示未来某个时间的网站；保存后对所有读者生效。";
        "tags" admins [] ["tag", "slug"]:
            "Tags", "标签";
            "Rename the tags of all articles, and merge two that mean the same.", "重命名所有文章的标签，合并意思相同的标签。";
            "The change applies to all texts, also to scheduled ones.", "更改作用于所有正文，包括已安排发布的正文。";
        "import" admins [] ["draft", "scheduled", "zone", "undo"]:
            "Import", "导入";
            "Upload an export of WordPress or Ghost, or Markdown files, and read the report of the check.", "上传 WordPress 或 Ghost 的导出文件或 Markdown 文件，并阅读检查报告。";
            "Nothing changes before you start it; an import can be stopped, run again and undone.", "开始前不会更改任何内容；导入可以停止、再次运行和撤销。";
        "desk-settings" admins [] ["desk", "zone", "role"]:
            "Desk settings", "工作台设置";
            "Change the title, language and time zone of the desk.", "更改工作台的名称、语言和时区。";
            "It applies to all users and to the public site.", "更改对所有成员和公开网站生效。";
        "log-in" [] ["desk", "role"]:
            "Log-in and first steps", "登录与首次使用";
            "Log in with your address, accept an invitation, or set the desk up as its first user.", "使用邮箱登录、接受邀请，或作为第一位成员设置工作台。";
            "Links for it work once; if you forgot your password, ask an admin for a reset link.", "链接只能使用一次；忘记密码时，请向管理员索取重置链接。";
    }
}
