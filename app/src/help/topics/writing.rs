//! Topics of Today, articles and the calendar.

use super::topics;

topics! {
    TODAY: Today {
        "today" [] ["attention", "scheduled", "due", "missed", "overdue", "held", "unconfirmed", "retry", "lateness", "posting-slot"]:
            "Today", "今天";
            "See what needs you, what is published next, and what was published last.", "查看需要你处理的事项、接下来发布的内容和最近发布的内容。";
            "Each card under “Needs you” is one cause with its remedy, and goes away with the cause; the page updates by itself.", "“需要你处理”下的每张卡片是一个原因及处理办法，原因消除后卡片自动消失；页面会自动更新。";
        "quick-add" [] ["posting-slot", "scheduled", "reading", "draft"]:
            "Quick add", "快速添加";
            "Enter a title and a time in words, and press Enter.", "输入标题和时间（可用文字），然后按回车。";
            "The article or reminder is scheduled at once, in the next free slot if you name no time; the text can follow later.", "文章或提醒会立即安排；未填时间则使用下一个空闲时段，正文可以以后再写。";
        "notifications" [] ["notification", "device", "quiet-hours", "undo"]:
            "Notifications", "通知";
            "Read what happened to your articles, meetings and reminders, the newest first.", "查看你的文章、会议和提醒发生了什么，最新的在前。";
            "A notification leads to its page and often offers Undo; mark all as read when you have seen them.", "通知会链接到相关页面，通常可以撤销；看完后可全部标为已读。";
        "help" [] ["desk", "undo"]:
            "Help", "帮助";
            "Press ? or choose Help on any page to read what the page is for, its keys and its words.", "在任何页面按 ? 或选择“帮助”，即可查看该页面的用途、快捷键和用语。";
            "This page has all of it, with a search that finds pages, words and keys in both languages.", "此页面包含全部帮助内容，可用中英文搜索页面、用语和快捷键。";
    }
}

topics! {
    ARTICLES: Articles {
        "articles" [List] ["draft", "scheduled", "held", "tag", "saved-view", "trash"]:
            "Articles", "文章";
            "Find articles by state, person, tag or text, and tick rows to change several together.", "按状态、人员、标签或文字查找文章，勾选多行可一起更改。";
            "Each change is shown before it is made and can be undone; deleted articles stay in the trash for 30 days.", "更改前会先显示结果，更改后可以撤销；删除的文章在回收站保留 30 天。";
        "editor" [Editor] ["draft", "revision", "posting-slot", "reading", "slug", "tag", "translation", "presence"]:
            "Editor", "编辑器";
            "Write the text on the left, and choose in the schedule panel when it becomes public.", "在左侧写正文，在安排面板中选择公开时间。";
            "Typing is saved by itself as a draft; the scheduled revision is published at its time, and the panel shows which one that is. After a save, a web address alone in its paragraph becomes a card with the title of its page; put it in angle brackets to keep the link.", "输入内容会自动保存为草稿；到时间发布已安排的修订版，面板会显示是哪一版。保存后，独占一段的网址会变成带有网页标题的卡片；用尖括号括住网址则保留普通链接。";
        "article-plan" [] ["draft", "scheduled", "zone", "slug"]:
            "Import a plan", "导入发布计划";
            "Paste a table or choose a file: each row becomes an article, with a time if the row has one.", "粘贴表格或选择文件：每一行成为一篇文章，行内有时间则一并安排。";
            "You first see what each row would become, and only then confirm; Undo cancels the schedules, and the articles stay as drafts.", "先查看每一行的结果，确认后才写入；撤销会取消这些安排，文章保留为草稿。";
        "revisions" [] ["revision", "undo"]:
            "Revisions", "修订版";
            "Compare two saved states of an article, and see who changed what.", "比较文章的两个已保存版本，查看谁改了什么。";
            "Restoring an earlier revision makes it the current text; no later revision is lost.", "恢复较早的修订版会使其成为当前正文，之后的修订版不会丢失。";
        "links" [] ["draft"]:
            "Links", "链接检查";
            "See whether each link in the text of an article answers.", "查看文章正文中的每个链接是否有响应。";
            "Nothing is changed; correct the links that fail in the editor.", "不会更改任何内容；请在编辑器中修正失效的链接。";
        "releases" [] ["release", "revision", "held"]:
            "Releases", "发布组";
            "Put articles together that become public at the same moment, and choose that moment.", "把要同时公开的文章放在一起，并选择公开时间。";
            "At that moment all of them are published, or none if one is blocked; a release can be reverted.", "到时间全部发布；若有一篇受阻则全部不变。发布组可以恢复原状。";
        "media" [] ["alternative-text", "draft"]:
            "Media", "媒体";
            "Upload pictures and files, describe what they show, replace them, and see which articles use them.", "上传和替换图片与文件，填写图片说明，并查看哪些文章在使用。";
            "A file becomes public with the first published article that uses it, not before.", "使用该文件的文章发布后，文件才会公开。";
        "review" [List, Review] ["review", "approval", "workflow", "word-list", "held"]:
            "Review", "审核";
            "See which articles wait for a decision: held ones first, then those with the nearest deadline.", "查看等待决定的文章：已搁置的在前，其次是期限最近的。";
            "Open one to approve it or to send it back; the author is notified.", "打开文章即可批准或退回，作者会收到通知。";
        "review-text" [Review] ["review", "approval", "revision", "word-list"]:
            "Review of an article", "审核文章";
            "Read the submitted text with its changes and marked words, and leave comments at its paragraphs.", "阅读提交的正文、改动和标出的词语，并可对段落写评论。";
            "An approval is for exactly this revision; sending back asks for a reason, which the author reads.", "批准仅对这一修订版有效；退回时须填写原因，作者会看到。";
        "review-link" [] ["review", "approval", "revision"]:
            "Review by link", "通过链接审核";
            "Decide about one article without an account, by the link that you were sent.", "无需账号，通过收到的链接对一篇文章作出决定。";
            "Your name and decision are recorded, and the author is notified.", "你的姓名和决定会被记录，作者会收到通知。";
    }
}

topics! {
    CALENDAR: Calendar {
        "calendar" [Calendar, Moving] ["scheduled", "posting-slot", "release", "series", "zone", "draft"]:
            "Calendar", "日历";
            "See everything that has a time, by month, week, day or as an agenda, and move it with pointer or keys.", "按月、周、日或日程查看所有有时间的内容，可用鼠标或键盘移动。";
            "A moved item is rescheduled at once and can be undone; a free slot opens a new article at that time. In the week and the day, a number such as +3 leads to the items that have no room.", "移动后立即改期，可以撤销；选择空闲时段可在该时间新建文章。在周视图和日视图中，“+3”这样的数字会打开放不下的内容。";
    }
}
