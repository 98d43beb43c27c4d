//! Texts of the verdict on the engine, and of its pause.

use crate::texts;

texts! {
    /// Texts of the verdict on the engine, and of its pause.
    VerdictTexts {
        on_time = "Publishing on time.", "准时发布。";
        running = "Publishing.", "正在发布。";
        too_late = "Publishing, but too many tasks were late.", "正在发布，但延迟的任务过多。";
        impaired = "Publishing, with a problem.", "正在发布，但有问题。";
        overdue(count: String) = "Publishing late; overdue tasks: {count}.", "发布延迟；逾期任务：{count} 项。";
        stopped = "Not publishing.", "没有在发布。";
        silent(time: String) = "Not publishing: the engine has not responded for {time}.", "没有在发布：引擎已 {time} 没有响应。";
        paused = "Publishing is paused.", "发布已暂停。";
        paused_by(name: String, since: String) = "{name} paused publishing on {since}, until an admin resumes it.", "{name}自 {since} 起暂停了发布，直到管理员恢复。";
        paused_until(name: String, since: String, until: String) = "{name} paused publishing on {since}, until {until}.", "{name}自 {since} 起暂停了发布，直到 {until}。";
        you = "You", "你";
        in_last_hour(count: String, p50: String, p99: String, late: String) = "{count} in the last hour: usually {p50} after their time, 99 of 100 within {p99}, {late} late.", "过去一小时 {count} 项：通常在预定时间后 {p50}，99% 在 {p99} 之内，延迟 {late} 项。";
        none_in_last_hour = "None in the last hour.", "过去一小时没有任务。";
        next(when: String) = "Next: {when}.", "下一项：{when}。";
        nothing_next = "Nothing is scheduled.", "没有已安排的任务。";
        checked(ago: String) = "Checked {ago}.", "检查于 {ago}。";
        checked_now = "Checked just now.", "刚刚检查。";
        problems = "What is wrong", "存在的问题";
        attention(count: String) = "Need attention: {count}", "待处理：{count} 项";
        pause_question = "Pause publishing …", "暂停发布……";
        pause = "Pause publishing", "暂停发布";
        pause_open = "Pause until an admin resumes it", "暂停，直到管理员恢复";
        pause_until(when: String) = "Pause until {when}", "暂停到 {when}";
        resume = "Resume publishing", "恢复发布";
        holds_none = "No task is due in the next hour. Tasks that become due wait until publishing resumes.", "未来一小时没有到点的任务。到点的任务会等到恢复发布。";
        holds_one = "1 task of the next hour then waits until publishing resumes.", "将暂停未来一小时的 1 项任务，等到恢复发布后执行。";
        holds(count: String) = "{count} tasks of the next hour then wait until publishing resumes.", "将暂停未来一小时的 {count} 项任务，等到恢复发布后执行。";
        grace = "A task that is then later than its grace period is marked missed.", "届时超过宽限期的任务记为错过。";
        until = "Until", "直到";
    }
}
