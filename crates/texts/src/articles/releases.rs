//! Texts of releases.

use crate::texts;
use domain::releases::{ItemState, ReleaseAction, ReleaseState};

texts! {
    /// Texts of releases.
    ReleaseTexts {
        title = "Releases", "发布组";
        lead = "Articles that become public together: all of them, or none.", "一起公开的文章：全部成功，或全部不变。";
        new_release = "New release", "新建发布组";
        none = "No releases yet.", "还没有发布组。";
        none_hint = "A release publishes or unpublishes several articles at the same moment. If one of them is blocked, nothing changes.", "发布组在同一时刻发布或撤下多篇文章。其中一篇受阻时，全部不变。";
        name = "Name", "名称";
        name_hint = "For your team; readers do not see it.", "仅供团队使用，读者看不到。";
        create = "Save without a time", "不设时间，直接保存";
        state = "Status", "状态";
        when = "When", "时间";
        articles = "Articles", "文章";
        article = "Article", "文章";
        action = "Action", "操作";
        ready_column = "Ready", "就绪";
        draft = "Draft", "草稿";
        scheduled = "Scheduled", "已安排";
        failed = "Failed", "失败";
        published = "Published", "已发布";
        reverted = "Reverted", "已恢复";
        publish = "Publish", "发布";
        unpublish = "Unpublish", "撤下";
        revision(number: i32) = "Revision {number}", "修订版 {number}";
        ready = "Ready", "就绪";
        blocked = "Blocked", "受阻";
        done = "Done", "完成";
        back = "All releases", "所有发布组";
        deleted_article = "Deleted article", "已删除的文章";
        ready_count(ready: usize, all: usize) = "{ready} of {all} ready", "{all} 篇中 {ready} 篇就绪";
        no_articles = "No articles yet.", "还没有文章。";
        no_articles_hint = "Add the articles that should become public together.", "添加要一起公开的文章。";
        add = "Add articles", "添加文章";
        add_to = "Add to", "添加到";
        add_to_release = "Add to a release", "添加到发布组";
        and_more(title: &str, n: usize) = "{title} and {n} more", "{title}等（另 {n} 篇）";
        ticked(n: u32) = "{n} selected", "已选 {n} 篇";
        one_gone = "One selected article no longer exists. It is left out.", "所选文章中有 1 篇已不存在，已略去。";
        many_gone(n: u32) = "{n} selected articles no longer exist. They are left out.", "所选文章中有 {n} 篇已不存在，已略去。";
        add_button = "Add", "添加";
        find = "Find articles", "查找文章";
        find_button = "Find", "查找";
        nothing_found = "No other article matches. Those in this release are not listed.", "没有符合条件且不在此发布组中的文章。";
        remove = "Remove", "移除";
        use_current = "Use the current text", "改用当前正文";
        newer = "The article was edited later. This revision is the one that is published.", "文章此后有修改，将发布此修订版。";
        schedule = "Schedule", "安排";
        schedule_for(when: String) = "Schedule for {when}", "安排在 {when}";
        publish_at = "Publish at", "发布时间";
        publish_now = "Publish now", "立即发布";
        cannot_schedule = "It cannot be scheduled yet:", "暂时无法安排：";
        is_locked = "While it is scheduled, its articles stay as they are. To change them, unschedule it.", "安排期间文章保持不变。如需更改，请先取消安排。";
        continues = "Nothing was changed. It is published as soon as all its articles are approved, or those that are not have been removed from it.", "未作任何更改。所有文章通过审核，或移除未通过的文章后，将自动发布。";
        continues_without_words = "Nothing was changed. An article contains words that must not be published, so no reviewer can approve it. Remove it from this release, or change its text or the word list. The release is published once all its articles are approved.", "未作任何更改。有文章含有禁止发布的内容，审核人无法批准。请将其移出发布组，或修改其正文或词库。所有文章获批后，将自动发布。";
        words_block = "Nothing is published at that time unless this changes:", "届时若仍如此，将不会发布任何内容：";
        published_at(when: String) = "Everything was published and unpublished on {when}, in one transaction.", "已于 {when} 在同一事务中全部发布和撤下。";
        is_reverted = "It was reverted: readers see everything as before.", "已恢复：公开内容与之前相同。";
        revert = "Revert", "恢复原状";
        revert_hint = "Everything becomes public again as it was before the release: earlier revisions return, new articles are unpublished.", "公开内容将恢复为发布前的状态：旧修订版重新公开，新文章被撤下。";
        revert_confirm = "Revert this release", "恢复此发布组";
        cannot_revert = "It cannot be reverted:", "无法恢复：";
        rename = "Rename", "重命名";
        settings = "Name", "名称";
        delete = "Delete release", "删除发布组";
        delete_hint = "Its articles stay as they are.", "其中的文章保持不变。";
        delete_confirm = "Delete it", "删除";
        not_yours = "Only the owner or an admin can change this release.", "只有负责人或管理员可以更改此发布组。";
        owner = "Owner", "负责人";
        one_article = "1 article", "1 篇文章";
        many_articles(n: u32) = "{n} articles", "{n} 篇文章";
        is(title: &str, why: &str) = "“{title}” {why}.", "“{title}”{why}。";
        it_is(why: &str) = "It {why}.", "{why}。";
        open_task = "Open task", "查看任务";
    }
}

impl ReleaseTexts {
    /// State of a release.
    #[must_use]
    pub fn state_of(self, state: ReleaseState) -> &'static str {
        match state {
            ReleaseState::Draft => self.draft(),
            ReleaseState::Scheduled => self.scheduled(),
            ReleaseState::Failed => self.failed(),
            ReleaseState::Published => self.published(),
            ReleaseState::Reverted => self.reverted(),
        }
    }

    /// What a release does with an article.
    #[must_use]
    pub fn action_of(self, action: ReleaseAction) -> &'static str {
        match action {
            ReleaseAction::Publish => self.publish(),
            ReleaseAction::Unpublish => self.unpublish(),
        }
    }

    /// Whether an article is ready.
    #[must_use]
    pub fn ready_of(self, state: ItemState) -> &'static str {
        match state {
            ItemState::Ready => self.ready(),
            ItemState::Blocked => self.blocked(),
            ItemState::Done => self.done(),
        }
    }

    /// How many of the selected articles no longer exist.
    #[must_use]
    pub fn gone(self, articles: u32) -> String {
        if articles == 1 { self.one_gone().to_owned() } else { self.many_gone(articles) }
    }

    /// How many articles a release has.
    #[must_use]
    pub fn count(self, articles: u32) -> String {
        if articles == 1 { self.one_article().to_owned() } else { self.many_articles(articles) }
    }
}
