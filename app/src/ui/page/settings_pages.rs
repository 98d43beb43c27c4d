//! The pages of the settings and their parts, with the words that find them.

use texts::{
    accounts::{
        groups::GroupTexts, passkeys::PasskeyTexts, second_factor::SecondFactorTexts, sign_in::SignInTexts,
    },
    layout::{LayoutTexts, palette::PaletteTexts},
};

/// A page of the settings, or a part of one.
pub struct SettingsPage {
    /// Its address.
    pub path: &'static str,
    /// Its name.
    pub label: fn() -> &'static str,
    /// Other words for what it does, in all languages.
    pub words: &'static str,
    /// Whether it is a part of a page, which only a search shows.
    is_part: bool,
}

impl SettingsPage {
    const fn page(path: &'static str, label: fn() -> &'static str, words: &'static str) -> Self {
        Self { path, label, words, is_part: false }
    }

    const fn part(path: &'static str, label: fn() -> &'static str, words: &'static str) -> Self {
        Self { path, label, words, is_part: true }
    }

    /// Whether the menu shows it for these typed words, each of which its name or one of its words must fit.
    #[must_use]
    pub fn is_shown(&self, typed: &str) -> bool {
        if typed.trim().is_empty() {
            return !self.is_part;
        }
        let label = (self.label)().to_lowercase();
        let fits =
            |word: &str| label.contains(word) || self.words.split(' ').any(|own| own.starts_with(word));
        typed.to_lowercase().split_whitespace().all(fits)
    }
}

/// Settings of the user.
pub const OF_ME: &[SettingsPage] = &[
    SettingsPage::page(
        "/settings/profile",
        || LayoutTexts::here().profile_and_language(),
        "account name me avatar zone timezone sessions devices sign 账户 姓名 时区 会话 设备 登录 konto ich zeitzone sitzungen geräte anmelden",
    ),
    SettingsPage::part(
        "/settings/profile#theme",
        || PaletteTexts::here().theme(),
        "dark light night colours appearance mode 深色 浅色 夜间 外观 dunkel hell nacht farben aussehen",
    ),
    SettingsPage::part(
        "/settings/profile#language",
        || PaletteTexts::here().language(),
        "english chinese translation locale 英文 中文 语言 翻译 german englisch chinesisch deutsch übersetzung 德文",
    ),
    SettingsPage::part(
        "/settings/profile#change-password",
        || PaletteTexts::here().password(),
        "security secret change login 密码 安全 登录 sicherheit kennwort ändern anmelden",
    ),
    SettingsPage::part(
        "/settings/profile#passkeys",
        || PasskeyTexts::here().title(),
        "passkey webauthn fido fingerprint face pin login security 指纹 面容 安全 登录 fingerabdruck gesicht sicherheit anmelden",
    ),
    SettingsPage::part(
        "/settings/profile#second-factor",
        || SecondFactorTexts::here().title(),
        "2fa totp authenticator code recovery security login 两步 验证码 安全 登录 zweifaktor wiederherstellung sicherheit anmelden",
    ),
    SettingsPage::part(
        "/settings/profile#sign-in",
        || SignInTexts::here().own_title(),
        "oidc openid sso link identity 单点登录 关联 verknüpfen identität",
    ),
    SettingsPage::part(
        "/settings/profile#keyboard",
        || PaletteTexts::here().shortcuts(),
        "keys keyboard hotkeys 快捷键 键盘 tasten tastatur",
    ),
    SettingsPage::page(
        "/settings/notifications",
        || LayoutTexts::here().notification_choices(),
        "push device bell mail me quiet hours 推送 设备 铃 免打扰 gerät glocke ruhezeiten",
    ),
    SettingsPage::page(
        "/settings/tokens",
        || LayoutTexts::here().tokens(),
        "api key access developer curl 接口 密钥 开发 schlüssel zugriff entwickler",
    ),
    SettingsPage::page(
        "/settings/feeds",
        || LayoutTexts::here().feeds(),
        "ical ics subscribe google outlook phone 订阅 手机 abonnieren kalender telefon",
    ),
    SettingsPage::page(
        "/settings/outside-mail",
        || LayoutTexts::here().outside_mail(),
        "blocked unsubscribe guests limit quota sending 退订 屏蔽 限额 发送 gesperrt abbestellen gäste grenze senden",
    ),
];

