//! Texts of the pages of reviews.

pub mod words;

use crate::texts;

texts! {
    /// Texts of the pages of reviews.
    ReviewTexts {
        title = "Review", "审核";
        lead = "Articles that are waiting for a reviewer.", "等待审核的文章。";
        none = "Nothing is waiting for a review", "没有待审核的文章";
        none_hint = "Submitted articles appear here.", "提交审核的文章会显示在这里。";
        off_hint = "Articles are published without a review. An admin can change that in the settings.", "目前发布文章无需审核。管理员可在设置中更改。";
        deadline = "Deadline", "期限";
        summary = "Summary", "摘要";
        cover = "Cover", "封面";
        planned = "Planned for", "计划发布";
        was_planned = "Was planned for", "原计划发布";
        approving_publishes = "; approving publishes it at once.", "；批准后将立即发布。";
        second_publishes = "; the second approval publishes it at once.", "；第二次批准后将立即发布。";
        submitted = "Submitted", "待审核";
        approved = "Approved", "已通过";
        sent_back = "Sent back", "已退回";
        held = "Held", "已搁置";
        expired = "Expired", "已过期";
        clean = "no hits", "无命中";
        hits_one = "1 hit", "1 处命中";
        hits(n: u32) = "{n} hits", "{n} 处命中";
        replace = "replaced", "替换";
        flag = "flagged", "标记";
        needs_approval = "needs approval", "须批准";
        block = "blocked", "禁止";
        replacement(by: &str) = "Replacement: “{by}”.", "建议替换为“{by}”。";
        in_title = "in the title", "标题";
        in_text = "in the text", "正文";
        then_send_back = "then it is sent back", "届时退回";
        then_approve = "then it is approved", "届时自动通过";
        then_hold = "then it is held for a reviewer", "届时搁置待审";
        then_escalate = "then it is assigned to another reviewer", "届时转交其他审核人";
        held_block = "It contains blocked words and cannot be approved until the text or the word list changes.", "含有禁止的内容：修改文章或词库之前无法批准。";
        held_words = "It contains words that a reviewer must approve.", "含有须经审核人批准的内容。";
        must_be_approved = "A reviewer must approve this version first. If the approval comes later, it is published then.", "须先由审核人批准此版本；批准较晚时，届时发布。";
        must_be_approved_twice = "Two reviewers must approve this version first. If the approval comes later, it is published then.", "须先由两位审核人批准此版本；批准较晚时，届时发布。";
        must_be_approved_again = "A second reviewer must approve this version first. If the approval comes later, it is published then.", "须先由第二位审核人批准此版本；批准较晚时，届时发布。";
        must_be_submitted = "This version was sent back. Submit it again: a reviewer must approve it before it is published.", "此版本已被退回。请重新提交，经审核人批准后才会发布。";
        must_be_mended = "This version contains blocked words. It is not published until the text or the word list changes and a reviewer approves it.", "此版本含有禁止的内容：修改文章或词库并经审核人批准后才会发布。";
        held_other = "Its time has come, and it is held for a reviewer.", "发布时间已到，已搁置待审核。";
        expired_why = "The deadline passed, and it was sent back. Submit it again.", "期限已过，已自动退回。请重新提交。";
        sent_back_by(name: String) = "{name} sent it back:", "{name} 已退回：";
        sent_back_why = "It was sent back:", "已退回：";
        approved_by_both(first: &str, second: &str) = "Approved by {first} and {second}.", "由 {first} 和 {second} 批准。";
        approved_by(name: String) = "Approved by {name}.", "由 {name} 批准。";
        approved_auto = "Approved without a reviewer.", "自动通过。";
        assigned(name: String) = "Assigned to {name}.", "指定审核人：{name}。";
        ask_open = "Ask reviewers…", "指定审核人…";
        ask_now = "Ask", "请其审核";
        ask = "Who is asked", "请谁审核";
        ask_hint = "Only they are notified, and they see it first. Choose none to ask every reviewer. The others may review it too.", "仅通知所选的人，文章会排在他们的列表最前。不选则通知所有审核人。其他审核人也可以审核。";
        group_asks(n: usize) = "group, asks {n}", "小组，共 {n} 人";
        groups_hint = "A group asks each reviewer that it has now. One of them is enough, and later changes of the group change nothing here.", "选择小组会邀请其当前的每位审核人，其中一人审核即可。之后小组成员变动不会影响此处。";
        asked(names: String) = "Asked: {names}. Other reviewers may decide too.", "已请 {names} 审核，其他审核人也可以决定。";
        comma = ", ", "、";
        asked_you = "You were asked.", "请你审核。";
        filter = "Which reviews are shown", "显示哪些审核";
        all = "All", "全部";
        asked_me = "Asked of me", "请我审核的";
        none_asked = "You are not asked for a review", "没有请你审核的文章";
        none_asked_hint = "Articles whose authors ask you appear here. All others are under All.", "作者请你审核的文章会显示在这里，其余的在“全部”中。";
        newer_one = "1 newer edit is not part of this review.", "之后的 1 次修改不在此次审核范围内。";
        newer(n: u32) = "{n} newer edits are not part of this review.", "之后的 {n} 次修改不在此次审核范围内。";
        revision(n: i32) = "Revision {n}", "修订版 {n}";
        submit = "Submit for review", "提交审核";
        submit_again = "Submit again", "重新提交";
        submit_newer = "Submit the newest text", "提交最新文本";
        not_submitted = "This text is published after a review.", "此文章须经审核后发布。";
        not_submitted_auto = "This text is checked against the word lists before it is published.", "发布前将按词库检查此文章。";
        approve = "Approve", "批准";
        approve_next = "Approve and next", "批准并查看下一篇";
        send_back = "Send back", "退回";
        send_back_open = "Send back…", "退回…";
        reason = "Reason", "原因";
        reason_hint = "The author reads it.", "作者会看到。";
        own = "This is your own article. Another reviewer must approve it.", "这是你自己的文章，须由其他审核人批准。";
        first_approval(name: String) = "Approved by {name}. A second reviewer must approve it too.", "{name} 已批准，还须由第二位审核人批准。";
        is_first = "You approved it. Another reviewer must approve it too.", "你已批准，还须由另一位审核人批准。";
        blocked_hint = "It contains blocked words. It can be approved once the text or the word list is changed.", "含有禁止的内容，修改文章或词库后才能批准。";
        not_reviewer = "Reviewers and admins decide.", "由审核人或管理员决定。";
        decided = "This review is decided. There is nothing left to do here.", "此审核已有结果，无需再操作。";
        open_review = "Open the review", "打开审核页面";
        open_comment = "1 open comment", "1 条未解决的评论";
        open_comments(n: u32) = "{n} open comments", "{n} 条未解决的评论";
        open_article = "Open the article", "打开文章";
        back = "All reviews", "全部审核";
        text = "Text", "正文";
        changes = "Changes against the public text", "与公开版本的差异";
        found = "Words that were found", "命中的词语";
        was_approved = "Approved.", "已批准。";
        undo_approval = "Undo the approval", "撤回批准";
        undo_approval_hint = "For one minute, and until the article is published.", "一分钟内且文章发布之前可以撤回。";
        was_undone = "The approval is undone.", "批准已撤回。";
        was_published = "Approved. The article is published at once.", "已批准，文章将立即发布。";
        was_commented = "The comment is stored.", "评论已保存。";
        was_sent_back = "Sent back.", "已退回。";
        link_open = "Review by link…", "通过链接审核…";
        link_name = "Name of the person", "对方姓名";
        link_hint = "Without an account. The link is valid for 7 days, for this revision and one decision.", "无需账号。链接 7 天内有效，仅限此修订版，只能决定一次。";
        link_create = "Create link", "生成链接";
        link_ready(name: String) = "Link for {name}. It is not shown again.", "给 {name} 的链接，不会再次显示。";
        link_title = "Review", "审核";
        link_lead(desk: String, author: String) = "{desk} asks you to review this text by {author}.", "{desk} 请你审核 {author} 的这篇文章。";
        link_until = "The link is valid until", "链接有效期至";
        link_spent = "This link has decided already, has expired, or its text is no longer under review.", "此链接已使用、已过期，或其文本已不在审核中。";
        link_done = "Thank you. Your decision was recorded.", "谢谢，你的决定已记录。";
        decision = "Your decision", "你的决定";
    }
}

