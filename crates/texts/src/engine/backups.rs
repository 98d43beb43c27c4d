//! Texts of the backups on the engine page.

use crate::texts;

texts! {
    /// Texts of the backups on the engine page.
    BackupTexts {
        title = "Backups", "备份";
        unknown = "The database does not respond.", "数据库无响应。";
        summary_none = "none yet", "尚无备份";
        summary_last(ago: String) = "last {ago}", "上次：{ago}";
        summary_off(ago: String) = "off; last {ago}", "已关闭；上次：{ago}";
        off = "off", "已关闭";
        last_backup = "Last backup", "上次备份";
        none = "none yet", "尚无";
        last_verified = "Last verified", "上次验证";
        restorable = "can be restored", "可以恢复";
        not_restorable = "cannot be restored", "无法恢复";
        restore_takes = "A restore takes", "恢复用时";
        folder = "Stored in", "存放位置";
        written = "Written", "备份周期";
        every(time: String, days: u16, weeks: u16) = "every {time}; the newest of {days} days and {weeks} weeks is kept", "每 {time} 一次；保留最近 {days} 天和 {weeks} 周中每天、每周最新的一份";
        every_with_months(time: String, days: u16, weeks: u16, months: u16) = "every {time}; the newest of {days} days, {weeks} weeks and {months} months is kept", "每 {time} 一次；保留最近 {days} 天、{weeks} 周和 {months} 个月中每天、每周、每月最新的一份";
        not_by_itself = "only by the button: backups are off", "仅手动：自动备份已关闭";
        settings = "The settings are in the section [backup] of the configuration file. Keep a copy of the backups and of the secret key on another machine.", "设置位于配置文件的 [backup] 部分。请把备份和密钥另存一份到其他机器。";
        needs(size: String) = "It needs {size} of free space.", "需要 {size} 可用空间。";
        back_up_now = "Back up now", "立即备份";
        is_written = "The backup is written.", "备份已完成。";
        is_running = "A backup is being written by another node.", "另一个节点正在备份。";
        last_failed = "The last backup failed.", "上次备份失败。";
        is_not_written = "No backup was written. The section “Backups” says why.", "未完成备份，原因见“备份”部分。";
    }
}
