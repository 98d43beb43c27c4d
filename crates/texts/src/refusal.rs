//! Refusals as sentences in the user's language.

use crate::{
    Language,
    mail::problem::mail_problem,
    problem::{
        address::address_problem,
        article,
        field::{field_name, noun},
        import::import_problem,
        media::media_problem,
        meeting::{meeting_problem, occurrences_taken, room_taken, whole_sentence},
        release::release_problem,
        review::review_problem,
        series::series_problem,
        table::table_problem,
        task::{shown, task_conflict},
        term::{line_problem, term_problem},
        when::when_problem,
    },
    punctuation, texts,
    time::local_text,
};
use domain::{
    ChannelId, DomainError,
    articles::bulk::NO_TASK,
    channel::ChannelState,
    error::{TextLimit, ValidationError},
};

texts! {
    /// Sentences for refusals and invalid fields.
    RefusalTexts {
        log_in = "You have been logged out. Log in again: nothing is lost.", "登录已过期。请重新登录，内容未丢失。";
        send_again = "You are logged in again. Your input is kept but not submitted yet: submit it now.", "你已重新登录。所填内容仍在，但尚未提交：请现在提交。";
        wrong_log_in = "E-mail or password is wrong.", "邮箱或密码不正确。";
        code_needed = "Your account has a second factor. Log in on the log-in page, which asks for its code.", "你的账号启用了双重验证，请在登录页面登录并输入验证码。";
        log_in_expired = "This log-in took too long, or too many codes were wrong. Log in again.", "登录已超时，或验证码错误次数过多，请重新登录。";
        too_many(seconds: u32) = "Too many attempts. Wait {seconds} seconds.", "尝试次数过多，请等待 {seconds} 秒。";
        not_allowed = "You do not have permission. Ask an admin.", "你没有权限，请联系管理员。";
        proof_needed = "This needs a log-in within the last 10 minutes. Log in again: your input is kept.", "此操作需要最近 10 分钟内登录过。请重新登录，所填内容会保留。";
        second_factor_required = "Your role needs a second factor. Set it up in your profile; until then, nothing else is possible.", "你的角色必须启用双重验证。请先在个人资料中设置，在此之前无法进行其他操作。";
        read_only = "This token is read-only.", "此令牌只能读取。";
        signals_only = "This token can only send signals.", "此令牌只能发送信号。";
        no_slot = "This time is no longer a posting slot of the desk. Choose another one.", "该时间已不是发布时段，请另选一个。";
        no_free_slot = "There is no free posting slot. Choose a time, or ask an admin for more slots.", "没有空闲的发布时段。请自选时间，或请管理员增加时段。";
        no_task = "This article has no scheduled task.", "该文章没有已安排的任务。";
        no_such(what: &str) = "This {what} does not exist.", "{what}不存在。";
        doubled(local: &str, zone: &str) =
            "{local} occurs twice in {zone}. Choose the earlier or the later one.",
            "{local} 在 {zone} 会出现两次，请选择较早的或较晚的。";
        skipped(local: &str, zone: &str, before: &str, after: &str) =
            "{local} does not exist in {zone}: the clocks are set forward. Choose {before} or {after}.",
            "{local} 在 {zone} 不存在：时钟会跳过该时间。请选择 {before} 或 {after}。";
        past = "This time has passed. Choose a later time.", "该时间已过，请选择更晚的时间。";
        past_or_publish = "This time has passed. Choose a later time, or publish now.", "该时间已过。请选择更晚的时间，或立即发布。";
        changed_meanwhile = "This was changed in the meantime. Check it and try again.", "期间已被更改，请查看后重试。";
        wrong_state(state: &str) = "This is {state}; the action is not possible.", "当前状态为“{state}”，无法执行此操作。";
        wrong_channel(state: &str) = "This channel is {state}. Resume it first.", "该渠道{state}，请先恢复。";
        channel_deleting = "This channel is being deleted.", "该渠道正在删除。";
        wrong_delivery(state: &str) = "This delivery is {state}; the action is not possible.", "该投递状态为“{state}”，无法执行此操作。";
        already_scheduled(at: String) = "This article is already scheduled for {at}. Reschedule that task.", "该文章已安排在 {at}。请改期该任务。";
        message_exists(key: &str) = "This channel has a message with the key {key}, whose content differs. Change that one, or use another key.", "该渠道已有键为 {key} 的消息，且内容不同。请更改该消息，或使用其他键。";
        ambiguous_key(key: &str, channels: &str) = "Several channels have a message with the key {key}: {channels}. Open it from the list of messages.", "多个渠道有键为 {key} 的消息：{channels}。请从消息列表中打开。";
        deleted_channel = "a deleted channel", "已删除的渠道";
        text_conflict(revision: i32) = "Revision {revision} was saved in the meantime. Your text is kept: compare and save again.", "期间保存了修订版 {revision}。你的文字没有丢失：请比较后再次保存。";
        newer_revision(revision: i32) = "Revision {revision} was saved in the meantime. Reload it and try again.", "期间保存了修订版 {revision}。请重新加载后再试。";
        check_in_too_early(minutes: i32) = "Check-in is possible from {minutes} minutes before the start.", "会议开始前 {minutes} 分钟起可以签到。";
        follows_meeting = "This follows from its meeting or reminder. Change that instead.", "此任务由会议或提醒决定，请在那里更改。";
        cannot_undo = "This can no longer be undone.", "已无法撤销。";
        not_published = "This article is not published.", "该文章尚未发布。";
        public_in_the_way = "This article is public. Unpublish it before you delete it.", "文章已公开，请先撤下再删除。";
        tasks_in_the_way(count: usize) = "This article is scheduled (tasks: {count}). Unschedule it before you delete it.", "文章有 {count} 项安排，请先取消安排再删除。";
        in_trash = "This article is in the trash. Restore it first.", "文章在回收站中，请先恢复。";
        taken(what: &str) = "This {what} is already in use.", "该{what}已被使用。";
        has_tasks(count: u64) = "This person has {count} scheduled tasks. Choose to keep or cancel them.", "此人有 {count} 个已安排的任务，请选择保留或取消。";
        signals_of_account(max: u32, seconds: u32) = "An account may send {max} signals a minute. Nothing was stored. Wait {seconds} s.", "一个账号每分钟最多发送 {max} 个信号。未保存任何内容，请等待 {seconds} 秒。";
        waits_of_rule(rule: &str, max: u32, seconds: u32) = "The rule “{rule}” may open {max} waits a minute by signals. Nothing was stored. Wait {seconds} s.", "规则“{rule}”每分钟最多由信号开启 {max} 个等待项。未保存任何内容，请等待 {seconds} 秒。";
        has_waits(count: u64) = "{count} wait for this rule. Choose to keep or cancel them.", "有 {count} 项正在等待此规则，请选择保留或取消。";
        last_admin = "This is the last admin. Make another person admin first.", "这是最后一位管理员，请先指定另一位。";
        no_backup_node = "This node writes no backups, and none that does has begun one. Start a node that runs the engine.", "本节点不写备份，也没有能写备份的节点开始备份。请启动运行引擎的节点。";
        link_spent = "This link was already used or has expired. Ask for a new one.", "链接已使用或已过期，请索取新链接。";
        bulk_one = "1 item is invalid. Nothing was saved.", "1 项无效，未保存任何内容。";
        bulk(count: usize) = "{count} items are invalid. Nothing was saved.", "{count} 项无效，未保存任何内容。";
        key_unfinished = "The first request with this idempotency key has not ended. Wait, or if it was interrupted, look at what it changed and use another key.", "使用该幂等键的首个请求尚未结束。请等待；若它已中断，请先查看已更改的内容，再使用其他键。";
        key_reused = "This idempotency key was used for another request.", "该幂等键已用于其他请求。";
        no_idempotency_key = "This operation takes no idempotency key.", "该操作不支持幂等键。";
        unavailable = "The desk cannot be reached. Nothing was changed; try again.", "暂时无法连接工作台。未作任何更改，请重试。";
        busy = "Too many texts are being rendered. Nothing was changed; try again in a few seconds.", "正在渲染的文章过多。未作任何更改，请几秒后重试。";
        internal(reference: &str) = "A server error occurred. Report this reference: {reference}.", "服务器出错，请报告此编号：{reference}。";
        empty = "must not be empty", "不能为空";
        too_short(min: u32) = "needs at least {min} characters", "至少需要 {min} 个字符";
        too_long(max: u32) = "is longer than {max} characters", "超过 {max} 个字符";
        too_large(max: u32) = "is larger than {max} bytes", "超过 {max} 字节";
        too_many_items(max: u32) = "has more than {max} items", "超过 {max} 项";
        desk_full(max: u32) = "cannot be added: the desk has {max} already; delete one first", "无法添加：已有 {max} 项，请先删除一项";
        rule_cycle(signals: &str, rules: &str) = "would start a loop: {signals} (rules: {rules}); change one of them", "会形成循环：{signals}（规则：{rules}），请更改其中之一";
        not_a_time(like: &str) = "is not valid; use a format like {like}", "无效，请写成 {like}";
        out_of_range = "must be between the years 2000 and 2199", "必须在 2000 年至 2199 年之间";
        not_a_zone(like: &str) = "is unknown; use a name like {like}", "无法识别，请使用如 {like} 的名称";
        not_an_email = "is not valid; use a format like name@example.org", "无效，请写成 name@example.org";
        common_password = "is too common; choose another", "过于常见，请换一个";
        guessable_password = "is easy to guess: only spaces, one repeated character, or your name or e-mail address; choose another", "容易被猜到：仅含空格、重复同一字符，或与你的姓名、邮箱相同，请换一个";
        password_again = "is required: this change stays in effect after you log out", "需要再次输入：此操作在退出登录后仍然有效";
        wrong_password = "is not your current password", "不是你当前的密码";
        wrong_code = "is wrong or was used already; enter the code that the app shows now, or an unused recovery code", "不正确或已使用过，请输入应用当前显示的验证码，或未使用的恢复码";
        wrong_passkey = "was not accepted: it is unknown here, or the request has expired; try again", "未被接受：此处没有该通行密钥，或请求已过期，请重试";
        no_passkey_site = "needs an address with a name and https, or localhost; an IP address cannot have passkeys", "只能用于使用域名和 https 的地址，或 localhost；IP 地址不支持";
        reserved = "is reserved for the engine; choose another", "已保留给引擎，请换一个";
        blocked_address = "gets no mail from this desk: its owner or an admin has blocked it", "不接收此工作台的邮件：已被其所有者或管理员屏蔽";
        only_dots = "is “.” or “..”, which an address cannot contain; choose another", "不能是“.”或“..”，地址中不能包含它，请换一个";
        bad_characters = "contains characters that are not allowed", "包含不允许的字符";
        not_an_admin_key = "is no Admin API key; copy all of it from the integration in Ghost: digits, a colon, digits", "不是 Admin API 密钥，请从 Ghost 的集成页面完整复制：数字串、冒号、数字串";
        not_a_number = "is not valid; use a format like +49301234567", "无效，请写成 +8613800000000";
        no_text = "must contain {text}", "必须包含 {text}";
        not_a_link = "must be an https or mailto address", "须为 https 或 mailto 地址";
        not_a_colour = "is not a colour like #0d567a", "不是颜色，例如 #0d567a";
        low_contrast = "has too little contrast on a light background; choose a darker colour", "在浅色背景上对比度不足，请选择更深的颜色";
        not_https = "must begin with https:// or /media/", "须以 https:// 或 /media/ 开头";
        not_a_language = "is not a language tag like en, zh or pt-BR", "不是语言代码，例如 en、zh、pt-BR";
        in_the_future = "must not be in the future; schedule the article instead", "不能是将来的日期；请改用定时发布";
        not_json = "does not produce valid JSON; put the placeholders in double quotes, except {numbers}", "填入后不是有效的 JSON；占位符应放在双引号内，{numbers} 除外";
        not_built = "is not in this build; use a binary built with AMQP", "此版本不支持，请使用带 AMQP 的版本";
        bad_key = "can contain {kind} and no other braces", "除 {kind} 外不能有花括号";
        secret_again = "must be entered again: it would be sent to a different receiver", "请重新输入：它将发送给另一接收方";
        older_text = "A newer revision of this article is public. To publish the older one, restore it and publish that revision.", "此文章已公开更新的修订版。如需发布旧版，请先恢复该修订版再发布。";
        no_signing_secret = "A channel of this kind has no generated secret to replace.", "此类渠道没有由本系统生成的密钥可更换。";
        not_a_retry_schedule = "must be at most 20 delays between 1s and 24h, like 5s, 5m, 30m, 2h", "最多 20 个间隔，每个在 1s 与 24h 之间，如 5s, 5m, 30m, 2h";
        not_a_duration = "is not a duration; use a format like PT30M or P1DT12H", "不是时长，请写成 PT30M 或 P1DT12H";
        negative = "must not be negative", "不能为负";
        too_deep(max: u32) = "has quotes or lists deeper than {max} levels; make them flatter", "的引用或列表超过 {max} 层，请减少层级";
        too_many_columns(max: u32) = "has a table with more than {max} columns; split it", "有超过 {max} 列的表格，请拆分";
        too_many_cells(max: u32) = "has tables with more than {max} cells; split the text", "的表格超过 {max} 格，请拆分文章";
        too_many_notes(max: u32) = "has more than {max} footnote references; split the text", "的脚注引用超过 {max} 个，请拆分文章";
        too_many_strikes(max: u32) = "has more than {max} tildes in one paragraph; split it", "有一段的波浪号超过 {max} 个，请拆分";
        too_many_marks(max: u32) = "has more than {max} Markdown markup characters; split the text", "的 Markdown 标记超过 {max} 个，请拆分文章";
        too_nested(max: u32) = "has HTML elements deeper than {max} levels; close them", "的 HTML 嵌套超过 {max} 层，请闭合元素";
        too_much_html(max: u32) = "renders to more than {max} bytes of HTML; split the text", "渲染后超过 {max} 字节，请拆分文章";
        too_slow(max: u32) = "takes longer than {max} seconds to render; split the text", "渲染超过 {max} 秒，请拆分文章";
        unknown_cursor = "This part of the list cannot be found: the address is incomplete, or of another list.", "找不到列表的这一部分：网址不完整，或属于另一个列表。";
        same_as_start = "must differ from the start", "不能与开始时间相同";
        not_one_of(words: &str) = "must be one of: {words}", "必须是其中之一：{words}";
    }
}