texts! {
    /// Texts of `/settings/review`.
    ReviewSettingsTexts {
        title = "Review", "审核";
        lead = "What happens before an article is published.", "文章发布前的审核方式。";
        workflow = "Before publishing", "发布前";
        none = "Nothing", "不审核";
        none_hint = "Articles are published at their time.", "到时间即发布。";
        automatic = "Check the words", "检查用词";
        automatic_hint = "Articles are checked against the word lists. Only those with hits that need an approval wait for a reviewer.", "按词库检查文章，仅命中须批准内容的文章等待审核人。";
        one_reviewer = "Check the words, and one reviewer approves", "检查用词，并由一位审核人批准";
        one_reviewer_hint = "Exactly the approved revision is published.", "只发布已批准的修订版。";
        two_reviewers = "Check the words, and two reviewers approve", "检查用词，并由两位审核人先后批准";
        two_reviewers_hint = "One after the other; the second is not the first.", "先后批准，第二位不得与第一位相同。";
        deadline = "Deadline", "期限";
        after_submit = "Minutes after submission", "提交后（分钟）";
        count = "Count these minutes", "计时方式";
        count_clock = "all the time", "全部时间";
        count_working = "only within working hours", "仅工作时间";
        working_hours = "Working hours of the desk", "工作时间";
        opens = "From", "从";
        closes = "To", "到";
        working_days = "Weekdays. Choose none for every day. The times are in the zone of the desk.", "工作日；未选则每天。时间以工作台时区为准。";
        before_publish = "Minutes before the scheduled publication", "计划发布前（分钟）";
        empty_hint = "Leave empty for no such deadline.", "留空则不计。";
        decision = "When it passes", "到期后";
        hold = "Hold: it waits for a reviewer", "搁置，等待审核人";
        send_back = "Send it back", "退回";
        approve = "Approve it", "自动通过";
        escalate = "Assign it to", "转交给";
        escalate_to = "Reviewer", "审核人";
        no_reviewer = "No reviewer", "无";
        pins_always = "A scheduled article keeps its version", "已安排的文章保持原版本";
        pins_always_hint = "Otherwise it is published as it was saved last, unless texts are reviewed.", "否则发布最后保存的版本（启用审核时除外）。";
        allow_own = "Reviewers may approve their own articles", "允许审核人批准自己的文章";
        other_texts = "Word lists also apply to meetings, reminders, messages and what rules send; terms that need an approval are refused there", "词库也用于会议、提醒、消息和规则发送的内容；其中需要批准的词语会被拒绝";
        save = "Save", "保存";
        saved = "Saved.", "已保存。";
    }
}

