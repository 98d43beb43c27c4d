//! Refusals as sentences in the reader's language.

use super::{Language, texts, time};
use crate::{live::live, visitor::visitor};
use domain::{
    Moment, Refusal, State,
    channel::AddressProblem,
    refusal::{Problem, TextLimit},
    task::TaskRow,
};
use leptos::prelude::GetUntracked;

texts! {
    /// Every way the desk says no.
    RefusalWords {
        log_in = "Log in first.", "请先登录。";
        send_again = "You are logged in again. What you typed is here and was not sent: send it now.", "你已重新登录。所填内容仍在，但尚未提交：请现在提交。";
        wrong_log_in = "E-mail or password is wrong.", "邮箱或密码不正确。";
        too_many(seconds: u32) = "Too many tries. Wait {seconds} seconds.", "尝试次数过多，请等待 {seconds} 秒。";
        not_allowed = "You may not do this. Ask an admin.", "您无权执行此操作，请联系管理员。";
        read_only = "This token may only read.", "此令牌只能读取。";
        no_such(what: &str) = "There is no such {what}.", "{what}不存在。";
        doubled(local: &str, zone: &str) =
            "{local} happens twice in {zone}. Say which one: the earlier or the later.",
            "{local} 在 {zone} 会出现两次，请选择较早的或较晚的。";
        skipped(local: &str, zone: &str, before: &str, after: &str) =
            "{local} does not exist in {zone}: the clocks jump. Choose {before} or {after}.",
            "{local} 在 {zone} 不存在：时钟会跳过该时间。请选择 {before} 或 {after}。";
        past = "This moment has passed. Choose a later time, or do it now.", "该时间已过。请选择更晚的时间，或立即执行。";
        changed_meanwhile = "Somebody changed this meanwhile. Look at it again.", "期间已有人更改，请重新查看。";
        executed_at(at: String) = "This was executed on {at}. It can no longer be changed.", "已于 {at} 执行，无法再更改。";
        wrong_state(state: &str) = "This is {state}. That can't be done to it.", "当前状态为“{state}”，无法执行此操作。";
        wrong_channel(state: &str) = "This channel is {state}. Resume it first.", "该渠道{state}，请先恢复。";
        wrong_delivery(state: &str) = "This delivery is {state}. That can't be done to it.", "该投递状态为“{state}”，无法执行此操作。";
        already(at: String) = "This article already has a moment: {at}. Move that one.", "该文章已有安排：{at}。请改期那一项。";
        text_conflict(revision: i32) =
            "Somebody saved revision {revision} meanwhile. Your text is not lost: compare and save again.",
            "期间有人保存了修订版 {revision}。您的文字没有丢失：请比较后再次保存。";
        cannot_undo = "This can no longer be undone.", "已无法撤销。";
        not_published = "This article is not published.", "该文章尚未发布。";
        public_in_the_way = "This article is public. Unpublish it, then delete it.", "文章已公开，请先撤下再删除。";
        tasks_in_the_way(count: usize) = "This article is scheduled ({count}). Cancel that, then delete it.", "文章有 {count} 项安排，请先取消再删除。";
        in_trash = "This article is in the trash. Restore it first.", "文章在回收站中，请先恢复。";
        taken(what: &str) = "This {what} is taken.", "该{what}已被使用。";
        has_tasks(count: u64) = "{count} scheduled items are theirs. Say whether to keep or cancel them.", "此人有 {count} 个已安排的任务，请选择保留或取消。";
        last_admin = "This is the last admin.", "这是最后一位管理员。";
        link_spent = "This link has been used or is too old. Ask for a new one.", "链接已使用或已过期，请索取新链接。";
        bulk(count: usize) = "{count} of the items cannot be stored. Nothing was.", "{count} 项无法保存，未保存任何内容。";
        key_reused = "This key was used for another request.", "该键已用于其他请求。";
        unavailable = "The desk cannot be reached right now. Nothing was changed; try again.", "暂时无法连接，未作任何更改，请重试。";
        busy = "Too many texts are being rendered. Nothing was changed; try again in a few seconds.", "正在渲染的文章过多，未作任何更改，请稍后重试。";
        internal(reference: &str) = "Something broke on our side. Reference: {reference}.", "服务器出错，编号：{reference}。";
        empty = "must not be empty", "不能为空";
        too_short(min: u32) = "needs at least {min} characters", "至少需要 {min} 个字符";
        too_long(max: u32) = "is longer than {max} characters", "超过 {max} 个字符";
        too_large(max: u32) = "is larger than {max} bytes", "超过 {max} 字节";
        too_many_items(max: u32) = "has more than {max} items", "超过 {max} 项";
        not_a_time(like: &str) = "is not a time; write it like {like}", "不是有效时间，请写成 {like}";
        out_of_range = "must be between the years 2000 and 2199", "必须在 2000 年至 2199 年之间";
        not_a_zone(like: &str) = "is not a time zone; use a name like {like}", "不是有效时区，请使用如 {like} 的名称";
        not_an_email = "is not an e-mail address", "不是有效的邮箱地址";
        common_password = "is among the most common passwords; choose another", "过于常见，请换一个";
        guessable_password = "is easy to guess: only blanks, one repeated character, or your name or e-mail address; choose another", "容易被猜到：仅含空白、重复同一字符，或与您的姓名、邮箱相同，请换一个";
        password_again = "is asked for again: what you do here outlives your session", "需要再次输入：此操作在会话结束后仍然有效";
        wrong_password = "is not your current password", "不是您当前的密码";
        reserved = "is reserved: it names the engine in the log; choose another", "已保留，用于在日志中表示引擎，请换一个";
        bad_characters = "holds characters that are not allowed", "包含不允许的字符";
        address_unreadable = "is not a web address; it begins with https:// and a name", "不是有效网址，应以 https:// 加域名开头";
        address_not_encrypted = "must begin with https://", "必须以 https:// 开头";
        address_holds_password = "must not hold a name or a password", "不能包含用户名或密码";
        address_port = "must use port 443, 8443, or one from 1024 on", "端口必须是 443、8443 或 1024 以上";
        address_private = "leads into a private network; the operator can allow that", "指向私有网络；可由运维人员放行";
        address_own = "leads to this desk itself", "指向本系统";
        address_not_listed = "is not on the operator's list of hosts", "不在运维人员的主机名单上";
        address_not_a_server = "is not the name of a server; write it like mail.example.org", "不是有效的服务器名称，请写成 mail.example.org";
        address_not_a_broker = "is not the address of a broker; write it like amqps://mq.example.org", "不是有效的消息服务器地址，请写成 amqps://mq.example.org";
        address_open = "may be none only inside a private network, and only if the operator allows that", "仅在私有网络内、并经运维人员放行时才可不加密";
        not_a_number = "is not a telephone number; write it like +49301234567", "不是有效号码，请写成 +8613800000000";
        no_text = "must hold {text}", "必须包含 {text}";
        not_json = "does not become JSON; put the placeholders in double quotes, {numbers} without", "填入后不是有效的 JSON；占位符应放在双引号内，{numbers} 不加引号";
        not_built = "is not in this build; it needs a program built with AMQP", "不在此版本中，需使用带 AMQP 的版本";
        bad_key = "may hold {kind} and no other braces", "除 {kind} 外不能有花括号";
        secret_again = "must be given again: it would be told to somebody else", "请重新输入：它将发送给另一方";
        older_text = "A newer text of this article is public. To bring the older one back, restore its revision and publish that.", "此文章已公开更新的文本。如需恢复旧文本，请先恢复该版本再发布。";
        wrong_way = "A channel of this kind has no secret of ours to replace.", "此类渠道没有由本系统生成的密钥可更换。";
        not_a_ladder = "must be at most 20 waits between 1s and 24h, like 5s, 5m, 30m, 2h", "最多 20 个间隔，每个在 1s 与 24h 之间，如 5s, 5m, 30m, 2h";
        too_deep(max: u32) = "has quotes or lists deeper than {max} levels; make them flatter", "的引用或列表超过 {max} 层，请减少层级";
        too_wide(max: u32) = "has a table with more than {max} columns; split it", "有超过 {max} 列的表格，请拆分";
        too_many_cells(max: u32) = "has tables with more than {max} cells; split the text", "的表格超过 {max} 格，请拆分文章";
        too_many_notes(max: u32) = "has more than {max} marks of footnotes; split the text", "的脚注标记超过 {max} 个，请拆分文章";
        too_many_strikes(max: u32) = "has more than {max} tildes in one paragraph; split it", "有一段的波浪号超过 {max} 个，请拆分";
        too_many_marks(max: u32) = "has more than {max} marks of Markdown; split the text", "的 Markdown 标记超过 {max} 个，请拆分文章";
        too_nested(max: u32) = "has HTML elements deeper than {max} levels; close them", "的 HTML 嵌套超过 {max} 层，请闭合元素";
        too_much_html(max: u32) = "becomes more than {max} bytes of HTML; split the text", "渲染后超过 {max} 字节，请拆分文章";
        too_slow(max: u32) = "takes longer than {max} seconds to render; split the text", "渲染超过 {max} 秒，请拆分文章";
        not_one_of(words: &str) = "must be one of: {words}", "必须是其中之一：{words}";
    }
}

