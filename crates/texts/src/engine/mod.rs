//! Texts of the engine page.

pub mod backups;
pub mod guarantee;
pub mod health;
pub mod queue;
pub mod verdict;

use crate::texts;
use domain::engine::StaleReason;

texts! {
    /// Texts of the engine page.
    EngineTexts {
        title = "Engine", "引擎";
        held_title = "Messages are held", "消息已搁置";
        held_release = "This desk takes over: send messages", "由此工作台接管：开始发送消息";
        lateness_title = "Lateness in the last hour", "过去一小时的延迟";
        lateness_hint = "Executed minus due, on the node's clock.", "执行时间减预定时间，以节点时钟计。";
        p50 = "p50", "p50";
        p95 = "p95", "p95";
        p99 = "p99", "p99";
        max = "max", "最大";
        early = "early", "提前";
        measured = "measured", "已测量";
        lateness_none = "Nothing was executed in the last hour.", "过去一小时没有执行任何任务。";
        lateness_summary(count: String, late: String) = "{count} executed in the last hour, {late} of them more than 500 ms late.", "过去一小时执行了 {count} 项任务，其中 {late} 项延迟超过 500 毫秒。";
        up_to(ms: String) = "up to {ms}", "不超过 {ms}";
        more_than(ms: String) = "more than {ms}", "超过 {ms}";
        in_time = "on time", "准时";
        late = "late", "延迟";
        lateness = "Lateness", "延迟";
        budget_title = "Error budget", "误差预算";
        budget(count: String, late: String, allowed: String, left: u64) = "1 in 1,000 tasks may be more than 500 ms late. Last hour: {late} of {count}; allowed: {allowed}. {left} % of the budget is left.", "每 1,000 项任务允许 1 项延迟超过 500 毫秒。过去一小时共 {count} 项，延迟 {late} 项，允许 {allowed} 项：预算剩余 {left}%。";
        budget_whole = "1 in 1,000 tasks may be more than 500 ms late. None ran in the last hour: the whole budget is left.", "每 1,000 项任务允许 1 项延迟超过 500 毫秒。过去一小时没有执行任务，预算未动用。";
        budget_spent = "It is used up.", "预算已用尽。";
        minute = "Minute", "分钟";
        stages_title = "Time per stage", "各阶段用时";
        stages_hint = "After the due time; the newest 2,000 of the last hour.", "自预定时间起；取过去一小时最新的 2,000 项。";
        stages_none = "Nothing was executed in the last hour.", "过去一小时没有执行任何任务。";
        stage_p99 = "p99", "p99";
        throughput_title = "Throughput", "每分钟任务数";
        throughput_summary(total: String, max: String) = "{total} in the last 60 minutes; busiest minute: {max}.", "过去 60 分钟共 {total} 项，一分钟最多 {max} 项。";
        minutes(n: usize) = "{n} min ago", "{n} 分钟前";
        this_minute = "now", "现在";
        tasks = "Tasks", "任务数";
        as_table = "As a table", "以表格显示";
        totals_title = "All tasks", "全部任务";
        nodes_title = "Nodes", "节点";
        nodes_hint = "All processes that use this database. There is no leader: nodes can be added, stopped or lost at any time.", "使用此数据库的全部进程。没有主节点，随时可以增减或失去任何一个。";
        nodes_empty = "No node has reported yet.", "尚无节点上报。";
        node_name = "Node", "节点";
        this_node = "this one", "当前";
        node_role = "Role", "职责";
        role_web = "web", "页面";
        role_work = "engine", "引擎";
        role_all = "web and engine", "页面和引擎";
        node_state = "Status", "状态";
        node_alive = "alive", "存活";
        node_draining = "draining: stops when its work is finished", "正在退出：完成手头工作后停止";
        node_stopped = "stopped", "已停止";
        node_lost = "lost", "失联";
        last_beat = "Last heartbeat", "上次心跳";
        loops_title = "Loops", "循环";
        loop_name = "Loop", "循环";
        last_run = "Last run", "上次运行";
        runs = "Runs", "运行次数";
        last_error = "Last error", "最近错误";
        none = "none", "无";
        never = "not yet", "尚未";
        concurrency_title = "Limits", "并发上限";
        concurrency_hint = "Maximum number of tasks of a kind executed at the same time, over all nodes.", "每种任务在所有节点上同时执行的最大数量。";
        queue_settings = "Show and change the limits of kinds and channels", "查看和更改任务种类与渠道的上限";
        stale_full = "concurrency limit reached", "已达并发上限";
        dependencies_title = "Database and queue", "数据库和队列";
        in_memory = "in memory", "本进程内存";
        nodes_alive(alive: usize) = "{alive} alive", "{alive} 个存活";
        nodes_lost(alive: usize, lost: usize) = "{alive} alive, {lost} lost", "{alive} 个存活，{lost} 个失联";
        loops_ok(ok: usize) = "{ok} OK", "{ok} 个正常";
        loops_failing(ok: usize, failing: usize) = "{ok} OK, {failing} with an error", "{ok} 个正常，{failing} 个出错";
        loop_feeder = "Feeder", "装载";
        loop_mover = "Mover", "移动";
        loop_consumer = "Consumer", "执行";
        loop_sweeper = "Sweeper", "巡检";
        loop_dispatcher = "Dispatcher", "投递";
        loop_maintenance = "Maintenance", "维护";
        loop_event_tailer = "Event tailer", "日志跟踪";
        loop_heartbeat = "Heartbeat", "心跳";
        no_limits = "none set", "未设置";
        limits_set(count: usize) = "{count} set", "已设置 {count} 项";
        sql = "Database", "数据库";
        hints = "Queue", "队列";
        up = "OK", "正常";
        down = "not responding", "无响应";
        ping = "Round trip", "往返时间";
        hints_title = "Hints", "队列中的提示";
        future = "in the future set", "在未来集合";
        publish = "on the publish list", "在发布列表";
        loaded = "loaded", "已装载";
        promoted = "moved to the publish list", "已移入发布列表";
        skipped = "skipped", "已跳过";
        stale_changed = "task changed since", "任务已变更";
        stale_gone = "no such task", "任务不存在";
        stale_early = "too early", "过早";
        stale_unapproved = "not approved", "未批准";
        stale_waits = "waits for an earlier task", "等待更早的任务";
        stale_foreign = "unknown kind, from a newer release", "未知类型，来自更新的版本";
        buckets = "Buckets", "分桶";
        buckets_served(count: u16, served: u16) = "{count}; {served} are read until the previous ones are empty", "{count} 个；旧桶清空前共读取 {served} 个";
        memory = "Memory", "内存";
        memory_of(used: String, limit: String) = "{used} of {limit}", "{used}，上限 {limit}";
        memory_free(used: String) = "{used}, no limit", "{used}，无上限";
        swept = "found by the sweeper", "由巡检找到";
        offset = "Database clock offset", "数据库时钟偏差";
        loaded_until = "Loaded until", "已装载至";
        canary = "Last canary task", "上次测试任务";
        version = "Version", "版本";
        zone_data = "Time-zone data", "时区数据";
        started = "Started", "启动于";
    }
}

