//! Texts of the import of calendar files.

use crate::{Language, refusal::sentence, texts};
use domain::{DomainError, error::ValidationError, meetings::ImportProblem};

texts! {
    /// Texts of the page.
    ImportTexts {
        title = "Import a calendar file", "导入日历文件";
        lead = "Events of an .ics file become your meetings. Nothing is saved before you have seen the result.", ".ics 文件中的日程将成为你的会议。先查看结果，再写入。";
        open = "Import", "导入";
        file = "Calendar file (.ics)", "日历文件（.ics）";
        file_hint = "At most 10 MB and 5,000 events. An event whose location is the name of a room is booked there. Another organizer is named in the description.", "最多 10 MB、5,000 个日程。地点与会议室同名的日程将预订该会议室。其他组织者写入说明。";
        attendees = "Attendees of the events", "日程的参会者";
        do_not_invite = "do not invite them", "不邀请";
        invite = "invite them by mail", "发邮件邀请";
        invited(count: usize) = "Invited: {count}.", "邀请 {count} 人。";
        organizer(name: &str) = "Organizer: {name}", "组织者：{name}";
        attendee(address: &str) = "An attendee has no valid e-mail address: {address}", "参会者的邮箱地址无效：{address}";
        check = "Show the result", "查看结果";
        import = "Import", "导入";
        import_new(count: usize) = "Import what is new or changed: {count}", "导入新增和更改的 {count} 个日程";
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
        known_events = "Events that are here already", "已存在的日程";
        update_known = "update or cancel them as the file says", "按文件更新或取消";
        keep_known = "leave them as they are", "保持不变";
        update = "update", "更新";
        updates(count: usize) = "update: {count} meetings", "更新 {count} 次会议";
        cancel = "will be cancelled", "将取消";
        cancels(count: usize) = "cancels {count} meetings", "取消 {count} 次会议";
        older = "older than what is here; nothing changes", "比已有的旧，不作更改";
        merged = "changes a series of this file", "更改本文件中的重复日程";
        was(when: &str) = "Until now: {when}.", "原时间：{when}。";
        running = "Times that have passed are left out.", "已过去的各次不导入。";
        shortened(date: &str) = "Booked until {date}, because a series goes at most 18 months ahead. Extend it before then.", "重复会议最多提前 18 个月，因此预订至 {date}。请在此之前延长。";
        changed(update: usize, cancel: usize) = "Updated: {update}. Cancelled: {cancel}.", "已更新 {update} 个，已取消 {cancel} 个。";
        would_change(update: usize, cancel: usize) = "Update: {update}. Cancel: {cancel}.", "更新 {update} 个，取消 {cancel} 个。";
        more(count: usize) = "and {count} more", "另有 {count} 个";
        in_room(room: &str) = "in {room}", "{room}";
        untitled = "(no title)", "（无标题）";
        all_day = "It takes whole days; a meeting has a start and an end. Give it times in your calendar, or leave it there.", "全天日程；会议须有开始和结束时间。请在日历中填写时间，或不导入。";
        no_start = "Its start is missing or cannot be read.", "缺少开始时间或无法读取。";
        no_end = "It has no end. Give it one in your calendar.", "没有结束时间。请在日历中填写。";
        no_title = "It has no title. Give it one in your calendar.", "没有标题。请在日历中填写。";
        no_uid = "It has no UID.", "没有 UID。";
        duplicate = "Another event of the file has the same UID.", "文件中另一日程的 UID 相同。";
        cancelled = "It is cancelled, and not in this desk.", "已取消，且此处没有该日程。";
        past = "It has begun already.", "已经开始。";
        zone(name: &str) = "Its time zone is unknown: {name}. Choose a city’s time zone in your calendar.", "未知时区：{name}。请在日历中选择城市时区。";
        zone_differs(name: &str) = "The file defines the time zone {name} with other offsets than it has. Export the calendar again, or enter the meeting here.", "文件中时区 {name} 的时差与实际不同。请重新导出日历，或在此处新建会议。";
        method(name: &str) = "The file is an answer or a question ({name}) and changes nothing. Import the invitation or the calendar.", "文件是答复或询问（{name}），不作更改。请导入邀请或日历。";
        no_series = "It changes the later times of a series that is not here. Import the whole calendar.", "更改的重复日程不存在。请导入整个日历。";
        changed_here = "It cannot be updated: it was changed here, or repeats in another way or time zone now. Change it here, or cancel it and import it again.", "无法更新：此处已更改过，或重复方式、时区不同。请在此处更改，或取消后重新导入。";
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
        ImportProblem::ZoneDiffers { name } => texts.zone_differs(name),
        ImportProblem::Method { name } => texts.method(name),
        ImportProblem::NoSeries => texts.no_series().to_owned(),
        ImportProblem::ChangedHere => texts.changed_here().to_owned(),
        ImportProblem::Invalid {
            refusal: DomainError::Invalid { field, problem: ValidationError::Empty },
        } if field == "title" => texts.no_title().to_owned(),
        ImportProblem::Attendee { address } => texts.attendee(address),
        ImportProblem::Taken { title } => texts.taken(title),
        ImportProblem::Invalid { refusal } => sentence(language, refusal),
    }
}
