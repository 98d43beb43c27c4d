//! Topics of the engine, the queue and the activity.

use super::topics;

topics! {
    SYSTEM: System {
        "engine" admins [] ["engine", "node", "lateness", "hint", "in-flight", "lease", "queue", "pause", "delivery-hold", "audit"]:
            "Engine", "引擎";
            "See whether tasks run on time, which nodes run, and what the database and Redis do.", "查看任务是否准时执行、哪些节点在运行，以及数据库和 Redis 的状态。";
            "Pause publishing before maintenance and resume it afterwards; what is scheduled is kept.", "维护前可暂停发布，之后恢复；已安排的内容会保留。";
        "queue" [List] ["task", "queue", "scheduled", "due", "overdue", "missed", "grace", "saved-view"]:
            "Queue", "队列";
            "Find everything that is scheduled, done, failed or cancelled, and sort it by time.", "查找所有已安排、已完成、失败或已取消的任务，可按时间排序。";
            "Reschedule, cancel, retry or run a task from its row; tick several rows to change them together.", "可在行内改期、取消、重试或立即执行；勾选多行可一起更改。";
        "task" [] ["task", "lateness", "retry", "grace", "missed", "in-flight", "undo"]:
            "Task", "任务详情";
            "See when a task was due, when it ran, and everything that happened to it.", "查看任务的预定时间、执行时间和全部经过。";
            "Change its time, cancel it, run it now or retry it, as far as you may.", "在你的权限内可改期、取消、立即执行或重试。";
        "bulk" [] ["task", "undo", "scheduled"]:
            "Change several tasks", "批量更改任务";
            "Choose one change for all selected tasks, and read what it does to each.", "为所选任务选择一种更改，并查看对每一项的影响。";
            "Nothing changes before you confirm; one Undo reverts all that has not run since.", "确认前不会更改；一次撤销即可恢复之后尚未执行的全部任务。";
        "activity" [] ["activity", "engine", "undo"]:
            "Activity", "动态";
            "See who did what, the newest first, of one person or one item if you like.", "查看谁做了什么，最新的在前，可只看某个人或某一项。";
            "The list only grows: corrections are new entries, and no entry is removed.", "记录只增不减：更正会成为新的记录，不会删除已有记录。";
    }
}
