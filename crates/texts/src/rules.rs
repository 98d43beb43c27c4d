//! Texts of rules over signals.

use crate::texts;

texts! {
    /// Texts of rules.
    RuleTexts {
        title = "Rules", "规则";
        lead = "When something happens in another system, wait, then act, unless something else happened first.", "收到其他系统的信号后等待，然后执行；若先收到另一信号则不执行。";
        new_rule = "New rule", "新建规则";
        rule = "Rule", "规则";
        state = "Status", "状态";
        waiting = "Waiting", "等待中";
        today = "Today", "今天";
        acted = "acted", "已执行";
        closed = "closed", "已关闭";
        active = "On", "已启用";
        paused = "Paused", "已暂停";
        held = "Held", "已搁置";
        held_hint(owner: String) = "The account of its owner, {owner}, is disabled. It opens no waits and does not act. Enable the account, or take the rule over.", "其负责人 {owner} 的账号已停用，规则不再开启等待，也不执行。请启用该账号或接管规则。";
        last_error = "Last error:", "最近一次失败：";
        none = "No rules.", "没有规则。";
        none_hint = "Start with one of these, or write your own.", "可从以下模板开始，或自行编写。";
        templates = "Start from a template", "从模板开始";
        empty_rule = "Without a template", "不用模板";
        pause = "Pause", "暂停";
        resume = "Resume", "恢复";
        take_over = "Take over", "接管";
        owner = "Owner", "负责人";
        changed = "Changed", "更改于";
        subjects = "Only for subjects", "仅限主体";
        grace = "Skip if later than", "延迟超过则跳过";
        repeated = "A repeated signal", "重复的信号";
        restart = "starts the wait again", "重新开始等待";
        ignore = "is ignored", "被忽略";
        another = "opens another wait", "另开一个等待";
        edit = "Edit rule", "编辑规则";
        delete = "Delete rule", "删除规则";
        delete_hint = "The rule opens no more waits. Its history is kept.", "规则不再开启等待，历史会保留。";
        what_of_waiting(count: String) = "{count} are waiting for this rule. What should happen to them?", "有 {count} 项正在等待此规则，如何处理？";
        keep = "They keep their times", "保持原定时间";
        recount = "They are timed again with the new settings", "按新设置重新计时";
        cancel_them = "They are cancelled", "全部取消";
        who_waits = "Who waits", "等待列表";
        find_subject = "Find a subject", "查找主体";
        find_subject_hint = "The whole subject, such as a customer number.", "完整的主体，如客户编号。";
        find = "Find", "查找";
        all_states = "All", "全部";
        subject = "Subject", "主体";
        when = "When", "时间";
        what_happened = "What happened", "经过";
        none_waiting = "Nothing waits for this rule.", "没有等待此规则的项。";
        none_waiting_hint = "A wait is opened when the signal arrives.", "收到信号时会开启等待。";
        none_of_subject = "No waits of this subject.", "该主体没有等待记录。";
        none_of_subject_hint = "Enter the whole subject, or clear the search.", "请输入完整的主体，或清除查找。";
        clear = "Clear the search", "清除查找";
        opened(when: String) = "opened {when}", "开启于 {when}";
        closed_by(name: String, when: String) = "closed by {name} on {when}", "于 {when} 由 {name} 关闭";
        fired_at(when: String) = "acted on {when}", "于 {when} 执行";
        came_after(name: String, after: String) = "{name} came {after} after it", "{after}后收到 {name}";
        dry_run = "Dry run", "试运行";
        dry_run_hint = "What it would have done with the signals of recent days. Nothing is sent.", "按最近几天的信号推算，不会发送任何内容。";
        days = "Days", "天数";
        run = "Run", "运行";
        would_send(days: u32, count: String) = "In the last {days} days it would have acted {count} times.", "在最近 {days} 天会执行 {count} 次。";
        would_have_failed(count: String) = "It would have failed {count} times. “Try a signal” shows why.", "有 {count} 次会执行失败，可用“试一个信号”查看原因。";
        would_rest(signals: String, closed: String, waiting: String) = "{signals} signals were read; {closed} waits would have been closed, {waiting} would still be open.", "读取了 {signals} 个信号；会关闭 {closed} 个等待，另有 {waiting} 个仍在等待。";
        first_items(count: String) = "The first {count}:", "前 {count} 项：";
        test = "Try a signal", "试一个信号";
        test_hint = "What would happen if this signal came now. Nothing is stored or sent.", "如果现在收到此信号会怎样。不会保存或发送。";
        signal_name = "Signal", "信号";
        key = "Key (optional)", "键（可选）";
        data = "Data (optional)", "数据（可选）";
        data_hint = "One field per line, like email: ann@example.org.", "每行一个字段，如 email: ann@example.org。";
        try_it = "Try", "试一试";
        opens_wait = "It opens a wait.", "会开启一个等待。";
        closes_waits = "It closes the open waits of this subject and key.", "会关闭此主体与键的等待。";
        other_name = "Nothing: the rule does not listen to this signal.", "无：规则不监听此信号。";
        other_subject = "Nothing: the rule is about other subjects.", "无：规则针对其他主体。";
        no_moment = "Nothing: the data does not say when the rule acts.", "无：数据中没有执行时间。";
        too_late = "Nothing: it would be later than allowed.", "无：已超过允许的延迟。";
        would_act(when: String) = "The rule acts on {when}, unless it is closed before.", "若未关闭，规则将于 {when} 执行。";
        would_send_to(to: String) = "It sends to {to}:", "发送给 {to}：";
        would_send_body = "It sends:", "发送：";
        would_signal(name: String) = "It emits the signal {name}.", "发出信号 {name}。";
        would_fail(why: String) = "It could not act: {why}", "无法执行：{why}";
        recently_failed(when: String, why: String) = "{when}: {why}", "{when}：{why}";
        unknown_reason = "It failed.", "执行失败。";
        open = "Open rule", "查看规则";
    }
}

