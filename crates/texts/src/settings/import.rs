//! Texts of `/settings/import`.

use crate::texts;
use domain::imports::{ImportState, ImportSystem, KeptReason};

texts! {
    /// Texts of `/settings/import`.
    ImportTexts {
        title = "Import", "导入";
        lead = "Brings posts, pages, tags, dates and pictures from another system. Scheduled posts stay scheduled. Posts that only some readers may see become drafts, and parts for members are left out; the report lists them.", "从其他系统导入文章、页面、标签、日期和图片。已定时的仍为定时。在原系统中并非人人可读的内容会成为草稿，会员专享部分不导入，报告会逐一说明。";
        stopped = "Stopped. What was imported stays: run it again to go on, or undo it.", "已停止。已导入的内容保留：可再次运行以继续，或撤销导入。";
        discarded = "Removed. Nothing else was changed.", "已移除，其他内容未更改。";
        system = "Where the export comes from", "导出文件来源";
        wordpress_hint = "An XML file, at most 200 MB: Tools → Export → All content.", "XML 文件，最大 200 MB：工具 → 导出 → 所有内容。";
        ghost_hint = "A JSON file, at most 100 MB, of Ghost 4, 5 or 6: Settings → Export.", "JSON 文件，最大 100 MB，来自 Ghost 4、5 或 6：设置 → 导出。";
        markdown_name = "Markdown files", "Markdown 文件";
        markdown_hint = "A .zip archive, at most 200 MB, of Markdown files with front matter, and their pictures: also one that Presstime exported.", "ZIP 压缩包，最大 200 MB，包含带 front matter 的 Markdown 文件及其图片，也可以是 Presstime 导出的文件。";
        site = "Address of the site", "网站地址";
        site_hint = "Only for Ghost, whose exports do not contain it: for pictures and links, with https:// in front", "仅 Ghost 需要，其导出文件不含此地址：用于图片和链接，请以 https:// 开头";
        zone = "Time zone of the site", "网站时区";
        zone_hint = "Only if it is not known: for times without a zone. WordPress: found from its posts; Markdown files: that of this desk", "仅在未知时填写：用于没有时区的时间。WordPress：从其文章得出；Markdown 文件：使用本工作台的时区";
        drafts = "Import everything as drafts", "全部导入为草稿";
        pictures = "Fetch pictures from their addresses", "从原地址获取图片";
        file = "File", "文件";
        check = "Check first", "先检查";
        check_hint = "Nothing is changed yet. You see what the import would do, then start it or discard it.", "此时不会更改任何内容。你会先看到导入结果预览，再决定开始或放弃。";
        one_at_a_time = "One import runs at a time. The form is back when it has ended.", "一次只运行一个导入。结束后表单会重新出现。";
        earlier = "Imports", "导入记录";
        checking = "Being checked", "正在检查";
        ready = "Checked, not imported yet", "已检查，尚未导入";
        failed = "Not imported", "未导入";
        running = "Running", "进行中";
        done = "Imported", "已导入";
        interrupted = "Interrupted", "已中断";
        undone = "Undone", "已撤销";
        uploaded(who: String, when: String) = "Uploaded by {who} on {when}.", "由 {who} 于 {when} 上传。";
        checking_lead = "The file is being checked. This page refreshes by itself.", "正在检查文件，此页面会自动刷新。";
        running_lead = "You can leave this page: the import goes on. It refreshes by itself.", "可以离开此页面，导入会继续。页面会自动刷新。";
        progress(done: String, total: String) = "{done} of {total}", "{done} / {total}";
        ready_lead = "Nothing was changed yet. The import would do this:", "尚未更改任何内容。导入将会：";
        failed_lead = "The check could not be completed, and nothing was imported. Upload the file again.", "检查未能完成，未导入任何内容。请重新上传文件。";
        interrupted_lead = "The import was interrupted. Run it again: what is already imported is not repeated.", "导入已中断。请再次运行：已导入的内容不会重复导入。";
        file_gone = "The uploaded file is no longer on this server. Upload it again: what is already imported is not repeated.", "上传的文件已不在此服务器上。请重新上传：已导入的内容不会重复导入。";
        done_lead = "The import has ended:", "导入已结束：";
        nothing = "Nothing to import: everything is unchanged.", "没有可导入的内容：全部未变化。";
        created_one = "new article", "篇新文章";
        created = "new articles", "篇新文章";
        published = "public", "篇公开";
        scheduled = "scheduled", "篇定时";
        held_one = "draft", "篇草稿";
        held = "drafts", "篇草稿";
        updated_one = "new revision of an article that was imported before", "篇已导入文章的新修订版";
        updated = "new revisions of articles that were imported before", "篇已导入文章的新修订版";
        unchanged = "unchanged since the last import", "篇自上次导入后未变化";
        picture = "picture", "张图片";
        pictures_count = "pictures", "张图片";
        refused = "not imported", "篇未导入";
        kept_one = "left as it is", "篇保持原样";
        kept = "left as they are", "篇保持原样";
        warning = "warning", "条提醒";
        warnings = "warnings", "条提醒";
        left_out = "Not imported", "不导入";
        shortcodes(names: String) = "Shortcodes that stay in the texts as written: {names}", "保留在文中的短代码：{names}";
        more(count: u64) = "and {count} more", "另有 {count} 项";
        english = "Details of the report are in English.", "报告的细节为英文。";
        import_now = "Import now", "立即导入";
        run_again = "Run it again", "再次运行";
        discard = "Discard", "放弃";
        stop = "Stop", "停止";
        remove = "Remove from this list", "从列表移除";
        undo = "Undo the import", "撤销导入";
        undo_hint = "Moves the articles that this import created to the trash and cancels their tasks. What is public or was changed since stays as it is. Pictures stay in the media library.", "将此次导入创建的文章移到回收站并取消其任务。已公开或之后被更改的文章保持不变。图片保留在媒体库中。";
        also_unpublish(count: u64) = "Also unpublish the public articles that were not changed since, and move them to the trash: {count}", "同时撤下之后未被更改的公开文章并移到回收站：{count} 篇";
        unpublished(count: u64) = "Of these, unpublished: {count}.", "其中撤下：{count} 篇。";
        undo_confirm = "Yes, undo the import", "是的，撤销导入";
        undo_again = "Undo what is left", "撤销剩余部分";
        moved(count: u64, tasks: u64) = "Moved to the trash: {count}. Cancelled tasks: {tasks}.", "已将 {count} 篇文章移到回收站，取消了 {tasks} 个任务。";
        kept_articles(count: u64) = "Kept as they are: {count}", "保留了 {count} 篇文章";
        kept_public = "public, so it stays; undo what is left, with the public articles, or unpublish and delete it by hand", "已公开，因此保留；可撤销剩余部分并包含公开文章，或手动撤下并删除";
        kept_text = "its text was changed", "文字已更改";
        kept_schedule = "its schedule was changed, or it was published before", "安排已更改，或曾发布过";
        articles = "See the articles", "查看文章";
    }
}