/// Error as a sentence in `language`.
#[must_use]
pub fn sentence(language: Language, refusal: &DomainError) -> String {
    let texts = RefusalTexts(language);
    match refusal {
        DomainError::LogIn | DomainError::NoToken | DomainError::WrongToken => texts.log_in().to_owned(),
        DomainError::SendAgain => texts.send_again().to_owned(),
        DomainError::WrongLogIn => texts.wrong_log_in().to_owned(),
        DomainError::CodeNeeded { .. } | DomainError::LogInExpired => second_step(texts, refusal).to_owned(),
        DomainError::SignIn { problem } => crate::accounts::sign_in::problem(language, *problem).to_owned(),
        DomainError::TooMany { seconds } => texts.too_many(*seconds),
        DomainError::SignalRate { max, rule, seconds } => signal_rate(texts, rule, (*max, *seconds)),
        DomainError::NotAllowed => texts.not_allowed().to_owned(),
        DomainError::SecondFactorRequired | DomainError::ProofNeeded => proof(texts, refusal).to_owned(),
        DomainError::ReadOnly => texts.read_only().to_owned(),
        DomainError::Mail { problem } => mail_problem(language, problem),
        DomainError::SignalsOnly => texts.signals_only().to_owned(),
        DomainError::NoSuch { what } => no_such(language, what),
        DomainError::Invalid { field, problem } => invalid(language, field, problem),
        DomainError::InvalidFields { problems } => invalid_fields(language, problems),
        DomainError::DoubledTime { local, zone, .. } => texts.doubled(&local_text(language, local), zone),
        DomainError::SkippedTime { local, zone, before, after, .. } => {
            skipped(language, [local, before, after], zone)
        }
        DomainError::Past { can_publish_now, .. } => past(texts, *can_publish_now),
        DomainError::TaskConflict { task, is_changed } => {
            task_conflict(language, task, *is_changed).unwrap_or_else(|word| texts.wrong_state(&word))
        }
        DomainError::AlreadyScheduled { task } => texts.already_scheduled(shown(language, task.due)),
        DomainError::MessageExists { key } => texts.message_exists(key),
        DomainError::AmbiguousKey { key, channels } => ambiguous_key(texts, key, channels),
        DomainError::TextConflict { revision, has_text: false, .. } => texts.newer_revision(*revision),
        DomainError::TextConflict { revision, .. } => texts.text_conflict(*revision),
        DomainError::OlderText => texts.older_text().to_owned(),
        DomainError::WrongState { what, state } => wrong_state(language, what, state),
        DomainError::CheckInTooEarly { minutes } => texts.check_in_too_early(*minutes),
        DomainError::FollowsMeeting => texts.follows_meeting().to_owned(),
        DomainError::RoomTaken { conflicts } => room_taken(language, conflicts),
        DomainError::OccurrencesTaken { conflicts, count } => occurrences_taken(language, conflicts, *count),
        DomainError::Changed => texts.changed_meanwhile().to_owned(),
        DomainError::Review { problem } => review_problem(language, problem),
        DomainError::Media { problem } => media_problem(language, problem),
        DomainError::Import { problem } => import_problem(language, problem),
        DomainError::Release { problem } => release_problem(language, problem),
        DomainError::NoSigningSecret { .. } => texts.no_signing_secret().to_owned(),
        DomainError::CannotUndo => texts.cannot_undo().to_owned(),
        DomainError::NotPublished => texts.not_published().to_owned(),
        DomainError::InTheWay { tasks, is_public } => in_the_way(texts, tasks.len(), *is_public),
        DomainError::InTrash => texts.in_trash().to_owned(),
        DomainError::Taken { what } => texts.taken(noun(language, what)),
        DomainError::HasTasks { count } => texts.has_tasks(*count),
        DomainError::HasWaits { count } => texts.has_waits(*count),
        DomainError::ZoneChoice { effect } => crate::problem::zone::zone_choice(language, effect),
        DomainError::LastAdmin => texts.last_admin().to_owned(),
        DomainError::LinkSpent => texts.link_spent().to_owned(),
        DomainError::NoBackupNode => texts.no_backup_node().to_owned(),
        DomainError::Bulk { count, .. } => bulk(texts, *count),
        DomainError::KeyReused => texts.key_reused().to_owned(),
        DomainError::KeyUnfinished => texts.key_unfinished().to_owned(),
        DomainError::NoIdempotencyKey => texts.no_idempotency_key().to_owned(),
        DomainError::Busy | DomainError::Unavailable => busy(texts, refusal).to_owned(),
        DomainError::Internal { reference } => texts.internal(reference),
    }
}

