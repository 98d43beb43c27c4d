//! The texts of the demo.

use domain::account::Language::{self, En, Zh};

/// A demo article.
#[derive(Debug)]
pub struct Text {
    pub language: Language,
    pub title: &'static str,
    pub body: &'static str,
}

const fn text(language: Language, title: &'static str, body: &'static str) -> Text {
    Text { language, title, body }
}

/// All articles, in the order in which they are published.
pub const TEXTS: &[Text] = &[
    text(En, "What a deadline is for", "\
A deadline is a promise with a clock beside it. Readers never see it; they only notice when it was broken.

Good desks treat the moment of publication as part of the text. A weather warning that goes out an hour late is a different
article, and usually a worse one."),
    text(Zh, "为什么要定时发布", "\
文章写完的时刻，往往不是读者最想看到它的时刻。定时发布把“写作”和“发布”分开：编辑可以在安静的下午写，读者在早晨的地铁上读。

**前提只有一个**：到了约定的时间，它必须真的发出去，一次，不早也不晚。"),
    text(En, "Nine o'clock is not a moment", "\
“Nine o'clock” names twenty-four different moments, and twice a year it names one that does not exist or one that comes twice.

- Say the place as well as the hour.
- Show the moment in the reader's zone and in the desk's.
- Ask, rather than guess, on the night the clocks change."),
    text(Zh, "夏令时的两个夜晚", "\
春天有一个小时会消失，秋天有一个小时会重来。对大多数人来说，这只是睡眠的得失；对排期的编辑来说，这是两个容易出错的夜晚。

遇到不存在的时间，应当询问；遇到出现两次的时间，也应当询问。猜，是最坏的选择。"),
    text(En, "The last look before it goes out", "\
Before a text leaves the desk, a second person should read it once more from the top, aloud if the room allows it. Titles carry the
most mistakes, because everybody is sure that a colleague has read them.

> If a sentence makes you pause, it will stop the reader."),
    text(Zh, "标题要写给赶路的人", "\
赶路的人只看一眼标题。好的标题说清楚一件事：发生了什么，与谁有关。

1. 先写一个最直白的版本。
2. 去掉可以去掉的字。
3. 读出声来，确认它没有承诺正文做不到的事。"),
    text(En, "The article that did not go out", "\
This article was scheduled for a time at which the server was not running. It was not published late without notice: it is
listed on *Attention*, with the reason and the possible actions."),
    text(Zh, "被取消的计划", "\
计划可以取消，取消也应当留下痕迹：是谁，在什么时候，为什么。过一会儿想反悔，仍然来得及。"),
    text(En, "Corrections belong beside the mistake", "\
A correction hidden at the foot of another page corrects nothing. Put it where the mistake was, say what was wrong, and say
when it was changed. Readers forgive errors far more readily than silence."),
    text(Zh, "一次更正的价值", "\
更正不是丢脸的事。写明原来错在哪里、什么时候改的，读者会因此更信任其余的内容。"),
    text(En, "Short words for long days", "\
Late in the day the long words come by themselves: *utilise*, *commence*, *subsequently*. Replace them with *use*, *begin* and
*then*, and the text grows younger by an hour."),
    text(Zh, "清单的力量", "\
编辑部的墙上应当有一张清单：

- 人名核对了吗？
- 数字有出处吗？
- 图片有说明吗？
- 时间写清时区了吗？

清单并不聪明，但它从不疲倦。"),
    text(En, "A calendar is a kind of map", "\
A month seen at once shows what a list hides: the week in which everything happens, and the one in which nothing does. Move
one article by two days and both weeks improve."),
    text(Zh, "给校对的人留时间", "\
最常被压缩的时间，是校对的时间。把截稿往前挪半天，错误会少一半。这不是统计，是经验。"),
    text(En, "Numbers need company", "\
“Forty thousand” means nothing alone. Is it many? More than last year? One in how many? Give every number a neighbour, and the
reader can do the rest."),
    text(Zh, "中英文之间的空格", "\
在 Markdown 里写中文，常常夹着 English 和数字 42。空格留不留，各家规范不同；重要的是同一份刊物里始终一致。"),
    text(En, "Why drafts should sleep", "\
Leave a draft overnight and another person seems to have written it. That stranger's mistakes are easy to find.

Plan the publication for the morning after, and let the desk keep the appointment."),
    text(Zh, "早报的节奏", "\
早报的一天从前一天下午开始：选题、分配、写作、编辑、校对、排期。读者看到的七点整，是许多小小的准时加在一起的结果。"),
    text(En, "An archive is a promise, too", "\
Addresses of articles are quoted in places we will never see. When a name has to change, the old one should lead to the new
one, for as long as the site stands."),
    text(Zh, "准时是一种礼貌", "\
准时发布，是对读者时间的尊重。他们不必刷新页面，也不必猜测：说好九点，就是九点。"),
];
