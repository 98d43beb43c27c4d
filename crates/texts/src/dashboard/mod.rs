//! Texts of Today.

pub mod quick;

use crate::{tasks::TaskTexts, texts};
use domain::Kind;

texts! {
    /// Texts of Today.
    DashboardTexts {
        title = "Today", "今天";
        nothing_today = "Nothing more is planned today.", "今天没有其他安排。";
        all_done_today(n: String) = "{n} done today. Nothing more is planned.", "今天已完成 {n} 项，没有其他安排。";
        whose = "Whose", "谁的";
        mine = "Mine", "我的";
        everyones = "Everyone's", "所有人的";
        one_today(time: String) = "One thing is planned today, at {time}.", "今天还有 1 项安排，时间 {time}。";
        later_today(n: String) = "More is planned today: {n}.", "今天还有 {n} 项安排。";
        many_today(n: String, time: String) = "{n} things are planned today, the next at {time}.", "今天还有 {n} 项安排，下一项 {time}。";
        one_needs_you = "1 needs you.", "1 项需要你处理。";
        many_need_you(n: String) = "{n} need you.", "{n} 项需要你处理。";
        nothing_next = "Nothing is scheduled.", "目前没有安排。";
        nothing_hint = "Write an article, schedule it, and watch it being published here.", "写一篇文章，安排时间，就能在这里看着它发布。";
        first_article = "Your first article", "你的第一篇文章";
        first_article_hint = "20 seconds after you press the button it is on the public site. The time runs down here; Undo stops it.", "按下按钮 20 秒后，文章出现在公开网站上。这里会显示倒计时，“撤销”可中止发布。";
        article_title = "Title", "标题";
        article_text = "Text", "正文";
        publish_soon = "Publish in 20 seconds", "20 秒后发布";
        in_editor = "Write in the editor", "在编辑器中写";
        first_week = "First week", "第一周";
        steps_done(done: String, all: String) = "{done} of {all} done", "已完成 {done}/{all}";
        step_done = "Done:", "已完成：";
        close_first_week = "Close", "关闭";
        write_something = "Write something", "写点什么";
        write_something_hint = "a first article, published now or at its time.", "第一篇文章，立即或按时发布。";
        bring_blog = "Bring your old blog", "导入旧博客";
        bring_blog_hint = "from Ghost, WordPress or Markdown files; nothing is published without being shown first.", "来自 Ghost、WordPress 或 Markdown 文件；发布前会先显示结果。";
        invite_people = "Invite people", "邀请成员";
        invite_people_hint = "who write, or who run the desk with you.", "邀请撰稿人或共同管理工作台的人。";
        connect_mail = "Connect mail", "连接邮件";
        connect_mail_hint = "so that reminders and invitations reach people. Without it nothing is mailed: you pass invitation links on yourself, and reminders appear only here.", "以便提醒和邀请送达。不设置则不发送邮件：邀请链接需自行转发，提醒只显示在工作台中。";
        set_slots = "Set posting slots", "设置发布时段";
        set_slots_hint = "and an article goes out at the next one with one click.", "一键即可将文章排到下一个时段。";
        add_passkey = "Add a passkey", "添加通行密钥";
        add_passkey_hint = "log in with fingerprint, face or PIN.", "用指纹、面容或 PIN 登录。";
        look_of_site = "Look of the site", "网站外观";
        look_of_site_hint = "name, colours, header and footer.", "名称、颜色、页眉和页脚。";
        see_site = "See the public site", "查看公开网站";
        site_hint = "Articles appear there as soon as they are published.", "文章发布后即显示在那里。";
        write_first = "Write an article", "写文章";
        next_up = "Upcoming", "接下来";
        next = "Next: ", "接下来：";
        due_now = "Due now: ", "正在执行：";
        publish = "publish ", "发布";
        unpublish = "unpublish ", "撤下";
        publish_release = "publish the release ", "发布发布组";
        revert_release = "revert the release ", "还原发布组";
        meeting = "meeting ", "会议";
        decision = "decision on ", "审批截止：";
        message = "message ", "消息";
        rule = "rule ", "规则";
        other(kind: &str) = "{kind} – ", "{kind}——";
        recent = "Recently published", "最近发布";
        no_recent = "Nothing has been published yet.", "还没有发布过内容。";
        waiting(n: String) = "{n} scheduled", "{n} 项已安排";
        today(n: String) = "{n} executed in the last 24 hours", "过去 24 小时执行 {n} 项";
        day_sentence(done: usize, coming: usize, attention: u64) = "Today: {done} done, {coming} to come, {attention} need attention", "今天：已完成 {done} 项，待执行 {coming} 项，今天的事项中 {attention} 项待处理";
        both_zones(mine: String, desk: String) = "{mine}; below the line: {desk}", "{mine}；线下方为{desk}";
        week = "Next days", "未来几天";
        today_name = "Today", "今天";
        calendar = "Calendar", "日历";
        nothing_planned = "–", "–";
        planned(n: String) = "{n} planned", "{n} 项";
        done(n: String) = "{n} done", "已完成 {n} 项";
        done_and_planned(done: String, n: String) = "{done} done, {n} planned", "已完成 {done} 项，还有 {n} 项";
        needs(n: String) = "{n} need attention", "{n} 项待处理";
        free_slot(time: String) = "free slot {time}", "空闲时段 {time}";
        waits_for_me = "Waiting for you", "等你处理";
        nothing_waits = "Nothing waits for you.", "没有等你处理的事项。";
        reviews(n: String) = "To review: {n}", "待审核：{n}";
        drafts(n: String) = "Drafts: {n}", "草稿：{n}";
        unread(n: String) = "Unread notifications: {n}", "未读通知：{n}";
        all_tasks = "All tasks", "全部任务";
    }
}

impl DashboardTexts {
    /// What a task does, in the words of people, before its title.
    #[must_use]
    pub fn what(self, kind: Kind) -> String {
        let what = match kind {
            Kind::ArticlePublish => self.publish(),
            Kind::ArticleUnpublish => self.unpublish(),
            Kind::Other("release.publish") => self.publish_release(),
            Kind::Other("release.revert") => self.revert_release(),
            Kind::Other("meeting.start") => self.meeting(),
            Kind::Other("meeting.decide" | "review.decide") => self.decision(),
            Kind::Other("message.send") => self.message(),
            Kind::Other("rule.fire") => self.rule(),
            // Its title is the word for it.
            Kind::Other("reminder.send" | "reminder.bell") => "",
            Kind::Other(_) => return self.other(TaskTexts(self.0).kind(kind)),
        };
        what.to_owned()
    }
}