texts! {
    /// Texts about articles that wait for an approval while the settings change.
    WaitingTexts {
        one = "1 article waits for an approval", "有 1 篇文章等待批准";
        many(n: u64) = "{n} articles wait for an approval", "有 {n} 篇文章等待批准";
        lead = "What should happen to them if the workflow changes?", "更改审核方式后如何处理？";
        open = "Open the reviews", "打开审核列表";
        keep = "They keep waiting", "继续等待";
        keep_hint = "Reviewers can still approve them or send them back, even without a review of new texts.", "审核人仍可批准或退回，即使新文章不再审核。";
        publish = "They are published", "发布";
        publish_hint = "All of them are approved: published at their time or, if that has passed, at once.", "全部批准：到时间发布；时间已过的立即发布。";
        draft = "They are drafts again", "恢复为草稿";
        draft_hint = "Their submissions are withdrawn and their publications cancelled. Their authors are notified.", "撤回提交，取消发布安排，并通知作者。";
        kept_one = "Saved. 1 article still waits for an approval.", "已保存。仍有 1 篇文章等待批准。";
        kept_many(n: u64) = "Saved. {n} articles still wait for an approval.", "已保存。仍有 {n} 篇文章等待批准。";
        published_one = "Saved. 1 article was approved; it is published at its time or, if that has passed, at once.", "已保存。1 篇文章已批准，将到时间发布，时间已过的立即发布。";
        published_many(n: u64) = "Saved. {n} articles were approved; they are published at their time or, if that has passed, at once.", "已保存。{n} 篇文章已批准，将到时间发布，时间已过的立即发布。";
        drafts_one = "Saved. 1 article is a draft again.", "已保存。1 篇文章已恢复为草稿。";
        drafts_many(n: u64) = "Saved. {n} articles are drafts again.", "已保存。{n} 篇文章已恢复为草稿。";
    }
}

