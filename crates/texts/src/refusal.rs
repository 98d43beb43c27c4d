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
    punctuation,
    time::local_text,
};
use domain::{
    ChannelId, DomainError,
    articles::bulk::NO_TASK,
    channel::ChannelState,
    error::{TextLimit, ValidationError},
};

sets!(refusal: RefusalTexts);

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
            Language::De => "ist nicht lesbar".to_owned(),
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
    match field_name(language, field) {
        None => what,
        Some(name) => RefusalTexts(language).of_field(name, &what),
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
