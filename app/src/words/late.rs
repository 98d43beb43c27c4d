//! Why something was late, in a sentence.

use super::{Language, task::TaskWords, texts, time};
use domain::late::{Cause, Hindrance, Late, Stage};

texts! {
    /// Why something was late.
    LateWords {
        off = "No engine was running at its moment; it went out as soon as one was back.", "到点时没有引擎在运行，引擎恢复后立即发布。";
        database = "The database did not answer at its moment; it went out as soon as it was back.", "到点时数据库没有响应，恢复后立即发布。";
        clock = "The clocks of the database and of the node were too far apart, so nothing was published until they agreed.", "数据库与节点的时钟相差过大，在一致之前未发布任何内容。";
        paused = "An admin had paused publishing; it went out after it was resumed.", "管理员暂停了发布，恢复后才发布。";
        hints = "Redis was away or had been wiped: the task was found in the database instead of being brought by its hint.", "Redis 不可用或已被清空：任务由数据库查得，而非由提示送达。";
        retried = "Its first attempt broke down; it was tried again.", "首次尝试失败，之后重试成功。";
        hinted = "Its hint was laid late: the feeder was behind.", "提示写入过晚：装载落后。";
        moved = "Its hint was moved late: the process stood still, or the machine was overloaded.", "提示移动过晚：进程停顿或机器过载。";
        popped = "It waited behind others: many tasks fell due at once.", "它排在其他任务之后：许多任务同时到点。";
        swept = "No hint brought it, the sweeper found it in the database: Redis had lost the hint, or the engine was busy starting.", "没有提示送达，由巡检从数据库中找到：Redis 丢失了提示，或引擎正在启动。";
        started = "It waited for its transaction: the database was busy.", "等待事务开始：数据库繁忙。";
        executed = "Its transaction took long: the database was slow or the task waited for a lock.", "事务耗时过长：数据库缓慢或在等待锁。";
        most(stage: String, ms: String) = "Most of the time passed before “{stage}”: {ms}.", "大部分时间在“{stage}”之前：{ms}。";
    }
}

impl LateWords {
    /// The reason.
    #[must_use]
    pub fn cause(self, late: &Late) -> &'static str {
        match (late.cause, late.stage) {
            (Cause::Hindered(Hindrance::Off), _) => self.off(),
            (Cause::Hindered(Hindrance::Database), _) => self.database(),
            (Cause::Hindered(Hindrance::Clock), _) => self.clock(),
            (Cause::Hindered(Hindrance::Paused), _) => self.paused(),
            (Cause::Hindered(Hindrance::Hints), _) => self.hints(),
            (Cause::Retried, _) => self.retried(),
            (Cause::Stage, Stage::Hinted) => self.hinted(),
            (Cause::Stage, Stage::Moved) => self.moved(),
            (Cause::Stage, Stage::Popped) => self.popped(),
            (Cause::Stage, Stage::Swept) => self.swept(),
            (Cause::Stage, Stage::Started) => self.started(),
            (Cause::Stage, Stage::Executed) => self.executed(),
        }
    }
}

/// The reason, and the stage that took longest.
#[must_use]
pub fn sentence(language: Language, late: &Late) -> String {
    let words = LateWords(language);
    let stage = TaskWords(language).stage_of(late.stage).to_owned();
    let gap = if language == Language::En { " " } else { "" };
    format!("{}{gap}{}", words.cause(late), words.most(stage, time::measured(language, late.took)))
}
