//! Words of tasks, the queue and the engine.

use super::words;

words! {
    "task": "Task", "任务";
        "One thing that happens at one moment.", "在某一时刻发生的一件事。";
        "“Publish ‘A new bridge’ on Thursday at 09:00” is one task.", "“周四 09:00 发布《新桥》”是一项任务。";
    "queue": "Queue", "队列";
        "All tasks that are still to come, ordered by time.", "所有尚未执行的任务，按时间排序。";
        "The task for 09:00 is ahead of the one for 09:30.", "09:00 的任务排在 09:30 的任务之前。";
    "due": "Due", "到点";
        "Its time has come, and it runs now.", "时间已到，正在执行。";
        "At 09:00 the article is due and is public a moment later.", "09:00 文章到点，片刻后即公开。";
    "lateness": "Lateness", "延迟";
        "How long after its time a task ran.", "任务在预定时间之后多久执行。";
        "Due at 09:00:00.000, run at 09:00:00.040: 40 ms late.", "预定 09:00:00.000，执行于 09:00:00.040：延迟 40 毫秒。";
    "overdue": "Overdue", "已逾期";
        "Its time has passed, and it has not run yet.", "时间已过但尚未执行。";
        "While the database is away, tasks are overdue; they run as soon as it is back.", "数据库不可用期间任务会逾期，恢复后立即执行。";
    "grace": "Grace period", "宽限期";
        "How late a task may still run.", "任务最多可以延迟多久执行。";
        "A message with 1 hour of grace, due at 09:00, is sent at 09:40 but not at 10:30.", "宽限期为 1 小时、预定 09:00 的消息，09:40 仍会发送，10:30 则不会。";
    "missed": "Missed", "已错过";
        "The task was later than its grace period, so it did not run.", "任务超过了宽限期，因此没有执行。";
        "The server was off all day; Today asks whether to publish now or to dismiss.", "服务器关闭了一整天；“今天”会询问立即发布还是忽略。";
    "attention": "Attention", "待处理";
        "Everything that needs a person: the cards “Needs you” on Today, one for each cause.", "所有需要人处理的事项：“今天”页的“需要你处理”卡片，每个原因一张。";
        "A channel fails: one card with “Retry now”, not forty messages.", "渠道失败时显示一张带“立即重试”的卡片，而不是四十条消息。";
    "engine": "Engine", "引擎";
        "The part of Presstime that runs tasks at their time.", "在预定时间执行任务的部分。";
        "The engine page shows that 99 of 100 tasks ran within 50 ms.", "引擎页面显示 100 项任务中有 99 项在 50 毫秒内执行。";
    "node": "Node", "节点";
        "One running process of Presstime.", "正在运行的一个 Presstime 进程。";
        "With two nodes, tasks run on while one of them restarts.", "有两个节点时，其中一个重启，任务仍会执行。";
    "hint": "Hint", "提示";
        "A note that a task is due soon; it only saves time and never decides.", "任务即将到点的标记；只用于加快执行，不作决定。";
        "Redis loses all hints: tasks still run from the database.", "Redis 丢失全部提示时，任务仍会从数据库执行。";
    "in-flight": "In flight", "执行中";
        "A node is executing the task, or sending the delivery, right now.", "节点此刻正在执行任务或发送投递。";
        "A delivery in flight cannot be cancelled; its outcome follows in seconds.", "执行中的投递无法取消，数秒后会有结果。";
    "lease": "Lease", "占用期";
        "How long a node may work on a delivery before another node may take it over.", "节点处理一次投递的时限，超过后其他节点可以接手。";
        "The node stops, its lease ends, and another node sends the delivery.", "节点停止后占用期结束，由另一个节点发送。";
    "pause": "Pause", "暂停";
        "No task runs until an admin resumes; nothing is lost.", "管理员恢复之前不执行任何任务，内容不会丢失。";
        "Pause before an upgrade; tasks that become due run after you resume.", "升级前暂停；期间到点的任务会在恢复后执行。";
    "delivery-hold": "Delivery hold", "投递搁置";
        "No delivery is sent until an admin confirms, after a backup was restored.", "恢复备份后，管理员确认之前不发送任何投递。";
        "A copy of the desk for tests does not mail your readers.", "用于测试的工作台副本不会给读者发邮件。";
    "activity": "Activity", "动态";
        "The record of who did what, in words.", "以文字记录谁做了什么。";
        "“Ada rescheduled ‘A new bridge’ to Friday 09:00.”", "“Ada 将《新桥》改到周五 09:00”。";
    "audit": "Audit", "核对";
        "The comparison of what ran with what is in the log.", "将已执行的内容与日志记录进行比较。";
        "0 early, 0 twice, 0 lost.", "提前 0，重复 0，丢失 0。";
}
