//! Texts of articles that channels publish on other sites.

use crate::texts;
use domain::post::PostState;

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
        limits = "Pictures keep their address at this desk, where readers of the site must be able to reach it. Nothing can be looked at on the site before it is public there.", "图片仍使用本编辑部的地址，该网站的读者必须能够访问。公开之前无法在该网站上预览。";
        chosen = "The articles that are chosen for it on their pages.", "在文章页面上为其选择的文章。";
        turn_on = "Publish there too", "同时发布";
        turn_off = "Do not publish there", "不发布";
        withdraw = "Withdraw there", "从该网站撤下";
        off = "Not published there.", "不发布到该网站。";
        planned = "Published there with the article.", "将随文章一同发布。";
        publishing = "Being published.", "正在发布。";
        published = "Public there.", "已在该网站公开。";
        withdrawing = "Being withdrawn.", "正在撤下。";
        withdrawn = "Withdrawn; it is a draft there.", "已撤下，在该网站上是草稿。";
        failed = "Not published or withdrawn there.", "未能在该网站发布或撤下。";
        unconfirmed = "Not known whether it is public there.", "不清楚是否已在该网站公开。";
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
            PostState::Publishing => self.publishing(),
            PostState::Published => self.published(),
            PostState::Withdrawing => self.withdrawing(),
            PostState::Withdrawn => self.withdrawn(),
            PostState::Failed => self.failed(),
            PostState::Unconfirmed => self.unconfirmed(),
        }
    }
}