fn in_the_way(texts: RefusalTexts, tasks: usize, is_public: bool) -> String {
    if is_public { texts.public_in_the_way().to_owned() } else { texts.tasks_in_the_way(tasks) }
}

fn invalid_fields(language: Language, problems: &[(String, ValidationError)]) -> String {
    let sentences = problems.iter().map(|(field, problem)| invalid(language, field, problem));
    sentences.collect::<Vec<_>>().join(punctuation::gap(language))
}

fn bulk(texts: RefusalTexts, count: usize) -> String {
    if count == 1 { texts.bulk_one().to_owned() } else { texts.bulk(count) }
}

fn proof(texts: RefusalTexts, refusal: &DomainError) -> &'static str {
    if *refusal == DomainError::ProofNeeded { texts.proof_needed() } else { texts.second_factor_required() }
}

fn second_step(texts: RefusalTexts, refusal: &DomainError) -> &'static str {
    if *refusal == DomainError::LogInExpired { texts.log_in_expired() } else { texts.code_needed() }
}

fn busy(texts: RefusalTexts, refusal: &DomainError) -> &'static str {
    if *refusal == DomainError::Busy { texts.busy() } else { texts.unavailable() }
}

/// `times`: the local time that does not exist, and those before and after it.
fn skipped(language: Language, times: [&String; 3], zone: &str) -> String {
    let [local, before, after] = times.map(|time| local_text(language, time));
    RefusalTexts(language).skipped(&local, zone, &before, &after)
}

