//! What the palette always offers: pages, settings and acts, with the words that find them.

use crate::{
    shell::frame::sections::Audience,
    ui::page::settings_pages::{OF_DESK, OF_ME},
};
use Audience::{Admins, Everyone, Reviewers};
use texts::layout::palette::PaletteTexts;
use texts::{articles::plan::PlanTexts, help::HelpTexts, layout::LayoutTexts, meeting_import::ImportTexts};

/// What a row of the palette does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Opens a page.
    Open(&'static str),
    /// Undoes the last change that the page can undo.
    Undo,
    /// Ends the session.
    LogOut,
}

/// A row of the palette.
pub struct Entry {
    /// What it does.
    pub act: Act,
    /// Its name.
    pub label: &'static str,
    /// Other words for it, in all languages.
    pub words: &'static str,
    /// Who sees it.
    audience: Audience,
}

/// The rows that the user sees.
pub fn entries() -> Vec<Entry> {
    let is_seen = |entry: &Entry| entry.audience.has_visitor();
    [made(), planned(), others(), settings()].into_iter().flatten().filter(is_seen).collect()
}

fn open(path: &'static str, label: &'static str, audience: Audience, words: &'static str) -> Entry {
    Entry { act: Act::Open(path), label, words, audience }
}

/// Things that can be made.
fn made() -> Vec<Entry> {
    let (texts, layout) = (PaletteTexts::here(), LayoutTexts::here());
    vec![
        open(
            "/quick",
            layout.quick_add(),
            Everyone,
            "new add note schedule 新建 添加 安排 neu hinzufügen notiz planen",
        ),
        open(
            "/articles/new",
            texts.new_article(),
            Everyone,
            "write post page draft 写 文章 帖子 草稿 schreiben beitrag seite entwurf",
        ),
        open(
            "/meetings/new",
            texts.new_meeting(),
            Everyone,
            "appointment event book 预约 预订 活动 termin ereignis buchen",
        ),
        open(
            "/releases/new",
            texts.new_release(),
            Everyone,
            "package group together 发布组 一起 paket gemeinsam bündeln",
        ),
        open(
            "/messages/new",
            texts.new_message(),
            Admins,
            "send sms mail later 发送 短信 senden später verschicken",
        ),
        open(
            "/rules/new",
            texts.new_rule(),
            Admins,
            "automation automate when if 自动化 条件 automatisch automatisierung wenn",
        ),
    ]
}

/// Pages of what is planned.
fn planned() -> Vec<Entry> {
    let layout = LayoutTexts::here();
    vec![
        open(
            "/",
            layout.dashboard(),
            Everyone,
            "dashboard home start attention needs failed missed overdue 概览 首页 待处理 失败 错过 逾期 übersicht startseite fehlgeschlagen verpasst überfällig",
        ),
        open(
            "/articles",
            layout.articles(),
            Everyone,
            "posts pages drafts published trash 帖子 草稿 已发布 回收站 beiträge seiten entwürfe veröffentlicht papierkorb",
        ),
        open(
            "/articles/import",
            PlanTexts::here().title(),
            Everyone,
            "csv spreadsheet excel plan 表格 计划 tabelle",
        ),
        open("/releases", layout.releases(), Everyone, "packages groups 发布组 一起 pakete gemeinsam"),
        open(
            "/media",
            layout.media(),
            Everyone,
            "pictures images files uploads photos 图片 文件 照片 上传 bilder dateien fotos hochladen",
        ),
        open(
            "/review",
            layout.review(),
            Reviewers,
            "approve approval check 批准 审批 freigeben freigabe genehmigen prüfen",
        ),
        open(
            "/calendar",
            layout.calendar(),
            Everyone,
            "week month day agenda schedule 周 月 日程 woche monat tag termine",
        ),
        open(
            "/meetings",
            layout.meetings(),
            Everyone,
            "appointments events invitations 预约 邀请 活动 termine einladungen",
        ),
        open(
            "/meetings/import",
            ImportTexts::here().title(),
            Everyone,
            "ics ical google outlook 日历文件 kalenderdatei",
        ),
        open("/rooms", layout.rooms(), Everyone, "free book door location 空闲 预订 门 frei buchen tür ort"),
        open(
            "/reminders",
            layout.reminders(),
            Everyone,
            "remember alarm snooze note 记住 闹钟 稍后 erinnern wecker später merken",
        ),
    ]
}

/// Rules, what was sent and done, and acts.
fn others() -> Vec<Entry> {
    let (texts, layout) = (PaletteTexts::here(), LayoutTexts::here());
    let of_user = |act, label, words| Entry { act, label, words, audience: Everyone };
    vec![
        open(
            "/rules",
            layout.rules(),
            Admins,
            "automation signals when then wait 自动化 信号 等待 automatisierung signale wenn dann warten",
        ),
        open(
            "/messages",
            layout.messages(),
            Admins,
            "sent outbox deliveries templates 已发送 模板 gesendet postausgang zustellungen vorlagen",
        ),
        open(
            "/engine",
            layout.engine(),
            Admins,
            "system pause resume nodes lateness health redis database 系统 暂停 恢复 节点 延迟 数据库 anhalten fortsetzen knoten verspätung zustand datenbank",
        ),
        open(
            "/tasks",
            layout.tasks(),
            Everyone,
            "tasks jobs scheduled due waiting retry 任务 已安排 等待 重试 aufgaben geplant fällig wartend wiederholen",
        ),
        open(
            "/activity",
            layout.activity(),
            Everyone,
            "history log audit who 历史 记录 日志 verlauf protokoll wer",
        ),
        open(
            "/help",
            HelpTexts::here().title(),
            Everyone,
            "manual explain words keys what 手册 说明 词语 按键 handbuch erklärung wörter tasten",
        ),
        open(
            "/notifications",
            layout.notifications(),
            Everyone,
            "bell unread news 铃 未读 glocke ungelesen neuigkeiten",
        ),
        of_user(
            Act::Undo,
            texts.undo(),
            "back revert restore mistake 撤销 恢复 rückgängig zurück wiederherstellen",
        ),
        of_user(
            Act::LogOut,
            layout.log_out(),
            "logout sign out signout exit leave 登出 注销 退出 abmelden ausloggen beenden",
        ),
    ]
}

fn settings() -> Vec<Entry> {
    let of_me = OF_ME.iter().map(|page| open(page.path, (page.label)(), Everyone, page.words));
    let of_desk = OF_DESK.iter().map(|page| open(page.path, (page.label)(), Admins, page.words));
    let site = open(
        "/site",
        LayoutTexts::here().site(),
        Everyone,
        "blog website view public readers 博客 网站 读者 webseite ansehen öffentlich leser",
    );
    std::iter::once(site).chain(of_me).chain(of_desk).collect()
}

/// Whether the page is one of the settings, whose names are ambiguous alone.
pub fn is_setting(act: Act) -> bool {
    matches!(act, Act::Open(path) if path.starts_with("/settings/"))
}

/// Whether the router of the app knows the page.
pub fn is_of_site(act: Act) -> bool {
    act == Act::Open("/site")
}
