//! Holidays. They are refused by name: their dates differ by year, country and church.

/// Holidays in English: lowercase, without apostrophes and points, and with spaces for hyphens. The longest
/// one that matches counts.
const ENGLISH: &[&str] = &[
    "new years eve",
    "new years day",
    "new year eve",
    "new year day",
    "new years",
    "new year",
    "nye",
    "epiphany",
    "twelfth night",
    "three kings",
    "candlemas",
    "groundhog day",
    "martin luther king day",
    "mlk day",
    "australia day",
    "chinese new year",
    "lunar new year",
    "spring festival",
    "lantern festival",
    "valentines day",
    "valentine day",
    "valentines",
    "valentine",
    "presidents day",
    "carnival",
    "mardi gras",
    "pancake day",
    "shrove tuesday",
    "ash wednesday",
    "st patricks day",
    "saint patricks day",
    "st patricks",
    "womens day",
    "mothers day",
    "fathers day",
    "april fools day",
    "april fools",
    "qingming festival",
    "qingming",
    "tomb sweeping day",
    "passover",
    "ramadan",
    "eid al fitr",
    "eid al adha",
    "eid",
    "palm sunday",
    "maundy thursday",
    "holy thursday",
    "good friday",
    "holy saturday",
    "easter monday",
    "easter sunday",
    "easter saturday",
    "easter friday",
    "easter eve",
    "easter day",
    "easter",
    "anzac day",
    "earth day",
    "may day",
    "labor day",
    "labour day",
    "workers day",
    "childrens day",
    "teachers day",
    "memorial day",
    "victory day",
    "ve day",
    "ascension day",
    "ascension",
    "pentecost",
    "whit monday",
    "whit sunday",
    "whitsun",
    "corpus christi",
    "dragon boat festival",
    "dragon boat",
    "juneteenth",
    "midsummer eve",
    "midsummer day",
    "midsummers day",
    "midsummer",
    "canada day",
    "independence day",
    "bastille day",
    "assumption day",
    "qixi",
    "mid autumn festival",
    "mid autumn",
    "moon festival",
    "golden week",
    "national day",
    "unity day",
    "double ninth",
    "rosh hashanah",
    "yom kippur",
    "hanukkah",
    "chanukah",
    "purim",
    "holi",
    "diwali",
    "columbus day",
    "indigenous peoples day",
    "reformation day",
    "halloween",
    "all hallows eve",
    "all saints day",
    "all saints",
    "all souls day",
    "all souls",
    "guy fawkes night",
    "guy fawkes",
    "bonfire night",
    "remembrance day",
    "remembrance sunday",
    "armistice day",
    "veterans day",
    "singles day",
    "thanksgiving day",
    "thanksgiving",
    "black friday",
    "cyber monday",
    "advent sunday",
    "advent",
    "st nicholas day",
    "st nicholas",
    "saint nicholas",
    "winter solstice",
    "summer solstice",
    "christmas eve",
    "christmas day",
    "christmastime",
    "christmas time",
    "christmas",
    "xmas eve",
    "xmas day",
    "xmas",
    "x mas",
    "boxing day",
    "st stephens day",
    "kwanzaa",
    "bank holiday monday",
    "bank holiday",
    "public holiday",
    "holiday",
    "holidays",
];

/// Holidays in German: as in English, also without the letters that only German has.
const GERMAN: &[&str] = &[
    "silvester",
    "neujahrstag",
    "neujahr",
    "dreikönigstag",
    "dreikoenigstag",
    "heilige drei könige",
    "heilige drei koenige",
    "weiberfastnacht",
    "fastnacht",
    "fasching",
    "karneval",
    "rosenmontag",
    "faschingsdienstag",
    "aschermittwoch",
    "valentinstag",
    "frauentag",
    "palmsonntag",
    "gründonnerstag",
    "gruendonnerstag",
    "karfreitag",
    "karsamstag",
    "ostern",
    "ostersamstag",
    "ostersonntag",
    "ostermontag",
    "tag der arbeit",
    "muttertag",
    "vatertag",
    "christi himmelfahrt",
    "mariä himmelfahrt",
    "mariae himmelfahrt",
    "himmelfahrt",
    "pfingsten",
    "pfingstsonntag",
    "pfingstmontag",
    "fronleichnam",
    "augsburger friedensfest",
    "tag der deutschen einheit",
    "nationalfeiertag",
    "bundesfeiertag",
    "reformationstag",
    "allerheiligen",
    "allerseelen",
    "martinstag",
    "sankt martin",
    "volkstrauertag",
    "buß und bettag",
    "buss und bettag",
    "totensonntag",
    "nikolaustag",
    "nikolaus",
    "heiligabend",
    "heiliger abend",
    "erster weihnachtsfeiertag",
    "zweiter weihnachtsfeiertag",
    "weihnachtsfeiertag",
    "weihnachtstag",
    "weihnachten",
    "stephanstag",
    "stefanitag",
    "feiertag",
    "feiertage",
    "feiertags",
];