fn past(texts: RefusalTexts, can_publish_now: bool) -> String {
    if can_publish_now { texts.past_or_publish().to_owned() } else { texts.past().to_owned() }
}

/// `channels`: those that have a message with the key; an empty name: it was deleted.
fn ambiguous_key(texts: RefusalTexts, key: &str, channels: &[(ChannelId, String)]) -> String {
    let name = |(_, name): &(ChannelId, String)| match name.as_str() {
        "" => texts.deleted_channel().to_owned(),
        name => name.to_owned(),
    };
    let names: Vec<String> = channels.iter().map(name).collect();
    texts.ambiguous_key(key, &names.join(", "))
}

/// `rule`: the name of the rule that opened too many waits; empty: an account sent too many signals.
fn signal_rate(texts: RefusalTexts, rule: &str, (max, seconds): (u32, u32)) -> String {
    if rule.is_empty() {
        texts.signals_of_account(max, seconds)
    } else {
        texts.waits_of_rule(rule, max, seconds)
    }
}

/// Describes an invalid field without its name, for the line below the field.
#[must_use]
pub fn problem(language: Language, invalid: &ValidationError) -> String {
    let texts = RefusalTexts(language);
    match invalid {
        ValidationError::Empty => texts.empty().to_owned(),
        ValidationError::TooShort { min } => texts.too_short(*min),
        ValidationError::TooLong { max } => texts.too_long(*max),
        ValidationError::TooLarge { max } => texts.too_large(*max),
        ValidationError::DeskFull { max } => texts.desk_full(*max),
        ValidationError::TooMany { max } => texts.too_many_items(*max),
        ValidationError::RuleCycle { signals, rules } => texts.rule_cycle(signals, rules),
        ValidationError::NotATime { like } => texts.not_a_time(like),
        ValidationError::OutOfRange => texts.out_of_range().to_owned(),
        ValidationError::NotAZone { like } => texts.not_a_zone(like),
        ValidationError::NotAnEmail => texts.not_an_email().to_owned(),
        ValidationError::Reserved => texts.reserved().to_owned(),
        ValidationError::BlockedAddress => texts.blocked_address().to_owned(),
        ValidationError::OnlyDots => texts.only_dots().to_owned(),
        ValidationError::BadCharacters => texts.bad_characters().to_owned(),
        ValidationError::NotOneOf { words: list } => texts.not_one_of(list),
        ValidationError::Address { why } => address_problem(language, *why).to_owned(),
        ValidationError::NotAnAdminKey => texts.not_an_admin_key().to_owned(),
        ValidationError::NotANumber => texts.not_a_number().to_owned(),
        ValidationError::NoText => texts.no_text().to_owned(),
        ValidationError::NotJson => texts.not_json().to_owned(),
        ValidationError::NotBuilt => texts.not_built().to_owned(),
        ValidationError::BadKey => texts.bad_key().to_owned(),
        ValidationError::SecretAgain => texts.secret_again().to_owned(),
        ValidationError::InvalidRetrySchedule => texts.not_a_retry_schedule().to_owned(),
        ValidationError::NotADuration => texts.not_a_duration().to_owned(),
        ValidationError::Negative => texts.negative().to_owned(),
        ValidationError::TooComplex { limit, max } => too_complex(texts, *limit, *max),
        ValidationError::Series { why } => series_problem(language, why),
        ValidationError::Table { why } => table_problem(language, why),
        ValidationError::Term { why } => term_problem(language, why),
        ValidationError::Line { number, why } => line_problem(language, *number, problem(language, why)),
        ValidationError::When { why } => when_problem(language, why),
        ValidationError::NotALink => texts.not_a_link().to_owned(),
        ValidationError::NotAColour => texts.not_a_colour().to_owned(),
        ValidationError::LowContrast => texts.low_contrast().to_owned(),
        ValidationError::NotHttps => texts.not_https().to_owned(),
        ValidationError::NoArticle => article::no_article(language).to_owned(),
        ValidationError::NoPage { slug } => article::no_page(language, slug),
        ValidationError::BadStyle { line, found } => article::bad_style(language, *line, found),
        ValidationError::UnclosedStyle => article::unclosed_style(language).to_owned(),
        ValidationError::NoPerson { name } => article::no_person(language, name),
        ValidationError::UnknownCursor => texts.unknown_cursor().to_owned(),
        ValidationError::SameAsStart => texts.same_as_start().to_owned(),
        ValidationError::NotALanguage => texts.not_a_language().to_owned(),
        ValidationError::InTheFuture => texts.in_the_future().to_owned(),
        ValidationError::Unreadable { why } | ValidationError::Sentence { why } => match language {
            Language::En => why.clone(),
            Language::Zh => "无法读取".to_owned(),
        },
        other => proof_problem(texts, other)
            .map(str::to_owned)
            .or_else(|| meeting_problem(language, other))
            .unwrap_or_else(|| other.to_string()),
    }
}