impl EngineTexts {
    /// Name of a loop of the engine.
    #[must_use]
    pub fn loop_of(self, name: &str) -> String {
        match name {
            "feeder" => self.loop_feeder(),
            "mover" => self.loop_mover(),
            "consumer" => self.loop_consumer(),
            "sweeper" => self.loop_sweeper(),
            "dispatcher" => self.loop_dispatcher(),
            "maintenance" => self.loop_maintenance(),
            "event_tailer" => self.loop_event_tailer(),
            "heartbeat" => self.loop_heartbeat(),
            other => other,
        }
        .to_owned()
    }

    /// Name of a component: product and version, or where it is.
    #[must_use]
    pub fn component(self, name: &str) -> String {
        if name == "in memory" { self.in_memory().to_owned() } else { name.to_owned() }
    }

    /// Why a hint was skipped.
    #[must_use]
    pub fn stale(self, reason: StaleReason) -> &'static str {
        match reason {
            StaleReason::Changed => self.stale_changed(),
            StaleReason::Gone => self.stale_gone(),
            StaleReason::Early => self.stale_early(),
            StaleReason::Unapproved => self.stale_unapproved(),
            StaleReason::Blocked => self.stale_waits(),
            StaleReason::UnknownKind => self.stale_foreign(),
            StaleReason::AtLimit => self.stale_full(),
        }
    }
}
