//! Topics of the engine, the queue and the activity.

use super::topics;

topics! {
    SYSTEM: System {
        "engine" admins [] ["engine", "node", "lateness", "hint", "in-flight", "lease", "queue", "pause", "delivery-hold", "audit"]:
            engine_title, engine_what, engine_then;
        "queue" [List] ["task", "queue", "scheduled", "due", "overdue", "missed", "grace", "saved-view"]:
            queue_title, queue_what, queue_then;
        "task" [] ["task", "lateness", "retry", "grace", "missed", "in-flight", "undo"]:
            task_title, task_what, task_then;
        "bulk" [] ["task", "undo", "scheduled"]:
            bulk_title, bulk_what, bulk_then;
        "activity" [] ["activity", "engine", "undo"]:
            activity_title, activity_what, activity_then;
    }
}
