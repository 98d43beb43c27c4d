//! Imports in the API.

use domain::{
    Timestamp,
    imports::{Import, ImportReport, Listed, UndoReport},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An import.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportBody {
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// `wordpress`, `ghost` or `markdown`.
    system: &'static str,
    /// Name of the uploaded file.
    file_name: String,
    /// `checking`, `ready`, `failed`, `running`, `done`, `interrupted` or `undone`.
    state: &'static str,
    /// Incremented by every change; send it back as `seen_version`.
    version: i32,
    /// Whether everything becomes a draft.
    drafts: bool,
    /// Whether pictures are fetched from their addresses.
    pictures: bool,
    /// Address of the site, which exports of Ghost do not contain; empty: unknown.
    site: String,
    /// Time zone of the site, for times without one; empty: unknown.
    zone: String,
    /// Number of posts that were processed.
    done: u64,
    /// Number of posts of the export.
    total: u64,
    /// Result of the check, then of the import; null: not yet.
    report: Option<ImportReportBody>,
    /// Why it failed or was interrupted, if that is known.
    why: Option<String>,
    /// Number of its articles that are public and were not changed since: undoing it with
    /// `unpublish=true` moves them to the trash too.
    public_unchanged: u64,
    /// What undoing it did; null: it was not undone.
    undo: Option<ImportUndoBody>,
    /// Whether it can still be run: the uploaded file exists.
    has_file: bool,
    /// When it was uploaded.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
}

impl From<Import> for ImportBody {
    fn from(import: Import) -> Self {
        Self {
            id: import.id.0,
            system: import.system.as_str(),
            file_name: import.file_name,
            state: import.state.as_str(),
            version: import.version.0,
            drafts: import.options.is_drafts,
            pictures: import.options.is_fetching,
            site: import.options.site,
            zone: import.options.zone,
            done: import.done,
            total: import.total,
            report: import.report.map(ImportReportBody::from),
            why: import.why,
            public_unchanged: import.public,
            undo: import.undo.map(ImportUndoBody::from),
            has_file: import.has_file,
            created_at: import.created.at,
            finished_at: import.finished.map(|finished| finished.at),
        }
    }
}

/// Result of a check or an import.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportReportBody {
    /// New articles.
    created: u64,
    /// New revisions of articles that were imported before.
    updated: u64,
    /// Posts that were imported before and have not changed.
    unchanged: u64,
    /// Public articles.
    published: u64,
    /// Scheduled articles.
    scheduled: u64,
    /// Pictures.
    pictures: u64,
    /// Posts that become drafts, with the reason.
    held: ImportListBody,
    /// Articles that stay as they are: they were changed at the desk or deleted.
    kept: ImportListBody,
    /// Posts that are not imported.
    refused: ImportListBody,
    /// Warnings.
    warnings: ImportListBody,
    /// Names of shortcodes that stay in texts as written.
    shortcodes: Vec<String>,
    /// What is not imported.
    left_out: Vec<ImportLeftOutBody>,
}

impl From<ImportReport> for ImportReportBody {
    fn from(report: ImportReport) -> Self {
        let left_out = report.left_out.into_iter();
        Self {
            created: report.created,
            updated: report.updated,
            unchanged: report.unchanged,
            published: report.published,
            scheduled: report.scheduled,
            pictures: report.pictures,
            held: report.held.into(),
            kept: report.kept.into(),
            refused: report.refused.into(),
            warnings: report.warnings.into(),
            shortcodes: report.shortcodes,
            left_out: left_out
                .map(|one| ImportLeftOutBody { kind: one.kind, count: one.count, names: one.names })
                .collect(),
        }
    }
}

/// Items of a report.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportListBody {
    /// Number of all.
    count: u64,
    /// The first 100.
    items: Vec<ImportItemBody>,
}

impl From<Listed> for ImportListBody {
    fn from(listed: Listed) -> Self {
        let items = listed.items.into_iter();
        let items = items.map(|item| ImportItemBody { name: item.name, why: item.why }).collect();
        Self { count: listed.count, items }
    }
}

/// An item of a report.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportItemBody {
    /// Title of the post, else its id.
    name: String,
    /// Why.
    why: String,
}

/// What is not imported.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportLeftOutBody {
    /// Kind.
    kind: String,
    /// Number.
    count: u64,
    /// Names of the first.
    names: Vec<String>,
}

/// What undoing an import did.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportUndoBody {
    /// Articles that were moved to the trash.
    moved: u64,
    /// Articles among them that were public and were unpublished.
    unpublished: u64,
    /// Cancelled tasks.
    cancelled: u64,
    /// Articles that stay.
    kept: u64,
    /// The first 100 of them.
    kept_articles: Vec<KeptArticleBody>,
}

impl From<UndoReport> for ImportUndoBody {
    fn from(report: UndoReport) -> Self {
        let kept = report.kept_articles.into_iter().map(|article| KeptArticleBody {
            id: article.id,
            title: article.title,
            reason: match article.why {
                domain::imports::KeptReason::Public => "public",
                domain::imports::KeptReason::Text => "text",
                domain::imports::KeptReason::Schedule => "schedule",
            },
        });
        Self {
            moved: report.moved,
            unpublished: report.unpublished,
            cancelled: report.cancelled,
            kept: report.kept,
            kept_articles: kept.collect(),
        }
    }
}

/// An article that stays.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptArticleBody {
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
    id: Uuid,
    /// Its title.
    title: String,
    /// `public`, `text` (it was changed) or `schedule` (it was changed, or a task was executed).
    reason: &'static str,
}
