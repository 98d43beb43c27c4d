//! Texts of the import of a plan.

use crate::{Language, refusal::sentence, texts};
use domain::articles::plan::{RowProblem, RowWarning, TableEncoding};

texts! {
    /// Texts of the page.
    PlanTexts {
        title = "Import a plan", "导入发布计划";
        lead = "Each row of a table becomes an article: scheduled, or a draft if it has no time. Nothing is saved before you have seen the result.", "表格的每一行成为一篇文章：有时间的会被安排，没有时间的为草稿。先查看结果，再写入。";
        open = "Import a plan", "导入计划";
        from_settings = ": a table (CSV) of articles with their times. Everyone who writes can do this.", "：由文章及其时间组成的表格（CSV）。所有作者均可使用。";
        text = "The table, pasted as CSV", "以 CSV 粘贴的表格";
        file = "Or a CSV file", "或 CSV 文件";
        file_hint = "At most 10 MB and 10,000 rows; it replaces the pasted table.", "最多 10 MB、10,000 行；将替换粘贴的表格。";
        encoding = "Encoding of the file", "文件编码";
        is_recognised = "recognised", "自动识别";
        encoding_hint = "Only for a file that is not UTF-8, such as CSV saved by Excel.", "仅用于非 UTF-8 文件，例如 Excel 保存的 CSV。";
        read_as(name: &str) = "The file is not UTF-8. It was read as: {name}. These are words of it. Check them before you import.", "文件不是 UTF-8，已按以下编码读取：{name}。以下是其中的文字，请在导入前核对。";
        wrong_letters = "If letters are wrong, choose another encoding and the file again, or save it in Excel as CSV UTF-8.", "如文字有误，请选择其他编码并重新选择文件，或在 Excel 中另存为“CSV UTF-8”。";
        windows_1252 = "Western European (Windows-1252)", "西欧（Windows-1252）";
        windows_1250 = "Central European (Windows-1250)", "中欧（Windows-1250）";
        windows_1251 = "Cyrillic (Windows-1251)", "西里尔文（Windows-1251）";
        gb18030 = "Simplified Chinese (GB 18030, GBK)", "简体中文（GB 18030、GBK）";
        big5 = "Traditional Chinese (Big5)", "繁体中文（Big5）";
        shift_jis = "Japanese (Shift_JIS)", "日文（Shift_JIS）";
        euc_kr = "Korean (EUC-KR)", "韩文（EUC-KR）";
        files = "Markdown files", "Markdown 文件";
        files_hint = "The files named in the column “file”. Choose them again to import.", "“file”列所指的文件。导入时请再次选择。";
        columns = "What the table contains", "表格内容";
        columns_hint = "The first line names the columns, in any order: title, and if needed body or file, time, zone, tags, summary, slug. Cells are separated by commas, semicolons or tabs.", "首行写列名，顺序不限：title，以及所需的 body 或 file、time、zone、tags、summary、slug。单元格以逗号、分号或制表符分隔。";
        time_hint = "A time is a date with a time of day, or words: 2027-06-09 09:00, tomorrow 9am, next free slot. For an hour that occurs twice, add the offset: 2027-10-31T02:30+02:00.", "时间可以是日期加时刻，也可以是文字：2027-06-09 09:00、明天上午九点、下一个空档。对出现两次的时间，请写上时差：2027-10-31T02:30+02:00。";
        check = "Check", "检查";
        import_new(count: String) = "Import articles: {count}", "导入 {count} 篇文章";
        import_others(count: String) = "Import the others: {count}", "导入其余 {count} 篇文章";
        changed = "The table was changed after the check. This is the new check.", "表格在检查后已更改，以下是新的检查结果。";
        written(scheduled: String, drafts: String) = "Imported. Scheduled: {scheduled}. Drafts: {drafts}.", "已导入。已安排 {scheduled} 篇，草稿 {drafts} 篇。";
        left(refused: String) = "Not imported: {refused}.", "未导入 {refused} 行。";
        would(scheduled: String, drafts: String, refused: String, warned: String) = "Nothing is saved yet. Scheduled: {scheduled}. Drafts: {drafts}. Not possible: {refused}. With a warning: {warned}.", "尚未写入。将安排 {scheduled} 篇，草稿 {drafts} 篇，无法导入 {refused} 行，有提醒 {warned} 行。";
        ignored(names: String) = "These columns are not read: {names}.", "未读取的列：{names}。";
        see = "See the articles", "查看文章";
        undo = "Undo: cancel these schedules", "撤销：取消这些安排";
        undo_hint = "The articles stay as drafts.", "文章保留为草稿。";
        line = "Line", "行";
        article = "Article", "文章";
        when = "When", "时间";
        result = "Result", "结果";
        is_scheduled = "scheduled", "已安排";
        is_draft = "draft", "草稿";
        more(count: String) = "and {count} more without problems", "另有 {count} 行没有问题";
        untitled = "(no title)", "（无标题）";
        too_many_cells(columns: usize) = "The row has more cells than the table has columns ({columns}). Put quotes around a cell with a separator in it.", "该行的单元格多于列数（{columns}）。含分隔符的单元格请加引号。";
        body_and_file = "The row has both a text and a file. Keep one of them.", "该行同时有正文和文件，请只保留一个。";
        no_file(name: &str) = "The file {name} is missing.", "缺少文件 {name}。";
        file_not_text(name: &str) = "The file {name} is neither UTF-8 nor UTF-16 text. Save it as UTF-8.", "文件 {name} 既不是 UTF-8 也不是 UTF-16 文本，请另存为 UTF-8。";
        same_title = "An article has this title.", "已有同名文章。";
        title_twice(line: usize) = "Line {line} has the same title.", "与第 {line} 行标题相同。";
        other_slug(slug: &str) = "The slug is taken; it becomes {slug}.", "网址别名已被使用，将改为 {slug}。";
        moment_taken = "Something else is scheduled at this moment.", "此时刻另有安排。";
        no_text = "It has no text yet.", "还没有正文。";
        needs_approval = "It waits for approval.", "需等待批准。";
    }
}