impl ImportTexts {
    /// Name of a system.
    #[must_use]
    pub fn name_of(self, system: ImportSystem) -> &'static str {
        match system {
            ImportSystem::Wordpress => "WordPress",
            ImportSystem::Ghost => "Ghost",
            ImportSystem::Markdown => self.markdown_name(),
        }
    }

    /// How to get an export of a system.
    #[must_use]
    pub fn hint_of(self, system: ImportSystem) -> &'static str {
        match system {
            ImportSystem::Wordpress => self.wordpress_hint(),
            ImportSystem::Ghost => self.ghost_hint(),
            ImportSystem::Markdown => self.markdown_hint(),
        }
    }

    /// Name of a state.
    #[must_use]
    pub fn state_of(self, state: ImportState) -> &'static str {
        match state {
            ImportState::Checking => self.checking(),
            ImportState::Ready => self.ready(),
            ImportState::Failed => self.failed(),
            ImportState::Running => self.running(),
            ImportState::Done => self.done(),
            ImportState::Interrupted => self.interrupted(),
            ImportState::Undone => self.undone(),
        }
    }

    /// Why an article was kept.
    #[must_use]
    pub fn reason_of(self, why: KeptReason) -> &'static str {
        match why {
            KeptReason::Public => self.kept_public(),
            KeptReason::Text => self.kept_text(),
            KeptReason::Schedule => self.kept_schedule(),
        }
    }
}
