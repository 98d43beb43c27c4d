//! What a notification about a review says, in a mail and in the app.

use crate::texts;

texts! {
    /// Lines of a notification about a review, and of a warning before its deadline.
    ReviewWords {
        waits_for_you(title: &str) = "“{title}” waits for your review.", "“{title}”等待你审核。";
        waits_for_second(title: &str) = "“{title}” has one approval and waits for yours.", "“{title}”已获一次批准，等待你的批准。";
        waits(title: &str) = "“{title}” has not been reviewed yet.", "“{title}”尚未审核。";
        sends_back(moment: &str) = "Without a decision it is sent back: {moment}", "若无人处理，将退回：{moment}";
        approves(moment: &str) = "Without a decision it is approved: {moment}", "若无人处理，将自动通过：{moment}";
        holds(moment: &str) = "Without a decision it is held: {moment}", "若无人处理，将搁置：{moment}";
        escalates(moment: &str) = "Without a decision another reviewer is asked: {moment}", "若无人处理，将转交另一位审核人：{moment}";
        approved(title: &str) = "“{title}” is approved.", "“{title}”已通过审核。";
        approval_undone(title: &str) = "The approval of “{title}” was undone. It waits for a reviewer again.", "“{title}”的批准已撤回，重新等待审核。";
        sent_back(title: &str, reason: &str) = "“{title}” was sent back: {reason}", "“{title}”被退回：{reason}";
        approved_at_deadline(title: &str) = "“{title}” is approved: no reviewer decided before the deadline.", "“{title}”已通过：期限前无人处理。";
        sent_back_at_deadline(title: &str) = "“{title}” was sent back: no reviewer decided before the deadline.", "“{title}”被退回：期限前无人处理。";
        held_at_deadline(title: &str) = "“{title}” is held: no reviewer decided before the deadline.", "“{title}”已搁置：期限前无人处理。";
        commented(title: &str) = "There is a new comment on “{title}”.", "“{title}”有新评论。";
        withdrawn(title: &str) = "“{title}” is a draft again: an admin changed the review of this desk.", "“{title}”已恢复为草稿：管理员更改了审核设置。";
        held_words(title: &str) = "“{title}” was not published: it contains words that must not be published.", "“{title}”未发布：含有禁止发布的内容。";
        held(title: &str) = "“{title}” was not published: its text needs a reviewer.", "“{title}”未发布：正文需要审核人处理。";
    }
}
