//! Words of the engine page.

use super::texts;
use domain::engine::StaleReason;

texts! {
    /// Words of the engine page.
    EngineWords {
        title = "Engine", "引擎";
        paused = "Publishing is paused.", "发布已暂停。";
        pause = "Pause all publishing", "暂停全部发布";
        resume = "Resume publishing", "恢复发布";
        pause_hint = "Nothing goes out until somebody resumes; what falls due waits.", "暂停期间不会发布任何内容，到点的任务会等待。";
        held_title = "Messages are held", "消息已搁置";
        held_release = "This desk takes over: send messages", "由此编辑台接管：开始发送消息";
        lag_title = "Lag in the last hour", "过去一小时的延迟";
        lag_hint = "Executed minus due, measured on the node's clock.", "执行时刻减预定时刻，以节点时钟计。";
        half = "half within", "50% 以内";
        most = "95 of 100 within", "95% 以内";
        nearly_all = "99 of 100 within", "99% 以内";
        worst = "the latest", "最晚";
        early = "early", "提前";
        measured = "measured", "已测量";
        lag_none = "Nothing was executed in the last hour.", "过去一小时没有执行任何任务。";
        lag_told(count: String, late: String) = "{count} executed in the last hour, {late} of them more than 500 ms after their moment.", "过去一小时执行了 {count} 项任务，其中 {late} 项晚于预定时刻 500 毫秒以上。";
        up_to(ms: String) = "up to {ms}", "不超过 {ms}";
        beyond(ms: String) = "more than {ms}", "超过 {ms}";
        in_time = "on time", "准时";
        too_late = "late", "迟到";
        later = "Late by", "延迟";
        budget_title = "Error budget", "误差预算";
        budget(count: String, late: String, allowed: String, left: u64) = "One task of 1,000 may go out more than 500 ms late. Of the {count} of the last hour {late} did; {allowed} may: {left} % of the budget is left.", "每 1,000 项任务允许 1 项延迟超过 500 毫秒。过去一小时共 {count} 项，迟到 {late} 项，允许 {allowed} 项：预算剩余 {left}%。";
        budget_whole = "One task of 1,000 may go out more than 500 ms late. None went out in the last hour: the whole budget is left.", "每 1,000 项任务允许 1 项延迟超过 500 毫秒。过去一小时没有执行任务，预算未动用。";
        budget_spent = "It is used up.", "预算已用尽。";
        minute = "Minute", "分钟";
        stages_title = "Time at each stage", "各阶段耗时";
        stages_hint = "After the task's moment; the newest 2,000 of the last hour.", "自预定时刻起；取过去一小时最新的 2,000 项。";
        stages_none = "Nothing went out in the last hour.", "过去一小时没有发布。";
        tail = "99 of 100 within", "99% 以内";
        throughput_title = "Executed a minute", "每分钟执行数";
        throughput_told(total: String, max: String) = "{total} in the last 60 minutes, at most {max} in one of them.", "过去 60 分钟共 {total} 项，一分钟最多 {max} 项。";
        minutes(n: usize) = "{n} min ago", "{n} 分钟前";
        this_minute = "now", "现在";
        tasks = "Tasks", "任务数";
        as_table = "As a table", "以表格显示";
        totals_title = "All tasks", "全部任务";
        nodes_title = "Nodes", "节点";
        nodes_hint = "Every process on this database. There is no leader: any of them may be added, stopped or lost.", "使用此数据库的全部进程。没有主节点，随时可以增减或失去任何一个。";
        nodes_empty = "No node has shown itself yet.", "尚无节点报到。";
        node_name = "Node", "节点";
        this_node = "this one", "当前";
        node_role = "Does", "职责";
        role_web = "pages", "页面";
        role_work = "engine", "引擎";
        role_all = "pages and engine", "页面和引擎";
        node_state = "State", "状态";
        node_alive = "alive", "存活";
        node_stopped = "stopped", "已停止";
        node_lost = "lost", "失联";
        last_beat = "Last heartbeat", "上次心跳";
        loops_title = "Loops", "循环";
        loop_name = "Loop", "循环";
        last_round = "Last round", "上一轮";
        rounds = "Rounds", "轮数";
        trouble = "Trouble", "故障";
        none = "none", "无";
        never = "not yet", "尚未";
        kinds_title = "At once", "并发上限";
        kinds_hint = "At most so many of a kind are executed at once, over all nodes; empty: as many as there are.", "每种任务在所有节点上同时执行的最大数量；留空表示不限。";
        stale_full = "as many as may be were running", "已达并发上限";
        parts_title = "What it stands on", "依赖组件";
        sql = "Database", "数据库";
        hints = "Hints", "提示";
        up = "answers", "正常";
        down = "does not answer", "无响应";
        ping = "Round trip", "往返时间";
        counts_title = "Hints", "提示计数";
        future = "in the future set", "在未来集合";
        publish = "on the publish list", "在发布列表";
        fed = "fed", "已装载";
        moved = "moved", "已移动";
        stale_title = "came to nothing", "未起作用";
        stale_changed = "task changed since", "任务已变更";
        stale_gone = "no such task", "任务不存在";
        stale_early = "too early", "过早";
        stale_unapproved = "not approved", "未批准";
        stale_waits = "waits for an earlier one", "等待更早的任务";
        stale_foreign = "kind of a newer release", "新版本的类型";
        buckets = "Buckets", "分桶";
        buckets_served(count: u16, served: u16) = "{count}, and {served} are looked at until the former ones are empty", "{count} 个；旧桶清空前共检查 {served} 个";
        memory = "Memory", "内存";
        memory_of(used: String, limit: String) = "{used} of {limit}", "{used}，上限 {limit}";
        memory_free(used: String) = "{used}, no limit", "{used}，无上限";
        rescued = "rescued by the sweeper", "由巡检找回";
        offset = "Database clock ahead by", "数据库时钟超前";
        fed_until = "Loaded until", "已装载至";
        canary = "Test task last came through", "测试任务上次通过";
        version = "Version", "版本";
        zone_data = "Time-zone data", "时区数据";
        started = "Started", "启动于";
    }
}

impl EngineWords {
    /// Why a hint came to nothing.
    #[must_use]
    pub fn stale(self, reason: StaleReason) -> &'static str {
        match reason {
            StaleReason::Changed => self.stale_changed(),
            StaleReason::Gone => self.stale_gone(),
            StaleReason::Early => self.stale_early(),
            StaleReason::Unapproved => self.stale_unapproved(),
            StaleReason::Waits => self.stale_waits(),
            StaleReason::Foreign => self.stale_foreign(),
            StaleReason::Full => self.stale_full(),
        }
    }
}