/// The refusal as a sentence.
#[must_use]
pub fn sentence(language: Language, refusal: &Refusal) -> String {
    let words = RefusalWords(language);
    match refusal {
        Refusal::LogIn => words.log_in().to_owned(),
        Refusal::SendAgain => words.send_again().to_owned(),
        Refusal::WrongLogIn => words.wrong_log_in().to_owned(),
        Refusal::TooMany { seconds } => words.too_many(*seconds),
        Refusal::NotAllowed => words.not_allowed().to_owned(),
        Refusal::ReadOnly => words.read_only().to_owned(),
        Refusal::NoSuch { what } => words.no_such(noun(language, what)),
        Refusal::Invalid { field, problem } => invalid(language, field, problem),
        Refusal::DoubledTime { local, zone, .. } => words.doubled(&spaced(local), zone),
        Refusal::SkippedTime { local, zone, before, after } => {
            words.skipped(&spaced(local), zone, &spaced(before), &spaced(after))
        }
        Refusal::Past { .. } => words.past().to_owned(),
        Refusal::TaskConflict { task } => conflict(language, task),
        Refusal::AlreadyScheduled { task } => words.already(shown(language, task.due)),
        Refusal::TextConflict { revision, .. } => words.text_conflict(*revision),
        Refusal::OlderText => words.older_text().to_owned(),
        Refusal::WrongState { what, state } => wrong_state(language, what, state),
        Refusal::Changed => words.changed_meanwhile().to_owned(),
        Refusal::WrongWay { .. } => words.wrong_way().to_owned(),
        Refusal::CannotUndo => words.cannot_undo().to_owned(),
        Refusal::NotPublished => words.not_published().to_owned(),
        Refusal::InTheWay { is_public: true, .. } => words.public_in_the_way().to_owned(),
        Refusal::InTheWay { tasks, .. } => words.tasks_in_the_way(tasks.len()),
        Refusal::InTrash => words.in_trash().to_owned(),
        Refusal::Taken { what } => words.taken(noun(language, what)),
        Refusal::HasTasks { count } => words.has_tasks(*count),
        Refusal::LastAdmin => words.last_admin().to_owned(),
        Refusal::LinkSpent => words.link_spent().to_owned(),
        Refusal::Bulk { items } => words.bulk(items.len()),
        Refusal::KeyReused => words.key_reused().to_owned(),
        Refusal::Busy => words.busy().to_owned(),
        Refusal::Unavailable => words.unavailable().to_owned(),
        Refusal::Internal { reference } => words.internal(reference),
    }
}

