//! Words of tasks, the queue and the engine.

use super::words;

words! {
    "task": task, task_meaning, task_example;
    "queue": queue, queue_meaning, queue_example;
    "due": due, due_meaning, due_example;
    "lateness": lateness, lateness_meaning, lateness_example;
    "overdue": overdue, overdue_meaning, overdue_example;
    "grace": grace, grace_meaning, grace_example;
    "missed": missed, missed_meaning, missed_example;
    "attention": attention, attention_meaning, attention_example;
    "engine": engine, engine_meaning, engine_example;
    "node": node, node_meaning, node_example;
    "hint": hint, hint_meaning, hint_example;
    "in-flight": in_flight, in_flight_meaning, in_flight_example;
    "lease": lease, lease_meaning, lease_example;
    "pause": pause, pause_meaning, pause_example;
    "delivery-hold": delivery_hold, delivery_hold_meaning, delivery_hold_example;
    "activity": activity, activity_meaning, activity_example;
    "audit": audit, audit_meaning, audit_example;
}
