//! Texts of articles that channels publish on other sites.

use crate::texts;
use domain::post::{Post, PostAction, PostState, changed};

texts! {
    /// Texts of articles on other sites.
    PostTexts {
        title = "Also on", "同时发布到";
        site = "Address of the site", "网站地址";
        site_hint = "For example https://blog.example.org.", "如 https://blog.example.org。";
        user_hint = "A user who may publish posts and change published ones.", "有权发布文章、修改已发布文章的用户。";
        password = "Application password", "应用程序密码";
        password_hint = "Create it in WordPress under Users, Profile. Then choose on the page of each article whether it is published there too.", "请在 WordPress 的“用户 → 个人资料”中创建，然后在各篇文章的页面上选择是否同时发布到该网站。";
        admin_key = "Admin API key", "Admin API 密钥";
        admin_key_hint = "In Ghost: Settings, Integrations, Add custom integration. Then choose on the page of each article whether it is published there too. No newsletter is sent.", "请在 Ghost 的“设置 → 集成 → 添加自定义集成”中创建，然后在各篇文章的页面上选择是否同时发布到该网站。不会发送邮件简报。";
        limits = "Pictures keep their address at this desk, where readers of the site must be able to reach it. Once the article is scheduled, a draft on the site shows whether its publication will work.", "图片仍使用本编辑部的地址，该网站的读者必须能够访问。排期后会在该网站创建草稿，以确认能否发布。";
        chosen = "The articles that are chosen for it on their pages.", "在文章页面上为其选择的文章。";
        turn_on = "Publish there too", "同时发布";
        turn_off = "Do not publish there", "不发布";
        withdraw = "Withdraw there", "从该网站撤下";
        off = "Not published there.", "不发布到该网站。";
        planned = "Published there with the article.", "将随文章一同发布。";
        preparing = "A draft is being made there.", "正在该网站创建草稿。";
        ready = "Ready: a draft with this text is there.", "已就绪：该网站上已有此文的草稿。";
        publishing = "Being published.", "正在发布。";
        published = "Published there.", "已在该网站发布。";
        live = "Live: a reader's request saw it there.", "已上线：以读者身份访问时已看到。";
        withdrawing = "Being withdrawn.", "正在撤下。";
        withdrawn = "Withdrawn; it is a draft there.", "已撤下，在该网站上是草稿。";
        failed = "Not prepared, published or withdrawn there.", "未能在该网站准备、发布或撤下。";
        unconfirmed = "Not known whether it is public there.", "不清楚是否已在该网站公开。";
        edited = "Its text was changed there, so it is not overwritten.", "其正文已在该网站上被修改，因此不会覆盖。";
        trashed = "It is in the trash there.", "它在该网站的回收站中。";
        deleted = "It was deleted there.", "它已在该网站上被删除。";
        published_there = "It was published or planned there before its moment.", "它已在该网站上提前发布或排期。";
        changed_there = "It was changed there.", "它已在该网站上被更改。";
        cancelled = "Its publication there was cancelled.", "已取消在该网站发布。";
        checked = "Checked", "检查于";
        removed(names: String) = "The site takes out of the text: {names}.", "该网站会从正文中移除：{names}。";
        check = "Check now", "立即检查";
        retry = "Try again", "重试";
        overwrite = "Replace it there", "覆盖该网站上的内容";
        leave = "Leave it as it is there", "保留该网站上的内容";
        test = "Test the connection", "测试连接";
        show_delivery = "Show the delivery", "查看投递";
    }
}

impl PostTexts {
    /// What became of an article at a site, as a sentence.
    #[must_use]
    pub fn state(self, state: PostState) -> &'static str {
        match state {
            PostState::Off => self.off(),
            PostState::Planned => self.planned(),
            PostState::Preparing => self.preparing(),
            PostState::Ready => self.ready(),
            PostState::Publishing => self.publishing(),
            PostState::Published => self.published(),
            PostState::Live => self.live(),
            PostState::Withdrawing => self.withdrawing(),
            PostState::Withdrawn => self.withdrawn(),
            PostState::Failed => self.failed(),
            PostState::Unconfirmed => self.unconfirmed(),
            PostState::ChangedThere => self.changed_there(),
            PostState::Cancelled => self.cancelled(),
        }
    }

    /// What became of a post, with what was done with it on the site.
    #[must_use]
    pub fn sentence(self, post: &Post) -> &'static str {
        match post.changed_there.as_deref().filter(|_| post.state == PostState::ChangedThere) {
            Some(changed::EDITED) => self.edited(),
            Some(changed::TRASHED) => self.trashed(),
            Some(changed::DELETED) => self.deleted(),
            Some(changed::PUBLISHED) => self.published_there(),
            _ => self.state(post.state),
        }
    }

    /// Label of an action.
    #[must_use]
    pub fn action(self, action: PostAction) -> &'static str {
        match action {
            PostAction::Check => self.check(),
            PostAction::Retry => self.retry(),
            PostAction::Overwrite => self.overwrite(),
            PostAction::Leave => self.leave(),
        }
    }
}
