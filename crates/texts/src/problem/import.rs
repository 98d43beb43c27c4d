//! Why an import is refused.

use crate::settings::import::ImportTexts;
use crate::{Language, texts};
use domain::imports::{ImportProblem, ImportSystem, MAX_WAITING_IMPORTS};

texts! {
    /// Sentences.
    ImportProblemTexts {
        no_file = "Choose a file first. Nothing was stored.", "请先选择文件。未存储任何内容。";
        unreadable = "The upload was not complete. Nothing was stored; try again.", "上传不完整。未存储任何内容，请重试。";
        too_large(max: u32) = "The file is larger than {max} MB. Export it in parts.", "文件超过 {max} MB，请分批导出。";
        not_wordpress = "This is not an export of WordPress, which is an XML file. Choose Tools → Export → All content there.", "这不是 WordPress 的导出文件（XML）。请在 WordPress 中选择“工具 → 导出 → 所有内容”。";
        not_ghost = "This is not an export of Ghost, which is a JSON file. Choose Settings → Export there.", "这不是 Ghost 的导出文件（JSON）。请在 Ghost 中选择“设置 → 导出”。";
        not_zip = "This is not a zip archive. Pack the folder of Markdown files and pictures as a .zip file.", "这不是 zip 压缩包。请将 Markdown 文件和图片所在的文件夹打包为 .zip 文件。";
        invalid(why: &str) = "The file cannot be imported: {why}.", "无法导入此文件：{why}。";
        too_many(max: u32) = "{max} uploaded files wait to be imported. Import or discard one of them first.", "有 {max} 个上传的文件等待导入。请先导入或放弃其中一个。";
        running = "Another import is running. Wait until it has ended.", "另一个导入正在进行，请等待其结束。";
        file_gone = "The uploaded file is no longer on this server. Upload it again.", "上传的文件已不在此服务器上，请重新上传。";
        wrong_state(state: &str) = "This is not possible in the state “{state}”.", "在“{state}”状态下无法执行此操作。";
        disk_full =
            "The disk of the server is full. Nothing was stored; everything else keeps working.",
            "服务器磁盘已满。未存储任何内容，其他功能照常工作。";
    }
}

/// Says why.
pub(crate) fn import_problem(language: Language, problem: &ImportProblem) -> String {
    let texts = ImportProblemTexts(language);
    match problem {
        ImportProblem::NoFile => texts.no_file().to_owned(),
        ImportProblem::Unreadable => texts.unreadable().to_owned(),
        ImportProblem::TooLarge { max_mb } => texts.too_large(*max_mb),
        ImportProblem::WrongKind { system: ImportSystem::Wordpress } => texts.not_wordpress().to_owned(),
        ImportProblem::WrongKind { system: ImportSystem::Ghost } => texts.not_ghost().to_owned(),
        ImportProblem::WrongKind { system: ImportSystem::Markdown } => texts.not_zip().to_owned(),
        ImportProblem::Invalid { why } => texts.invalid(why),
        ImportProblem::TooMany => texts.too_many(MAX_WAITING_IMPORTS),
        ImportProblem::Running => texts.running().to_owned(),
        ImportProblem::FileGone => texts.file_gone().to_owned(),
        ImportProblem::WrongState { state } => texts.wrong_state(ImportTexts(language).state_of(*state)),
        ImportProblem::DiskFull => texts.disk_full().to_owned(),
    }
}
