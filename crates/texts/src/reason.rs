//! Codes of a task's `reason` as sentences.

use crate::{Language, problem::release::blocked_sentence, texts};
use domain::task::reason as code;

texts! {
    /// Why a task failed, was missed or was cancelled.
    ReasonTexts {
        late = "Its grace period was over before it could be executed.", "在能够执行之前，宽限期已过。";
        not_approved = "Held: the revision was not approved by the due time. It is published as soon as a reviewer approves it.", "已搁置：到点时该修订版尚未批准。审核人批准后将立即发布。";
        words_block = "Held: the text contains what must not be published, or a term of a word list takes too long to look for in it, so it cannot be approved. The review names the terms. Change the text or the word list. Then a reviewer must approve it; if it was approved before, retry.", "已搁置：文中含有禁止发布的内容，或某个词条在此文中检查耗时过长，因此无法批准。审核页列出相关词条。请修改文章或词库，再由审核人批准；此前已批准的，请重试。";
        words_approval = "Held: the text contains words that a reviewer must approve. It is published as soon as a reviewer approves it.", "已搁置：文中含有须经审核人批准的内容。批准后将立即发布。";
        superseded = "Another task of the same article made it unnecessary.", "同一文章的另一任务使其不再需要。";
        poison = "It failed repeatedly and is no longer retried.", "多次失败，不再重试。";
        target_gone = "Its article no longer exists.", "文章已不存在。";
        owner_disabled = "The owner's account was disabled.", "负责人的账号已停用。";
        older_text = "A newer revision is public and this one would replace it. Unschedule it, or restore the older revision and publish it.", "已公开更新的修订版，此任务会将其覆盖。请取消安排，或恢复旧修订版后再发布。";
        publish_now_failed = "Executing it now failed. It is scheduled for its previous time again.", "立即执行失败，已恢复原定时间。";
        signal = "A signal came first.", "已先收到信号。";
        rule = "The rule was changed or deleted.", "规则已更改或删除。";
        template_field = "A field of the template is missing in the data of the signal.", "信号数据缺少模板所需的字段。";
        template_result = "The filled template is too large, or has no valid address or routing key.", "填充后的模板过大，或没有有效的地址或路由键。";
        words(terms: &str) = "Held: the filled text contains words that must not be sent: {terms}. Change the rule or the word list, then retry.", "已搁置：填充后的内容含有不得发送的词语：{terms}。请修改规则或词库，然后重试。";
        too_deep = "A loop of rules was stopped: five rules had started one another.", "规则循环已停止：五条规则相互触发。";
        too_many_descendants = "Stopped: one signal has led to 1,000 waits through rules. Look for rules that start one another.", "已停止：一个信号经由规则已引发 1000 个等待项。请检查相互触发的规则。";
        signal_rate = "Signals of this account were refused: it sent more than the limit in a minute. Its program got the answer 429 and must send them again.", "该账号的部分信号被拒绝：一分钟内发送的数量超过上限。程序已收到通知（429），需要重新发送。";
        channel_gone = "The channel was deleted before it was sent. Choose another channel on its page, or dismiss it.", "发送前渠道已被删除。请在其页面选择其他渠道，或将其忽略。";
        no_mail_server = "The desk has no mail server. An admin can set one in Settings, Mail; then retry.", "工作台没有邮件服务器。管理员可在“设置”的“邮件”中设置，然后重试。";
        recipient_gone = "The account it was for no longer exists.", "接收账号已不存在。";
        series_rule = "Not done: the rule of its series cannot be read, so the series ends here. Set a new one.", "未执行：其系列的规则无法读取，系列到此结束。请重新设置。";
        capped = "Not done: the rule has reached its limit for this subject.", "未执行：规则对该主体的执行次数已达上限。";
        passed = "Its time had already passed.", "其时刻已过。";
        target_over = "The item it was about was cancelled or is over.", "所提醒的事项已取消或已结束。";
        overdue = "Overdue and not executed yet.", "已逾期，尚未执行。";
        zone_data = "Time-zone rules have changed. These tasks keep their local time.", "时区规则已更改，以下任务保持其当地时间。";
    }
}

/// Sentence for a code. Other text is returned unchanged: it is a sentence already.
#[must_use]
pub fn sentence(language: Language, reason: &str) -> String {
    let texts = ReasonTexts(language);
    match reason {
        code::LATE => texts.late(),
        code::NOT_APPROVED => texts.not_approved(),
        code::WORDS_BLOCK => texts.words_block(),
        code::WORDS_APPROVAL => texts.words_approval(),
        code::SUPERSEDED => texts.superseded(),
        code::POISON => texts.poison(),
        code::TARGET_GONE => texts.target_gone(),
        code::OWNER_DISABLED => texts.owner_disabled(),
        code::ZONE_DATA => texts.zone_data(),
        code::OLDER_TEXT => texts.older_text(),
        code::OVERDUE => texts.overdue(),
        code::SIGNAL => texts.signal(),
        code::RULE => texts.rule(),
        code::TEMPLATE_FIELD => texts.template_field(),
        code::TEMPLATE_RESULT => texts.template_result(),
        code::TOO_DEEP => texts.too_deep(),
        code::TOO_MANY_DESCENDANTS => texts.too_many_descendants(),
        code::SIGNAL_RATE => texts.signal_rate(),
        code::NO_MAIL_SERVER => texts.no_mail_server(),
        code::RECIPIENT_GONE => texts.recipient_gone(),
        code::SERIES_RULE => texts.series_rule(),
        code::CAPPED => texts.capped(),
        code::PASSED => texts.passed(),
        code::TARGET_OVER => texts.target_over(),
        code::CHANNEL_GONE => texts.channel_gone(),
        code::PUBLISH_NOW_FAILED => texts.publish_now_failed(),
        other => {
            let words = other.strip_prefix(code::WORDS).map(|terms| texts.words(terms));
            let said = words.or_else(|| blocked_sentence(language, other));
            return said.unwrap_or_else(|| other.to_owned());
        }
    }
    .to_owned()
}