/// Settings of the desk, for admins.
pub const OF_DESK: &[SettingsPage] = &[
    SettingsPage::page(
        "/settings/desk",
        || LayoutTexts::here().general(),
        "desk settings title zone retention backup limits 标题 时区 保留 备份 einstellungen titel zeitzone aufbewahrung sicherung grenzen",
    ),
    SettingsPage::page(
        "/settings/people",
        || LayoutTexts::here().people(),
        "invite users team roles members admin creator 邀请 用户 团队 角色 einladen benutzer rollen mitglieder",
    ),
    SettingsPage::page(
        "/settings/sign-in",
        || SignInTexts::here().title(),
        "oidc openid sso single login provider keycloak entra google 单点登录 身份 anmelden anbieter",
    ),
    SettingsPage::page(
        "/settings/groups",
        || GroupTexts::here().title(),
        "people members sets 组 成员 personen mitglieder",
    ),
    SettingsPage::page(
        "/settings/site",
        || LayoutTexts::here().site_settings(),
        "blog theme colours rss header footer 博客 外观 页脚 farben aussehen fußzeile",
    ),
    SettingsPage::page(
        "/settings/tags",
        || LayoutTexts::here().tags(),
        "categories topics labels 分类 话题 kategorien themen",
    ),
    SettingsPage::page(
        "/settings/slots",
        || LayoutTexts::here().slots(),
        "publishing times cadence week regular slot 时间 定期 zeiten rhythmus woche regelmäßig",
    ),
    SettingsPage::page(
        "/settings/review",
        || LayoutTexts::here().review(),
        "publishing workflow approval approve steps 流程 审批 ablauf freigabe schritte",
    ),
    SettingsPage::page(
        "/settings/words",
        || LayoutTexts::here().words(),
        "publishing forbidden blocked terms sensitive word 敏感词 禁用 verboten gesperrt begriffe wörter",
    ),
    SettingsPage::page(
        "/settings/rooms",
        || LayoutTexts::here().rooms(),
        "equipment seats opening hours door 设备 座位 开放时间 ausstattung plätze öffnungszeiten tür",
    ),
    SettingsPage::page(
        "/settings/mail",
        || LayoutTexts::here().mail_server(),
        "smtp email server sender sending 邮箱 服务器 发件人 发送 absender senden postfach",
    ),
    SettingsPage::page(
        "/settings/channels",
        || LayoutTexts::here().channels(),
        "webhook sms amqp rabbitmq slack mail send sending 网络钩子 短信 邮件 发送 senden nachrichten",
    ),
    SettingsPage::page(
        "/settings/queue",
        || LayoutTexts::here().queue_settings(),
        "system kinds priority concurrency parallel rate grace 系统 优先级 并发 速率 宽限 arten priorität gleichzeitig rate frist",
    ),
    SettingsPage::page(
        "/settings/import",
        || LayoutTexts::here().import(),
        "wordpress ghost markdown move migrate export 迁移 导出 umziehen exportieren",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_pages_and_parts_by_what_they_do() {
        let found = |typed: &str| {
            let shown = OF_ME.iter().chain(OF_DESK).filter(|page| page.is_shown(typed));
            shown.map(|page| page.path).collect::<Vec<_>>()
        };
        assert_eq!(found(" ").len(), 19);
        assert_eq!(found("SMTP"), ["/settings/mail"]);
        assert_eq!(found("dark"), ["/settings/profile#theme"]);
        assert_eq!(found("publishing week"), ["/settings/slots"]);
        assert_eq!(found("审批"), ["/settings/review"]);
        assert_eq!(found("Zeitzone"), ["/settings/profile", "/settings/desk"]);
        assert_eq!(found("einladen"), ["/settings/people"]);
        assert!(found("nothing like it").is_empty());
    }
}