texts! {
    /// A rule as one sentence.
    RuleSentenceTexts {
        sentence(after: String, wait: String, then: String, unless: String) = "After {after} {wait}, then {then}{unless}.", "收到 {after} 后{wait}，然后{then}{unless}。";
        wait(duration: String) = "wait {duration}", "等待 {duration}";
        until_working_day(time: String) = "wait until {time} of the next working day", "等到下一个工作日 {time}";
        outside(from: String, to: String) = ", not between {from} and {to}", "，{from} 至 {to} 之间除外";
        in_zone(zone: String) = " ({zone})", "（{zone}）";
        at_most(times: i32, days: i32) = ", at most {times} times in {days} days for one subject", "，同一主体 {days} 天内最多 {times} 次";
        until_before(duration: String, field: String) = "wait until {duration} before {field}", "等到 {field} 前 {duration}";
        message(channel: String) = "send a message to “{channel}”", "向“{channel}”发送消息";
        mail(to: String) = "mail {to}", "发邮件给 {to}";
        signal(name: String) = "emit the signal {name}", "发出信号 {name}";
        unless(signals: String) = ", unless {signals} came first", "（若先收到 {signals} 则不执行）";
        or = " or ", "或";
        no_channel = "a deleted channel", "已删除的渠道";
    }
}

texts! {
    /// Texts of the form for a rule.
    RuleFormTexts {
        name = "Name", "名称";
        after = "After", "收到";
        after_signal = "After the signal", "收到信号";
        after_hint = "Its name, such as order.created.", "信号名称，如 order.created。";
        sentence = "What the rule does", "规则内容";
        signal_names = "Signals seen lately, and those of the desk", "最近收到的信号和系统自身的信号";
        seen(count: String) = "seen {count}×", "收到 {count} 次";
        wait = "wait", "等待";
        how_long = "Wait", "等待时长";
        wait_hint = "Like 30 min, 24 h, 2 days or PT1H30M; a time like 9:00 for the next working day.", "如 30 min、24 h、2 天或 PT1H30M；工作日则填时刻，如 9:00。";
        from_signal = "after the signal", "从信号起";
        before_field = "before a time in the data", "在数据中的时间之前";
        working_day = "until a time of the next working day", "到下一个工作日的某时刻";
        limits = "Quiet hours and cap", "免打扰时段与次数上限";
        quiet_from = "Quiet from", "免打扰开始";
        quiet_to = "to", "结束";
        quiet_hint = "Like 22:00 and 08:00. A wait that would end in these hours ends after them; one that counts back from a time ends before them.", "如 22:00 和 08:00。在此期间到期的等待会延后到结束时；在某时间之前的则提前。";
        zone = "Time zone", "时区";
        zone_hint = "Leave empty for yours.", "留空则使用你的时区。";
        zone_field = "Field with the zone of the subject", "主体时区字段";
        zone_field_hint = "A field such as zone with a value like Asia/Shanghai.", "如 zone，值如 Asia/Shanghai。";
        cap_times = "Maximum number of times", "最多次数";
        cap_days = "in this number of days", "天数";
        cap_hint = "For one subject. Leave empty for no limit.", "针对同一主体。留空表示不限。";
        counts_from = "Counted", "计时方式";
        field = "Field with the time", "时间字段";
        field_hint = "Only for “before”: a field such as expires_at with a value like 2027-06-09T09:00:00Z.", "仅用于“之前”：如 expires_at，值如 2027-06-09T09:00:00Z。";
        then = "then", "然后";
        action = "Action", "操作";
        send_message = "send a message", "发送消息";
        send_mail = "mail someone", "发送邮件";
        emit_signal = "emit a signal", "发出信号";
        channel = "Channel", "渠道";
        any_mail = "The first mail channel", "第一个邮件渠道";
        no_channels = "There is no channel yet, so the rule can send nothing.", "还没有渠道，规则无法发送任何内容。";
        no_mail_channel = "There is no mail channel yet, so no mail can be sent.", "还没有邮件渠道，邮件无法发送。";
        add_channel = "Add one", "添加渠道";
        text = "Text", "内容";
        text_hint = "Filled in: {{subject}}, {{key}}, {{at}}, {{rule}} and {{data.FIELD}}. The first line of a mail is its subject.", "会填入 {{subject}}、{{key}}、{{at}}、{{rule}} 和 {{data.字段}}。邮件首行为主题。";
        to = "Mail address", "邮箱地址";
        to_hint = "Only for a mail: an address, or a field like {{data.email}}.", "仅用于邮件：地址，或如 {{data.email}} 的字段。";
        signal = "Name of the signal", "信号名称";
        signal_hint = "Only for a signal.", "仅用于发出信号。";
        unless = "unless", "除非";
        unless_signals = "Unless one of these signals came first", "若先收到以下信号则不执行";
        unless_hint = "Names, one per line or separated by commas. Leave empty to act always.", "信号名称，每行一个或用逗号分隔。留空则总是执行。";
        more = "More settings", "更多设置";
        subject = "Only these subjects", "仅限这些主体";
        subject_hint = "One subject, or all that begin with the text before a *. Leave empty for all.", "一个主体，或以 * 前的文字开头的所有主体。留空表示全部。";
        repeat = "A repeated signal", "重复的信号";
        grace = "Skip if later than", "延迟超过则跳过";
        grace_hint = "How late it may still act after an outage.", "故障后仍允许执行的最长延迟。";
        exchange = "Exchange (AMQP)", "交换机（AMQP）";
        routing_key = "Routing key (AMQP)", "路由键（AMQP）";
        create = "Create rule", "创建规则";
        save = "Save rule", "保存规则";
    }
}