impl WaitingTexts {
    /// How many articles wait.
    #[must_use]
    pub fn count(self, n: u64) -> String {
        if n == 1 { self.one().to_owned() } else { self.many(n) }
    }

    /// The settings were saved, and this number of articles waits on.
    #[must_use]
    pub fn kept(self, n: u64) -> String {
        if n == 1 { self.kept_one().to_owned() } else { self.kept_many(n) }
    }

    /// The settings were saved, and this number of articles approved.
    #[must_use]
    pub fn published(self, n: u64) -> String {
        if n == 1 { self.published_one().to_owned() } else { self.published_many(n) }
    }

    /// The settings were saved, and this number of articles made drafts.
    #[must_use]
    pub fn drafts(self, n: u64) -> String {
        if n == 1 { self.drafts_one().to_owned() } else { self.drafts_many(n) }
    }
}

texts! {
    /// Texts of comments on a text under review.
    CommentTexts {
        title = "Comments", "评论";
        none = "This text has no comments.", "还没有人评论此正文。";
        paragraph = "Paragraph", "段落";
        comment = "Comment", "评论";
        add = "Comment", "评论";
        resolve = "Resolve", "标为已解决";
        reopen = "Open again", "重新打开";
        place(revision: i32, paragraph: u32) = "revision {revision}, paragraph {paragraph}", "修订版 {revision}，第 {paragraph} 段";
        resolved_by(name: String) = "resolved by {name}", "{name} 已解决";
    }
}

texts! {
    /// Texts of the checklist.
    CheckTexts {
        title = "Before publishing", "发布前检查";
        done = "done", "已完成";
        missing = "not yet", "未完成";
        required = "required to schedule", "安排发布前必须完成";
        line(n: u32) = "line {n}", "第 {n} 行";
        place(n: u32) = "line {n}: ", "第 {n} 行：";
        in_title = "in the title", "标题";
        in_text = "in the text", "正文";
        in_summary = "in the summary", "摘要";
        replace_by(by: &str) = "Replace with “{by}”", "替换为“{by}”";
        replace_by_nothing = "Remove the word", "删除该词";
        replace_gone = "The text has changed there. It is checked again once it is saved.", "此处的文字已改动，保存后将重新检查。";
        item_title = "A title", "标题";
        item_summary = "A summary", "摘要";
        item_alt_texts = "Every picture has a description", "每张图片都有说明";
        item_marks = "No “TK” is left", "没有遗留的“TK”";
        item_headings = "No level of the headings is skipped", "标题层级不跳级";
        item_own_links = "Every link to an article or a file of this desk leads to one", "指向本工作台文章和文件的链接均有效";
        item_links = "Every link answered in the last 7 days", "每个链接在最近 7 天内都有响应";
        links = "Links", "链接";
        links_lead = "Each link is opened now, to see whether it answers.", "正在逐一打开链接，检查是否有响应。";
        to_article = "Back to the article", "返回文章";
        check_links = "Check the links", "检查链接";
        no_links = "This text has no links", "正文中没有链接";
        no_links_hint = "Links to web pages and pictures on other sites appear here.", "指向网页和其他网站图片的链接会显示在这里。";
        all_answer = "All links answer.", "所有链接均有响应。";
        one_broken = "1 link does not answer.", "1 个链接没有响应。";
        broken(n: usize) = "{n} links do not answer.", "{n} 个链接没有响应。";
        more_links(n: u32) = "{n} more links were not opened; the limit is 50.", "另有 {n} 个链接未检查，最多检查 50 个。";
        answers = "answers", "有响应";
        status(n: u16) = "answers with status {n}", "响应状态 {n}";
        no_connection = "no connection", "无法连接";
        timed_out = "no answer within 5 seconds", "5 秒内没有响应";
        forbidden = "this server may not connect to that address", "本服务器不得连接该地址";
        redirects = "leads to too many other addresses", "重定向次数过多";
        checklist = "Checklist before scheduling", "安排发布前的检查清单";
        off = "Not checked", "不检查";
        warn = "Shown to the author", "提醒作者";
        require = "Required to schedule", "必须完成才能安排";
    }
}