/// What is wrong with a field, without its name: for the line below it.
#[must_use]
pub fn problem(language: Language, problem: &Problem) -> String {
    let words = RefusalWords(language);
    match problem {
        Problem::Empty => words.empty().to_owned(),
        Problem::TooShort { min } => words.too_short(*min),
        Problem::TooLong { max } => words.too_long(*max),
        Problem::TooLarge { max } => words.too_large(*max),
        Problem::TooMany { max } => words.too_many_items(*max),
        Problem::NotATime { like } => words.not_a_time(like),
        Problem::OutOfRange => words.out_of_range().to_owned(),
        Problem::NotAZone { like } => words.not_a_zone(like),
        Problem::NotAnEmail => words.not_an_email().to_owned(),
        Problem::CommonPassword => words.common_password().to_owned(),
        Problem::GuessablePassword => words.guessable_password().to_owned(),
        Problem::PasswordAgain => words.password_again().to_owned(),
        Problem::WrongPassword => words.wrong_password().to_owned(),
        Problem::Reserved => words.reserved().to_owned(),
        Problem::BadCharacters => words.bad_characters().to_owned(),
        Problem::NotOneOf { words: list } => words.not_one_of(list),
        Problem::Address { why } => address(words, *why).to_owned(),
        Problem::NotANumber => words.not_a_number().to_owned(),
        Problem::NoText => words.no_text().to_owned(),
        Problem::NotJson => words.not_json().to_owned(),
        Problem::NotBuilt => words.not_built().to_owned(),
        Problem::BadKey => words.bad_key().to_owned(),
        Problem::SecretAgain => words.secret_again().to_owned(),
        Problem::NotALadder => words.not_a_ladder().to_owned(),
        Problem::TooComplex { limit, max } => too_complex(words, *limit, *max),
        Problem::Unreadable { why } if language == Language::En => why.clone(),
        Problem::Unreadable { .. } => "无法读取".to_owned(),
    }
}