/// What is wrong with the proof of who someone is.
fn proof_problem(texts: RefusalTexts, invalid: &ValidationError) -> Option<&'static str> {
    Some(match invalid {
        ValidationError::CommonPassword => texts.common_password(),
        ValidationError::GuessablePassword => texts.guessable_password(),
        ValidationError::PasswordAgain => texts.password_again(),
        ValidationError::WrongPassword => texts.wrong_password(),
        ValidationError::WrongCode => texts.wrong_code(),
        ValidationError::WrongPasskey => texts.wrong_passkey(),
        ValidationError::NoPasskeySite => texts.no_passkey_site(),
        _ => return None,
    })
}

fn too_complex(texts: RefusalTexts, limit: TextLimit, max: u32) -> String {
    match limit {
        TextLimit::Depth => texts.too_deep(max),
        TextLimit::Columns => texts.too_many_columns(max),
        TextLimit::Cells => texts.too_many_cells(max),
        TextLimit::Notes => texts.too_many_notes(max),
        TextLimit::Strikes => texts.too_many_strikes(max),
        TextLimit::Marks => texts.too_many_marks(max),
        TextLimit::Nested => texts.too_nested(max),
        TextLimit::Bytes => texts.too_much_html(max),
        TextLimit::Time => texts.too_slow(max),
    }
}

