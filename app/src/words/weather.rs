//! Bad weather in plain words.

use super::texts;
use domain::engine::Weather;

texts! {
    /// What keeps the engine from working as it should.
    WeatherWords {
        database_away = "The database does not answer. Nothing is saved or published until it does; what falls due meanwhile goes out then.", "数据库没有响应。恢复之前无法保存或发布；其间到点的内容会在恢复后发布。";
        database_read_only = "The database lets itself be read only. Nothing is saved or published until it takes what is written; nothing is lost.", "数据库目前只读。恢复写入之前无法保存或发布；不会丢失任何内容。";
        database_full = "The disk of the database is full. Nothing is saved or published until there is room; nothing is lost.", "数据库磁盘已满。腾出空间之前无法保存或发布；不会丢失任何内容。";
        clock_off = "The clocks of the database and of this machine are more than 30 s apart. Nothing is published until they agree, so that nothing goes out early.", "数据库与本机的时钟相差超过 30 秒。为避免提前发布，在两者一致之前不会发布任何内容。";
        stuck = "Nothing is published: the task the engine sends down its whole road each second does not come through. The loops on the engine page say where it stops.", "目前没有在发布：引擎每秒走完整流程的测试任务未能通过。请在引擎页面查看各循环停在何处。";
        messages_held = "Messages are held until an admin confirms on the engine page.", "消息已搁置，等待管理员在引擎页面确认。";
        hints_away = "Redis is not used at the moment: it is away, full or not to be trusted. Everything goes out from the database, up to a second late.", "目前没有使用 Redis：它无法连接、已满或不可信。所有内容由数据库直接发布，最多晚一秒。";
        newer_release = "Tasks are overdue that only a newer release knows. They wait for a node that runs it, nothing is lost; this release does not list them.", "有到期任务只有新版本才认识。它们等待运行新版本的节点，不会丢失；此版本不列出它们。";
        database_slow = "The database answers slowly: what is due goes out late, and saving takes long. Nothing is lost.", "数据库响应缓慢：到点的内容会延迟发布，保存也较慢。不会丢失任何内容。";
        hints_slow = "Redis answers slowly: what is due goes out up to two seconds late.", "Redis 响应缓慢：到点的内容最多晚两秒发布。";
        hints_apart = "A node of this desk does not use this Redis, or another desk does: the engine page says which. What hints miss goes out up to two seconds late.", "此编辑台有节点未使用此 Redis，或有其他编辑台在用它；详见引擎页面。提示遗漏的内容最多晚两秒。";
        hints_wiped = "Redis was wiped, or restarted without its data. Its hints are loaded again; nothing is lost.", "Redis 已被清空，或重启时丢失数据。提示正重新载入，不会丢失任何内容。";
    }
}

impl WeatherWords {
    /// What is wrong and what it means.
    #[must_use]
    pub fn sentence(self, weather: Weather) -> &'static str {
        match weather {
            Weather::DatabaseAway => self.database_away(),
            Weather::DatabaseReadOnly => self.database_read_only(),
            Weather::DatabaseFull => self.database_full(),
            Weather::ClockOff => self.clock_off(),
            Weather::Stuck => self.stuck(),
            Weather::NewerRelease => self.newer_release(),
            Weather::MessagesHeld => self.messages_held(),
            Weather::HintsAway => self.hints_away(),
            Weather::DatabaseSlow => self.database_slow(),
            Weather::HintsSlow => self.hints_slow(),
            Weather::HintsApart => self.hints_apart(),
            Weather::HintsWiped => self.hints_wiped(),
        }
    }
}