fn too_complex(words: RefusalWords, limit: TextLimit, max: u32) -> String {
    match limit {
        TextLimit::Depth => words.too_deep(max),
        TextLimit::Columns => words.too_wide(max),
        TextLimit::Cells => words.too_many_cells(max),
        TextLimit::Notes => words.too_many_notes(max),
        TextLimit::Strikes => words.too_many_strikes(max),
        TextLimit::Marks => words.too_many_marks(max),
        TextLimit::Nested => words.too_nested(max),
        TextLimit::Bytes => words.too_much_html(max),
        TextLimit::Time => words.too_slow(max),
    }
}

fn address(words: RefusalWords, why: AddressProblem) -> &'static str {
    match why {
        AddressProblem::Unreadable => words.address_unreadable(),
        AddressProblem::NotEncrypted => words.address_not_encrypted(),
        AddressProblem::HoldsPassword => words.address_holds_password(),
        AddressProblem::Port => words.address_port(),
        AddressProblem::Private => words.address_private(),
        AddressProblem::Own => words.address_own(),
        AddressProblem::NotListed => words.address_not_listed(),
        AddressProblem::NotAServer => words.address_not_a_server(),
        AddressProblem::NotABroker => words.address_not_a_broker(),
        AddressProblem::Open => words.address_open(),
    }
}

fn invalid(language: Language, field: &str, what: &Problem) -> String {
    let what = problem(language, what);
    match (field_name(language, field), language) {
        (None, _) => what,
        (Some(name), Language::En) => format!("{name} {what}."),
        (Some(name), Language::Zh) => format!("{name}{what}。"),
    }
}

fn conflict(language: Language, task: &TaskRow) -> String {
    let words = RefusalWords(language);
    match (task.state, task.executed) {
        (State::Executed, Some(at)) => words.executed_at(shown(language, at)),
        (State::Scheduled, _) => words.changed_meanwhile().to_owned(),
        (state, _) => words.wrong_state(&super::task::TaskWords(language).state_of(state).to_lowercase()),
    }
}

fn wrong_state(language: Language, what: &str, state: &str) -> String {
    let (words, names) = (RefusalWords(language), super::channel::ChannelWords(language));
    match (what, state.parse(), state.parse()) {
        ("channel", Ok(state), _) => words.wrong_channel(&names.channel_state(state).to_lowercase()),
        (_, _, Ok(state)) => words.wrong_delivery(&names.state(state).to_lowercase()),
        _ => words.wrong_delivery(state),
    }
}

/// A moment on the reader's clock.
fn shown(language: Language, at: Moment) -> String {
    time::moment(language, at, visitor().zone(), live().now().get_untracked())
}

fn spaced(local: &str) -> String {
    local.replacen('T', " ", 1)
}

/// What a field is called on the screen; `None`: the problem stands for itself.
fn field_name(language: Language, field: &str) -> Option<&str> {
    let (en, zh) = match field {
        "form" | "" => return None,
        "title" => ("The title", "标题"),
        "body" => ("The text", "正文"),
        "slug" => ("The slug", "网址名"),
        "email" => ("The e-mail address", "邮箱"),
        "password" => ("The password", "密码"),
        "old" => ("The old password", "旧密码"),
        "name" => ("The name", "名称"),
        "zone" => ("The time zone", "时区"),
        "local" | "due_at" | "time" => ("The time", "时间"),
        "date" => ("The date", "日期"),
        "address" => ("The address", "地址"),
        "server" => ("The mail server", "邮件服务器"),
        "port" => ("The port", "端口"),
        "security" => ("The encryption", "加密方式"),
        "user" => ("The user", "用户名"),
        "from" => ("The sender", "发件人"),
        "to" => ("The list of recipients", "收件人"),
        "template" => ("The text of the request", "请求内容"),
        "header" => ("The header", "请求头"),
        "secret" => ("The secret", "密钥"),
        "way" => ("This way", "此方式"),
        "exchange" => ("The exchange", "交换机"),
        "key" => ("The routing key", "路由键"),
        "ladder" => ("The waits", "重试间隔"),
        "events" => ("What it is told", "通知内容"),
        "q" => ("The search", "搜索内容"),
        other => return Some(other),
    };
    Some(if language == Language::Zh { zh } else { en })
}

/// What a thing is called in a sentence.
fn noun(language: Language, what: &str) -> &str {
    let zh = match what {
        "task" => "任务",
        "article" => "文章",
        "revision" => "修订版",
        "person" => "成员",
        "page" => "页面",
        "channel" => "渠道",
        "delivery" => "投递",
        "kind" => "类型",
        "link" => "链接",
        "e-mail" => "邮箱",
        "slug" => "网址名",
        "session" => "会话",
        "token" => "令牌",
        other => other,
    };
    if language == Language::Zh { zh } else { what }
}