/// Holidays in Chinese, simplified. The longest one that matches counts.
const CHINESE: &[&str] = &[
    "元旦",
    "除夕",
    "大年初一",
    "大年三十",
    "大年",
    "小年夜",
    "跨年",
    "春节",
    "过年",
    "新年",
    "农历新年",
    "元宵",
    "情人节",
    "妇女节",
    "三八节",
    "植树节",
    "愚人节",
    "清明",
    "寒食节",
    "复活节星期一",
    "复活节周一",
    "复活节",
    "耶稣受难日",
    "受难日",
    "五一节",
    "五一劳动节",
    "五一假期",
    "劳动节",
    "青年节",
    "五四青年节",
    "母亲节",
    "父亲节",
    "儿童节",
    "六一儿童节",
    "端午",
    "建党节",
    "建军节",
    "七夕",
    "中元节",
    "教师节",
    "中秋",
    "国庆",
    "十一黄金周",
    "十一假期",
    "黄金周",
    "重阳",
    "万圣节",
    "万圣夜",
    "双十一",
    "双11",
    "双十二",
    "双12",
    "光棍节",
    "感恩节",
    "黑色星期五",
    "黑五",
    "冬至",
    "夏至",
    "平安夜",
    "圣诞前夜",
    "圣诞节",
    "圣诞",
    "腊八",
    "佛诞",
    "开斋节",
    "光明节",
    "逾越节",
    "排灯节",
    "母亲日",
    "法定节假日",
    "节假日",
    "假日",
    "假期",
];

/// The number of characters of the holiday that begins a text of plain characters; `None`: none does.
pub(super) fn length_at_start(text: &[char]) -> Option<usize> {
    let english = ENGLISH.iter().chain(GERMAN).filter_map(|name| english_length(text, name)).max();
    english.or_else(|| CHINESE.iter().filter_map(|name| chinese_length(text, name)).max())
}

fn chinese_length(text: &[char], name: &str) -> Option<usize> {
    let length = name.chars().count();
    (text.len() >= length && name.chars().zip(text).all(|(one, other)| one == *other)).then_some(length)
}

/// Apostrophes and points in the text are left out, and blanks and hyphens are one. The name ends at the
/// end of a word.
fn english_length(text: &[char], name: &str) -> Option<usize> {
    let is_left_out = |letter: char| matches!(letter, '\'' | '.');
    let is_space = |letter: char| matches!(letter, ' ' | '-' | '_');
    let mut at = 0;
    for letter in name.chars() {
        while at > 0 && text.get(at).copied().is_some_and(is_left_out) {
            at += 1;
        }
        let next = text.get(at).copied()?;
        if letter == ' ' {
            let length = text.get(at..)?.iter().take_while(|next| is_space(**next)).count();
            if length == 0 {
                return None;
            }
            at += length;
        } else if next == letter {
            at += 1;
        } else {
            return None;
        }
    }
    let rest = text.get(at..).unwrap_or_default();
    // `christmas'`, `christmas's`
    let rest_of_word = match rest {
        ['\'', 's', rest @ ..] | ['\'', rest @ ..] => rest,
        rest => rest,
    };
    let ends_word = !rest_of_word.first().is_some_and(|next| next.is_ascii_alphanumeric());
    ends_word.then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_start(text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        letters.iter().take(length_at_start(&letters).unwrap_or_default()).collect()
    }

    #[test]
    fn the_whole_name_of_a_holiday_is_found() {
        for (text, name) in [
            ("christmas 9am", "christmas"),
            ("christmas eve 9am", "christmas eve"),
            ("new year's eve 9am", "new year's eve"),
            ("new-year 9am", "new-year"),
            ("st. patrick's day", "st. patrick's day"),
            ("x-mas", "x-mas"),
            ("good friday", "good friday"),
            ("圣诞节上午九点", "圣诞节"),
            ("heiligabend um 9", "heiligabend"),
            ("buß- und bettag", "buß- und bettag"),
            ("ostermontagen", ""),
            ("christmasy", ""),
            ("goods friday", ""),
            ("eidetic", ""),
            ("friday", ""),
            ("", ""),
        ] {
            assert_eq!(at_start(text), name, "{text}");
        }
    }
}
