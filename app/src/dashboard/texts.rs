//! Texts of the dashboard.

use crate::texts::texts;

texts! {
    /// Texts of the dashboard.
    DashboardTexts {
        title = "Dashboard", "概览";
        nothing_next = "Nothing is scheduled.", "目前没有安排。";
        nothing_hint = "Write an article, schedule it, and watch it being published here.", "写一篇文章，安排时间，就能在这里看着它发布。";
        first_steps = "Nothing has been published yet either. Begin in one of these ways:", "也还没有发布过内容，可以这样开始：";
        import_articles = "Import articles:", "导入文章：";
        import_hint = "On the server, for a folder of Markdown files (Hugo, Jekyll, Zola and others). Articles with a future date are scheduled.", "在服务器上运行，导入 Markdown 文件夹（Hugo、Jekyll、Zola 等）。日期在未来的文章会自动安排。";
        see_site = "See the public site", "查看公开网站";
        site_hint = "It is public and empty until the first article is published.", "网站已公开，发布第一篇文章前没有内容。";
        write_first = "Write an article", "写文章";
        next_up = "Upcoming", "接下来";
        next_publish = "Next: publish ", "接下来发布：";
        next_unpublish = "Next: unpublish ", "接下来撤下：";
        next_other(kind: &str) = "Next: {kind} – ", "接下来：{kind}——";
        due_now = "Due now: ", "正在执行：";
        due_now_other(kind: &str) = "Due now: {kind} – ", "正在执行：{kind}——";
        recent = "Recently published", "最近发布";
        no_recent = "Nothing has been published yet.", "还没有发布过内容。";
        waiting(n: String) = "{n} scheduled", "{n} 项已安排";
        today(n: String) = "{n} executed in the last 24 hours", "过去 24 小时执行 {n} 项";
        day_sentence(done: usize, coming: usize, attention: u64) = "Today: {done} done, {coming} to come, {attention} of today’s items in Attention", "今天：已完成 {done} 项，待执行 {coming} 项，今天的事项中 {attention} 项待处理";
        both_zones(mine: String, desk: String) = "{mine}; below the line: {desk}", "{mine}；线下方为{desk}";
        week = "Next days", "未来几天";
        today_name = "Today", "今天";
        calendar = "Calendar", "日历";
        nothing_planned = "–", "–";
        planned(n: String) = "{n} planned", "{n} 项";
        done(n: String) = "{n} done", "已完成 {n} 项";
        done_and_planned(done: String, n: String) = "{done} done, {n} planned", "已完成 {done} 项，还有 {n} 项";
        needs(n: String) = "{n} in Attention", "{n} 项待处理";
        free_slot(time: String) = "free slot {time}", "空闲时段 {time}";
        waits_for_me = "Waiting for you", "等你处理";
        nothing_waits = "Nothing waits for you.", "没有等你处理的事项。";
        entries(n: String) = "In Attention: {n}", "待处理：{n}";
        reviews(n: String) = "To review: {n}", "待审核：{n}";
        drafts(n: String) = "Drafts: {n}", "草稿：{n}";
        unread(n: String) = "Unread notifications: {n}", "未读通知：{n}";
        all_tasks = "All tasks", "全部任务";
    }
}
