//! Health issues of the engine as sentences.

use super::texts;
use domain::engine::HealthIssue;

texts! {
    /// Health issues of the engine.
    HealthTexts {
        database_unavailable = "The database does not respond. Saving and publishing are paused; due tasks run when it is back.", "数据库没有响应。保存和发布已暂停；到点的任务会在恢复后执行。";
        database_read_only = "The database is read-only. Saving and publishing are paused; nothing is lost.", "数据库目前只读。保存和发布已暂停；不会丢失任何内容。";
        database_full = "The database disk is full. Saving and publishing are paused until space is freed; nothing is lost.", "数据库磁盘已满。腾出空间之前，保存和发布已暂停；不会丢失任何内容。";
        clock_skew = "The clocks of the database and this machine differ by more than 30 s. Publishing is paused until they agree, so that nothing is published early.", "数据库与本机的时钟相差超过 30 秒。为避免提前发布，在两者一致之前暂停发布。";
        stuck = "Nothing is published: the engine's test task does not complete. The loops on the engine page show where it stops.", "目前没有在发布：引擎的测试任务未能完成。请在引擎页面查看各循环停在何处。";
        deliveries_held = "Messages are held until an admin confirms on the engine page.", "消息已搁置，等待管理员在引擎页面确认。";
        hint_store_unavailable = "Redis is unavailable, full or unsafe, and is not used. Publishing continues from the database, up to a second late. Check Redis.", "Redis 无法连接、已满或不安全，目前没有使用。由数据库继续发布，最多晚一秒。请检查 Redis。";
        newer_release = "Overdue tasks need a newer release and are not listed here. They wait for a node that runs it; nothing is lost.", "有逾期任务需要更新的版本，此处不列出。它们等待运行新版本的节点，不会丢失。";
        database_slow = "The database is slow: publishing is late and saving takes long. Nothing is lost.", "数据库响应缓慢：发布会延迟，保存也较慢。不会丢失任何内容。";
        hint_store_slow = "Redis is slow: publishing is up to two seconds late.", "Redis 响应缓慢：发布最多晚两秒。";
        redis_mismatch = "A node does not use this Redis, or another desk uses it: see the engine page. Some tasks are up to two seconds late.", "有节点未使用此 Redis，或有其他工作台在用它；详见引擎页面。部分任务最多晚两秒。";
        redis_data_loss = "Redis was wiped, or restarted without its data. It is being refilled from the database; nothing is lost.", "Redis 已被清空，或重启时丢失数据。正在从数据库重新载入，不会丢失任何内容。";
    }
}

impl HealthTexts {
    /// Describes the issue and its consequence.
    #[must_use]
    pub fn sentence(self, issue: HealthIssue) -> &'static str {
        match issue {
            HealthIssue::DatabaseUnavailable => self.database_unavailable(),
            HealthIssue::DatabaseReadOnly => self.database_read_only(),
            HealthIssue::DatabaseFull => self.database_full(),
            HealthIssue::ClockSkew => self.clock_skew(),
            HealthIssue::Stuck => self.stuck(),
            HealthIssue::NewerRelease => self.newer_release(),
            HealthIssue::DeliveriesHeld => self.deliveries_held(),
            HealthIssue::HintStoreUnavailable => self.hint_store_unavailable(),
            HealthIssue::DatabaseSlow => self.database_slow(),
            HealthIssue::HintStoreSlow => self.hint_store_slow(),
            HealthIssue::RedisMismatch => self.redis_mismatch(),
            HealthIssue::RedisDataLoss => self.redis_data_loss(),
        }
    }
}
