//! Words of the engine page.

use super::texts;

texts! {
    /// Words of the engine page.
    EngineWords {
        title = "Engine", "引擎";
        paused = "Publishing is paused.", "发布已暂停。";
        pause = "Pause all publishing", "暂停全部发布";
        resume = "Resume publishing", "恢复发布";
        pause_hint = "Nothing goes out until somebody resumes; what falls due waits.", "暂停期间不会发布任何内容，到点的任务会等待。";
        held_title = "This desk was restored from a backup", "此编辑台由备份恢复";
        held = "Messages to the outside are held: if the desk the backup was made of still runs, everybody would be told everything twice. Articles go out all the same.", "对外消息已搁置：如果制作该备份的编辑台仍在运行，所有人都会收到重复的消息。文章照常发布。";
        held_release = "This desk takes over: send messages", "由此编辑台接管：开始发送消息";
        lag_title = "Lag in the last hour", "过去一小时的延迟";
        lag_hint = "Executed minus due, measured on the node's clock.", "执行时刻减预定时刻，以节点时钟计。";
        half = "half within", "50% 以内";
        most = "95 of 100 within", "95% 以内";
        nearly_all = "99 of 100 within", "99% 以内";
        worst = "the latest", "最晚";
        early = "early", "提前";
        measured = "measured", "已测量";
        throughput_title = "Executed a minute", "每分钟执行数";
        throughput_alt(max: u32) = "Tasks executed in each of the last 60 minutes, at most {max}.", "过去 60 分钟每分钟执行的任务数，最多 {max}。";
        minutes_ago = "Minutes ago", "分钟前";
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
        stale = "old or gone", "过期";
        rescued = "rescued by the sweeper", "由巡检找回";
        offset = "Database clock ahead by", "数据库时钟超前";
        fed_until = "Loaded until", "已装载至";
        version = "Version", "版本";
        started = "Started", "启动于";
    }
}
