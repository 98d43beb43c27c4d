//! Texts of the import of calendar files.

use crate::texts::{Language, refusal::sentence, texts};
use domain::meetings::ImportProblem;

texts! {
    /// Texts of the page.
    ImportTexts {
        title = "Import a calendar file", "导入日历文件";
        lead = "Events of an .ics file become your meetings. Nothing is written before you have seen what would happen.", ".ics 文件中的日程将成为你的会议。先查看结果，再写入。";
        open = "Import", "导入";
        file = "Calendar file (.ics)", "日历文件（.ics）";
        file_hint = "At most 10 MB and 5,000 events. An event whose location is the name of a room is booked there. Another organizer is named in the description.", "最多 10 MB、5,000 个日程。地点与会议室同名的日程将预订该会议室。其他组织者写入说明。";
        attendees = "Attendees of the events", "日程的参加者";
        do_not_invite = "do not invite them", "不邀请";
        invite = "invite them by mail", "发邮件邀请";
        invited(count: usize) = "Invited: {count}.", "邀请 {count} 人。";
        organizer(name: &str) = "Organizer: {name}", "组织者：{name}";
        attendee(address: &str) = "An attendee has no valid e-mail address: {address}", "参加者的邮箱地址无效：{address}";
        check = "Show what would happen", "查看结果";
        import = "Import", "导入";
        import_new(count: usize) = "Import what is new: {count}", "导入 {count} 个日程";
        import_others(count: usize) = "Import the others: {count}", "导入其余 {count} 个日程";
        written(count: usize) = "Imported: {count}.", "已导入 {count} 个日程。";
        refused_all = "Nothing was imported, because events cannot become meetings.", "因有日程无法成为会议，未导入任何内容。";
        would(new: usize, known: usize, refused: usize) = "New: {new}. Already here: {known}. Not possible: {refused}.", "新建 {new} 个，已存在 {known} 个，无法导入 {refused} 个。";
        line = "Line", "行";
        event = "Event", "日程";
        when = "When", "时间";
        result = "Result", "结果";
        is_new = "new", "新建";
        repeats(count: usize) = "new, repeats: {count} meetings now", "新建并重复：现预订 {count} 次";
        known = "already here", "已存在";
        more(count: usize) = "and {count} more", "另有 {count} 个";
        in_room(room: &str) = "in {room}", "{room}";
        untitled = "(no title)", "（无标题）";
        all_day = "It takes whole days; a meeting has a start and an end.", "全天日程；会议须有开始和结束时间。";
        no_start = "Its start is missing or cannot be read.", "缺少开始时间或无法读取。";
        no_end = "It has no end.", "没有结束时间。";
        no_uid = "It has no UID.", "没有 UID。";
        duplicate = "Another event of the file has the same UID.", "文件中另一日程的 UID 相同。";
        cancelled = "It is cancelled.", "已取消。";
        past = "It has begun already.", "已经开始。";
        zone(name: &str) = "Its time zone is unknown: {name}", "未知时区：{name}";
        taken(title: &str) = "The room is taken by “{title}”.", "会议室被“{title}”占用。";
    }
}

/// Why an event does not become a meeting, as a sentence.
#[must_use]
pub fn problem_sentence(language: Language, problem: &ImportProblem) -> String {
    let texts = ImportTexts(language);
    match problem {
        ImportProblem::AllDay => texts.all_day().to_owned(),
        ImportProblem::NoStart => texts.no_start().to_owned(),
        ImportProblem::NoEnd => texts.no_end().to_owned(),
        ImportProblem::NoUid => texts.no_uid().to_owned(),
        ImportProblem::Duplicate => texts.duplicate().to_owned(),
        ImportProblem::Cancelled => texts.cancelled().to_owned(),
        ImportProblem::Past => texts.past().to_owned(),
        ImportProblem::Zone { name } => texts.zone(name),
        ImportProblem::Attendee { address } => texts.attendee(address),
        ImportProblem::Taken { title } => texts.taken(title),
        ImportProblem::Invalid { refusal } => sentence(language, refusal),
    }
}