fn invalid(language: Language, field: &str, what: &ValidationError) -> String {
    if let Some(whole) = whole_sentence(language, field, what) {
        return whole.to_owned();
    }
    let what = problem(language, what);
    match (field_name(language, field), language) {
        (None, _) => what,
        (Some(name), Language::En) => format!("{name} {what}."),
        (Some(name), Language::Zh) => format!("{name}{what}。"),
    }
}

fn no_such(language: Language, what: &str) -> String {
    let texts = RefusalTexts(language);
    match what {
        "posting slot" => texts.no_slot().to_owned(),
        "free slot" => texts.no_free_slot().to_owned(),
        NO_TASK => texts.no_task().to_owned(),
        what => texts.no_such(noun(language, what)),
    }
}

fn wrong_state(language: Language, what: &str, state: &str) -> String {
    let (texts, names) = (RefusalTexts(language), crate::deliveries::ChannelTexts(language));
    if let ("meeting", Ok(state)) = (what, state.parse()) {
        let word = crate::meetings::MeetingTexts(language).state_of(state);
        return texts.wrong_state(&word.to_lowercase());
    }
    match (what, state.parse(), state.parse()) {
        ("channel", Ok(ChannelState::Deleting), _) => texts.channel_deleting().to_owned(),
        ("channel", Ok(state), _) => texts.wrong_channel(&names.channel_state(state).to_lowercase()),
        (_, _, Ok(state)) => texts.wrong_delivery(&names.state(state).to_lowercase()),
        _ => texts.wrong_delivery(state),
    }
}
