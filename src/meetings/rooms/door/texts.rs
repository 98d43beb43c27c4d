//! Texts of the door page.

use domain::account::Language;

/// Texts of the door page in one language.
#[derive(Debug)]
pub struct DoorTexts {
    /// Language of the page.
    pub lang: &'static str,
    /// The room is free.
    pub free: &'static str,
    /// Before the end of the free time.
    pub until: &'static str,
    /// It is free for the rest of the day.
    pub free_long: &'static str,
    /// The room is in use.
    pub busy: &'static str,
    /// Before the next meeting.
    pub next: &'static str,
    /// No meeting follows.
    pub nothing_next: &'static str,
    /// Label of the button.
    pub check_in: &'static str,
    /// Before the end of the time to check in.
    pub check_in_until: &'static str,
    /// Below the QR code.
    pub scan: &'static str,
    /// Title of the form.
    pub book: &'static str,
    /// Label of the field.
    pub pin: &'static str,
    /// After a number of minutes.
    pub minutes: &'static str,
    /// Title of a meeting that is booked at the door.
    pub booked_here: &'static str,
    /// The room was booked.
    pub booked: &'static str,
    /// A user checked in.
    pub checked_in: &'static str,
    /// The link does not work.
    pub unknown: &'static str,
    /// Label of the clock.
    pub clock: &'static str,
    /// The action was refused because the room is taken.
    pub taken: &'static str,
    /// The PIN is wrong.
    pub wrong_pin: &'static str,
    /// Too many wrong PINs.
    pub too_many: &'static str,
    /// Another refusal.
    pub refused: &'static str,
}

static EN: DoorTexts = DoorTexts {
    lang: "en",
    free: "Free",
    until: "until",
    free_long: "for the rest of the day",
    busy: "In use",
    next: "Next:",
    nothing_next: "Nothing is booked in the next 24 hours.",
    check_in: "Check in",
    check_in_until: "Check in until",
    scan: "Or scan this code with a phone to check in.",
    book: "Book now",
    pin: "PIN of the room",
    minutes: "min",
    booked_here: "Booked at the door",
    booked: "The room is booked.",
    checked_in: "You are checked in.",
    unknown: "This link no longer works. Ask an admin for a new one.",
    clock: "Time",
    taken: "The room is taken during that time. Choose a shorter one.",
    wrong_pin: "This is not the PIN of the room.",
    too_many: "Too many wrong PINs. Try again in a minute.",
    refused: "This was not possible. The page shows the current state.",
};

static ZH: DoorTexts = DoorTexts {
    lang: "zh",
    free: "空闲",
    until: "至",
    free_long: "今天余下时间",
    busy: "使用中",
    next: "接下来：",
    nothing_next: "未来 24 小时没有预订。",
    check_in: "签到",
    check_in_until: "签到截止",
    scan: "或用手机扫码签到。",
    book: "立即预订",
    pin: "会议室 PIN",
    minutes: "分钟",
    booked_here: "门口预订",
    booked: "已预订会议室。",
    checked_in: "已签到。",
    unknown: "此链接已失效。请向管理员索取新链接。",
    clock: "时间",
    taken: "该时段会议室已被占用，请选择更短的时间。",
    wrong_pin: "PIN 不正确。",
    too_many: "PIN 错误次数过多，请一分钟后再试。",
    refused: "无法执行。页面显示的是当前状态。",
};

/// Returns the texts in this language.
pub const fn of(language: Language) -> &'static DoorTexts {
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}
