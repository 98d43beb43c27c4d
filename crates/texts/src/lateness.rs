//! Why a task was executed late, as a sentence.

use crate::tasks::TaskTexts;
use crate::{Language, punctuation, texts, time};
use domain::late_cause::{Impairment, LateCause, LateExplanation, Stage};

texts! {
    /// Causes of lateness.
    LatenessTexts {
        off = "No engine was running at the due time; it ran as soon as one was back.", "到点时没有引擎在运行，引擎恢复后立即执行。";
        database = "The database did not respond at the due time; it ran as soon as the database was back.", "到点时数据库没有响应，恢复后立即执行。";
        clock = "The clocks of the database and the node differed too much; nothing was published until they agreed.", "数据库与节点的时钟相差过大，在一致之前未发布任何内容。";
        paused = "Publishing was paused by an admin; it ran after the resume.", "管理员暂停了发布，恢复后才执行。";
        hints = "Redis was unavailable or wiped: the task was found in the database, not through its hint.", "Redis 不可用或已被清空：任务由数据库查得，而非由提示送达。";
        retried = "The first attempt failed; a retry succeeded.", "首次尝试失败，重试后成功。";
        hinted = "Its hint was written late: the feeder was behind.", "提示写入过晚：装载落后。";
        moved = "Its hint was moved late: the process was stopped, or the machine overloaded.", "提示移动过晚：进程停顿或机器过载。";
        popped = "It waited behind other tasks: many were due at the same time.", "它排在其他任务之后：许多任务同时到点。";
        swept = "The sweeper found it in the database: Redis had lost its hint, or the engine was starting.", "没有提示送达，由巡检从数据库中找到：Redis 丢失了提示，或引擎正在启动。";
        started = "It waited for its transaction: the database was busy.", "等待事务开始：数据库繁忙。";
        executed = "Its transaction took long: the database was slow, or it waited for a lock.", "事务耗时过长：数据库缓慢或在等待锁。";
        most(stage: String, ms: String) = "Longest step: {ms} before “{stage}”.", "最长的一步：“{stage}”之前 {ms}。";
    }
}

impl LatenessTexts {
    /// Sentence for the cause.
    #[must_use]
    pub fn cause(self, late: &LateExplanation) -> &'static str {
        match (late.cause, late.stage) {
            (LateCause::Impaired(Impairment::Off), _) => self.off(),
            (LateCause::Impaired(Impairment::Database), _) => self.database(),
            (LateCause::Impaired(Impairment::Clock), _) => self.clock(),
            (LateCause::Impaired(Impairment::Paused), _) => self.paused(),
            (LateCause::Impaired(Impairment::Hints), _) => self.hints(),
            (LateCause::Retried, _) => self.retried(),
            (LateCause::Stage, Stage::Hinted) => self.hinted(),
            (LateCause::Stage, Stage::Moved) => self.moved(),
            (LateCause::Stage, Stage::Popped) => self.popped(),
            (LateCause::Stage, Stage::Swept) => self.swept(),
            (LateCause::Stage, Stage::Started) => self.started(),
            (LateCause::Stage, Stage::Executed) => self.executed(),
        }
    }
}

/// The cause, and the stage that took longest.
#[must_use]
pub fn sentence(language: Language, late: &LateExplanation) -> String {
    let texts = LatenessTexts(language);
    let stage = TaskTexts(language).stage_of(late.stage).to_owned();
    let gap = punctuation::gap(language);
    format!("{}{gap}{}", texts.cause(late), texts.most(stage, time::measured(language, late.duration_ms)))
}
