//! Sentences about the last change of a task.

use crate::texts;

texts! {
    /// Results of actions on tasks.
    TaskResultTexts {
        scheduled(title: String, to: String) = "“{title}” is scheduled for {to}.", "“{title}”已安排在 {to}。";
        scheduled_unpublish(title: String, to: String) = "“{title}” will be unpublished on {to}.", "“{title}”将于 {to} 撤下。";
        scheduled_unapproved(title: String, to: String) = "“{title}” is scheduled for {to}. It is published once a reviewer has approved it.", "“{title}”已安排在 {to}，经审核人批准后发布。";
        scheduled_approved(title: String, to: String) = "The approved version of “{title}” is scheduled for {to}, without newer edits.", "“{title}”的已批准版本已安排在 {to}，不含之后的修改。";
        publishing_approved(title: String) = "“{title}” is published once a reviewer has approved it.", "“{title}”经审核人批准后将立即发布。";
        rescheduled(title: String, to: String) = "“{title}” is rescheduled to {to}.", "“{title}”已改到 {to}。";
        unscheduled(title: String) = "“{title}” is unscheduled.", "已取消“{title}”的安排。";
        publishing(title: String) = "“{title}” is being published.", "正在发布“{title}”。";
        published(title: String) = "“{title}” is published.", "“{title}”已发布。";
        updating(title: String) = "“{title}” is being updated.", "正在更新“{title}”。";
        updated(title: String) = "The update of “{title}” is public.", "“{title}”的更新已公开。";
        unpublishing(title: String) = "“{title}” is being unpublished.", "正在撤下“{title}”。";
        unpublished(title: String) = "“{title}” is unpublished.", "“{title}”已撤下。";
        cancelled(title: String) = "“{title}” is cancelled.", "已取消“{title}”。";
        running(title: String) = "“{title}” is being executed.", "正在执行“{title}”。";
        done(title: String) = "“{title}” is done.", "“{title}”已执行。";
        failed(title: String) = "“{title}” needs attention: it was not executed.", "“{title}”未能执行，需要处理。";
        replaced(title: String) = "“{title}” will be published with its current text.", "“{title}”将以当前正文发布。";
        retried(title: String) = "“{title}” is tried again.", "正在重试“{title}”。";
        undone_scheduled(title: String, to: String) = "Undone: “{title}” is scheduled for {to} again.", "已撤销：“{title}”恢复为 {to}。";
        undone_unscheduled(title: String) = "Undone: “{title}” is no longer scheduled.", "已撤销：“{title}”不再有安排。";
        dismissed(title: String) = "“{title}” is dismissed.", "已忽略“{title}”。";
        undone_dismissed(title: String) = "Undone: “{title}” needs attention again.", "已撤销：“{title}”恢复为待处理。";
        undone_public(title: String) = "Undone: “{title}” is public as before.", "已撤销：“{title}”恢复为原来的公开状态。";
        undone_private(title: String) = "Undone: “{title}” is no longer public.", "已撤销：“{title}”不再公开。";
        changed(title: String) = "“{title}” is changed.", "“{title}”已更改。";
        open_task = "Open task", "查看任务";
        view_public = "View on site", "在网站上查看";
    }
}