/// The name of an encoding.
#[must_use]
pub fn encoding_name(language: Language, encoding: TableEncoding) -> &'static str {
    let texts = PlanTexts(language);
    match encoding {
        TableEncoding::Windows1252 => texts.windows_1252(),
        TableEncoding::Windows1250 => texts.windows_1250(),
        TableEncoding::Windows1251 => texts.windows_1251(),
        TableEncoding::Gb18030 => texts.gb18030(),
        TableEncoding::Big5 => texts.big5(),
        TableEncoding::ShiftJis => texts.shift_jis(),
        TableEncoding::EucKr => texts.euc_kr(),
    }
}

/// Why a row does not become an article, as a sentence.
#[must_use]
pub fn problem_sentence(language: Language, problem: &RowProblem) -> String {
    let texts = PlanTexts(language);
    match problem {
        RowProblem::TooManyCells { columns } => texts.too_many_cells(*columns),
        RowProblem::BodyAndFile => texts.body_and_file().to_owned(),
        RowProblem::NoFile { name } => texts.no_file(name),
        RowProblem::FileNotText { name } => texts.file_not_text(name),
        RowProblem::Refused { refusal } => sentence(language, refusal),
    }
}

/// What should be known of a row, as a sentence.
#[must_use]
pub fn warning_sentence(language: Language, warning: &RowWarning) -> String {
    let texts = PlanTexts(language);
    match warning {
        RowWarning::SameTitle => texts.same_title().to_owned(),
        RowWarning::TitleTwice { line } => texts.title_twice(*line),
        RowWarning::OtherSlug { slug } => texts.other_slug(slug),
        RowWarning::MomentTaken => texts.moment_taken().to_owned(),
        RowWarning::NoText => texts.no_text().to_owned(),
        RowWarning::NeedsApproval => texts.needs_approval().to_owned(),
    }
}
