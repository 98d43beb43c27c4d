//! Why an action of a review is refused.

use crate::problem::task::shown;
use crate::{Language, texts};
use domain::review::workflow::{ReviewProblem, ReviewState, checklist::CheckItem};

texts! {
    /// Sentences.
    ReviewProblemTexts {
        no_workflow = "Articles are published without a review here. An admin can change that in the settings.", "本站发布文章无需审核。管理员可在设置中更改。";
        not_submitted = "This article was not submitted for review.", "此文章尚未提交审核。";
        approved = "This revision is approved already. Nothing was changed.", "此修订版已通过审核。未作任何更改。";
        sent_back = "This revision was sent back already. Nothing was changed.", "此修订版已被退回。未作任何更改。";
        expired = "The deadline has passed and the revision was sent back. Nothing was changed.", "审核期限已过，此修订版已被退回。未作任何更改。";
        open = "This revision is under review already. Nothing was changed.", "此修订版正在审核中。未作任何更改。";
        stale(revision: i32) = "Revision {revision} is under review now. Look at that one.", "现在审核的是修订版 {revision}，请查看该版本。";
        own = "This is your own article. Another reviewer must approve it.", "这是你自己的文章，须由其他审核人批准。";
        first = "You approved this text already. Another reviewer must approve it too.", "你已批准此文章，还须由另一位审核人批准。";
        assigned(to: &str) = "This review is assigned to {to}.", "此审核已指定给 {to}。";
        blocked(terms: &str) = "The text contains what must not be published: {terms}. Change the text or the word list.", "文中含有禁止发布的内容：{terms}。请修改文章或词库。";
        words(terms: &str) = "These words are not allowed here: {terms}. Change the text, or ask an admin to change the word list.", "此处不允许使用：{terms}。请修改内容，或请管理员调整词库。";
        new_hits = "The word lists have changed and there are new hits. Look at them, then approve again.", "词库已更改，出现新的命中。请查看后再次批准。";
        not_approved = "Not approved yet: a reviewer must approve it before it is published.", "尚未批准：须由审核人批准后才能发布。";
        stays_planned(when: String) = "Not approved yet: it stays planned for {when}.", "尚未批准：仍安排在 {when}。";
        checklist(items: &str) = "Before it is scheduled, the text needs {items}.", "安排发布前，此文章还需要：{items}。";
        item_title = "a title", "标题";
        item_summary = "a summary", "摘要";
        item_alt_texts = "a description of every picture", "每张图片的说明";
        item_marks = "its missing pieces in place of “TK”", "补全以“TK”标记的内容";
        item_headings = "headings that skip no level", "不跳级的标题";
        item_own_links = "links to articles and files that are there", "指向现有文章和文件的链接";
        item_links = "links that answer (open “Check the links”)", "有响应的链接（请打开“检查链接”）";
        no_reviewer = "Choose a reviewer or an admin who is not disabled.", "请选择一位未停用的审核人或管理员。";
    }
}

/// Says why.
pub(crate) fn review_problem(language: Language, problem: &ReviewProblem) -> String {
    let texts = ReviewProblemTexts(language);
    match problem {
        ReviewProblem::NoWorkflow => texts.no_workflow().to_owned(),
        ReviewProblem::NotSubmitted => texts.not_submitted().to_owned(),
        ReviewProblem::Closed { state } => closed(texts, *state).to_owned(),
        ReviewProblem::Stale { revision } => texts.stale(*revision),
        ReviewProblem::Own => texts.own().to_owned(),
        ReviewProblem::First => texts.first().to_owned(),
        ReviewProblem::Assigned { to } => texts.assigned(to),
        ReviewProblem::Blocked { terms } => texts.blocked(terms),
        ReviewProblem::Words { terms } => texts.words(terms),
        ReviewProblem::NewHits => texts.new_hits().to_owned(),
        ReviewProblem::NotApproved { planned: None } => texts.not_approved().to_owned(),
        ReviewProblem::NotApproved { planned: Some(due) } => texts.stays_planned(shown(language, *due)),
        ReviewProblem::Checklist { items } => {
            let words: Vec<&str> = items.iter().map(|item| needed(texts, *item)).collect();
            texts.checklist(&words.join(crate::punctuation::list_comma(language)))
        }
        ReviewProblem::NoReviewer => texts.no_reviewer().to_owned(),
    }
}

fn needed(texts: ReviewProblemTexts, item: CheckItem) -> &'static str {
    match item {
        CheckItem::Title => texts.item_title(),
        CheckItem::Summary => texts.item_summary(),
        CheckItem::AltTexts => texts.item_alt_texts(),
        CheckItem::Marks => texts.item_marks(),
        CheckItem::Headings => texts.item_headings(),
        CheckItem::Links => texts.item_links(),
        CheckItem::OwnLinks => texts.item_own_links(),
    }
}

fn closed(texts: ReviewProblemTexts, state: ReviewState) -> &'static str {
    match state {
        ReviewState::Approved => texts.approved(),
        ReviewState::SentBack => texts.sent_back(),
        ReviewState::Expired => texts.expired(),
        ReviewState::Submitted | ReviewState::Held => texts.open(),
    }
}
