//! All keys, in groups. The help panel, the help pages and the tests read this one list.

use super::phrase::Phrase;

/// A key or several, and what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Alternatives, separated by a comma and a space; the keys of one by a space: `Ctrl K`, `J, K`.
    pub keys: &'static str,
    /// What they do.
    pub what: Phrase,
}

impl Key {
    /// The alternatives, each with its keys.
    pub fn alternatives(self) -> impl Iterator<Item = std::str::Split<'static, char>> {
        self.keys.split(", ").map(|keys| keys.split(' '))
    }
}

/// Where keys work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyGroup {
    /// On all pages.
    Everywhere,
    /// In lists with rows.
    List,
    /// In the calendar.
    Calendar,
    /// While an item of the calendar is being moved.
    Moving,
    /// On the pages of rooms.
    Rooms,
    /// In the text of an article.
    Editor,
    /// On the page of a review.
    Review,
}

impl KeyGroup {
    /// All groups, in the order of the help page.
    pub const ALL: [Self; 7] =
        [Self::Everywhere, Self::List, Self::Calendar, Self::Moving, Self::Rooms, Self::Editor, Self::Review];

    /// Where the keys work, in words.
    #[must_use]
    pub fn title(self) -> Phrase {
        match self {
            Self::Everywhere => Phrase::new("On all pages", "所有页面"),
            Self::List => Phrase::new("In a list", "列表中"),
            Self::Calendar => Phrase::new("In the calendar", "日历中"),
            Self::Moving => Phrase::new("While you move an item", "移动日历项时"),
            Self::Rooms => Phrase::new("On the pages of rooms", "会议室页面"),
            Self::Editor => Phrase::new("In the text of an article", "文章正文中"),
            Self::Review => Phrase::new("On the page of a review", "审核页面"),
        }
    }

    /// The keys.
    #[must_use]
    pub fn keys(self) -> &'static [Key] {
        match self {
            Self::Everywhere => EVERYWHERE,
            Self::List => LIST,
            Self::Calendar => CALENDAR,
            Self::Moving => MOVING,
            Self::Rooms => ROOMS,
            Self::Editor => EDITOR,
            Self::Review => REVIEW,
        }
    }
}

/// Declares lists of keys.
macro_rules! keys {
    ($($name:ident { $($keys:literal = $en:literal, $zh:literal;)+ })+) => {
        $(const $name: &[Key] = &[$(Key { keys: $keys, what: Phrase::new($en, $zh) }),+];)+
    };
}

keys! {
    EVERYWHERE {
        "Ctrl K" = "Search, and go to a page or an article", "搜索，前往页面或文章";
        "N" = "Quick add: a title, a time, Enter", "快速添加：标题、时间、回车";
        "/" = "Search in the list, or everywhere", "在列表中搜索，或全局搜索";
        "?" = "Help about this page", "当前页面的帮助";
        "Z" = "Undo the last change", "撤销上次更改";
        "G D" = "Open Today", "打开“今天”";
        "G A" = "Open the articles", "打开文章";
        "G C" = "Open the calendar", "打开日历";
        "G M" = "Open the meetings", "打开会议";
        "G R" = "Open the reminders", "打开提醒";
        "G T" = "Open the queue", "打开队列";
        "G N" = "Open the notifications", "打开通知";
        "G S" = "Open the settings", "打开设置";
        "Esc" = "Close a panel, a menu or a form", "关闭面板、菜单或表单";
    }
    LIST {
        "J, K" = "Next and previous row", "下一行、上一行";
        "↓, ↑" = "Next and previous row, once a row has the focus", "行获得焦点后：下一行、上一行";
        "E" = "Edit what is in the row", "编辑该行内容";
        "M" = "Reschedule it", "改期";
        "X" = "Cancel or delete it", "取消或删除";
        "P" = "Publish it, or do it now", "立即发布或执行";
    }
    CALENDAR {
        "←, →" = "Previous and next day; without one in focus, or at the end, as H and L", "前一天、后一天；没有焦点或到头时与 H 和 L 相同";
        "H, L" = "Previous and next month, week or day", "上一个、下一个月、周或日";
        "J, K" = "Next and previous item", "下一项、上一项";
        "↓, ↑" = "Next and previous item, once an item has the focus", "某项获得焦点后：下一项、上一项";
        "T" = "Go to today", "回到今天";
        "1, 2, 3, 4" = "Show the month, the week, the day or the agenda", "显示月、周、日或日程";
        "N" = "Begin something new on the day that has the focus", "在焦点所在的日期新建";
        "M" = "Move the item that has the focus", "移动获得焦点的日历项";
        "Space" = "Select the item, to move several together", "选择日历项，以便一起移动";
        "Esc" = "End the selection", "结束选择";
    }
    MOVING {
        "←, →" = "One day earlier or later", "提前或推后一天";
        "↑, ↓" = "One step earlier or later on the day", "在当天提前或推后一格";
        "PgUp, PgDn" = "One week earlier or later", "提前或推后一周";
        "Shift ↑, Shift ↓" = "Make a meeting shorter or longer", "缩短或延长会议";
        "Enter" = "Move it to the time shown", "移到显示的时间";
        "Esc" = "Leave it where it was", "保持原位";
    }
    ROOMS {
        "←, →" = "Previous and next day or week", "前一天、后一天，或上一周、下一周";
    }
    EDITOR {
        "Ctrl B" = "Bold", "粗体";
        "Ctrl I" = "Italic", "斜体";
        "Ctrl K" = "Link", "链接";
        "Ctrl S" = "Save", "保存";
        "Ctrl F" = "Find and replace", "查找与替换";
        "Ctrl ." = "Show nothing but the text, and all again", "只显示正文，再按一次恢复";
        "Tab, Shift Tab" = "Indent an item of a list, or move it back", "缩进或取消缩进列表项";
        "Esc Tab" = "Leave the text, to the next field", "离开正文，前往下一个控件";
    }
    REVIEW {
        "A" = "Approve, and open the next text", "批准并打开下一篇";
        "S" = "Send it back with a reason", "退回并说明原因";
    }
}