texts! {
    /// Templates of rules.
    RuleTemplateTexts {
        unpaid = "Unpaid order", "未付款订单";
        unpaid_hint = "24 hours after an order, unless it was paid: cancel it.", "下单 24 小时后仍未付款则取消。";
        unpaid_text = "Order {{key}} of customer {{subject}} was not paid within 24 hours. Cancel it.", "客户 {{subject}} 的订单 {{key}} 在 24 小时内未付款，请取消。";
        coupon = "Coupon expires", "优惠券到期";
        coupon_hint = "2 hours before a coupon expires, unless it was used.", "优惠券到期前 2 小时提醒，已使用则不提醒。";
        coupon_text = "Your coupon expires soon\n\nUse {{data.code}} before {{data.expires_at}}.", "优惠券即将到期\n\n请在 {{data.expires_at}} 前使用 {{data.code}}。";
        activity = "Activity ends", "活动结束";
        activity_hint = "2 hours before an activity ends, unless the person took part.", "活动结束前 2 小时提醒，已参加则不提醒。";
        activity_text = "{{data.title}} ends soon\n\nTake part before {{data.ends_at}}.", "{{data.title}}即将结束\n\n请在 {{data.ends_at}} 前参加。";
        top_up = "Top-up not finished", "充值未完成";
        top_up_hint = "30 minutes after the click, unless it was paid.", "点击 30 分钟后仍未付款则提醒。";
        top_up_text = "Your top-up is not finished\n\nContinue where you stopped.", "充值尚未完成\n\n可继续完成充值。";
        reading = "Continue reading", "继续阅读";
        reading_hint = "2 hours after the last reading.", "最后一次阅读 2 小时后提醒。";
        reading_text = "Continue reading\n\n{{data.title}} waits for you.", "继续阅读\n\n《{{data.title}}》等你继续。";
        welcome = "Recommendation", "推荐";
        welcome_hint = "30 minutes after sign-up, unless the person came back.", "注册 30 分钟后推荐，再次来访则不发送。";
        reviewed = "Review after a week", "一周后复查";
        reviewed_hint = "7 days after an article is published, unless it was unpublished: ask its author to look at it again.", "文章发布 7 天后提醒作者复查，已撤下则不提醒。";
        reviewed_text = "Is “{{data.title}}” still right?\n\nIt was published a week ago: {{data.path}}", "《{{data.title}}》是否仍然准确？\n\n该文章发布已满一周：{{data.path}}";
        welcome_text = "Welcome\n\nThis may interest you: {{data.offer}}", "欢迎\n\n你可能感兴趣：{{data.offer}}";
    }
}

texts! {
    /// Results of actions on rules.
    RuleResultTexts {
        created = "The rule is on. It acts on the next signal.", "规则已启用，从下一个信号起执行。";
        saved = "The rule is saved.", "规则已保存。";
        paused = "The rule is paused. It opens no waits and does not act.", "规则已暂停，不开启等待，也不执行。";
        resumed = "The rule is on again. What became due in the meantime is done now.", "规则已恢复，期间到点的会立即执行。";
        taken_over = "The rule is yours now and continues.", "规则已由你接管并继续执行。";
        deleted = "The rule is deleted.", "规则已删除。";
        undo_pause = "Undo pause", "撤销暂停";
    }
}
