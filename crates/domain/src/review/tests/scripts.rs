//! Terms and texts in fifteen scripts: script, line of a word list, text.

use super::{Action, CompiledLists, hits};
use crate::review::read_terms;
use std::collections::BTreeSet;

static INNOCENT: [(&str, &str, &str); 60] = [
    ("Latin", "pot", "Рот и нос."),
    ("Latin", "paypal", "Pay a pal."),
    ("Latin", "ass", "class and assess"),
    ("Latin", "ano", "el año nuevo"),
    ("Greek", "kai", "ψωμί και νερό"),
    ("Greek", "κακό", "κακόμοιρος"),
    ("Greek", "ναρκωτικά", "ναρκωτικάρης"),
    ("Greek", "όπλο", "όπλον"),
    ("Cyrillic", "cop", "мусор и сор"),
    ("Cyrillic", "рот", "pot roast"),
    ("Cyrillic", "мат", "математика"),
    ("Cyrillic", "хер", "херувим"),
    ("Arabic", "سم", "اسم"),
    ("Arabic", "سم", "رسم بياني"),
    ("Arabic", "حرب", "حرباء"),
    ("Arabic", "بار", "بارد"),
    ("Hebrew", "סם", "קסם"),
    ("Hebrew", "בר", "ברבור"),
    ("Hebrew", "גז", "גזר"),
    ("Hebrew", "מת", "מתנה"),
    ("Devanagari", "कम", "काम"),
    ("Devanagari", "कम", "कमी"),
    ("Devanagari", "कम", "कमल"),
    ("Devanagari", "मल", "माला"),
    ("Bengali", "মদ", "মাদক"),
    ("Bengali", "মদ", "মদন"),
    ("Bengali", "কল", "কলা"),
    ("Bengali", "কল", "কাল"),
    ("Tamil", "பல்", "பால்"),
    ("Tamil", "பல்", "பல"),
    ("Tamil", "பல", "பல்"),
    ("Tamil", "கள்", "கள்ளர்"),
    ("Telugu", "కల", "కాల"),
    ("Telugu", "కల", "కలం"),
    ("Telugu", "కల", "కలప"),
    ("Telugu", "మత", "మాత"),
    ("Thai", "นา", "นำ"),
    ("Thai", "ยา", "ย่า"),
    ("Thai", "มา", "เมา"),
    ("Thai", "ยา ! พยาน | พยาบาล", "พยานและพยาบาล"),
    ("Lao", "ຢາ", "ຢ່າ"),
    ("Lao", "ມາ", "ເມາ"),
    ("Lao", "ນາ", "ນຳ"),
    ("Lao", "ຍາ ! ພະຍາດ", "ພະຍາດ"),
    ("Khmer", "កម", "កាម"),
    ("Khmer", "កម", "កម្ម"),
    ("Khmer", "មា", "កម្មា"),
    ("Khmer", "ស្រា ! ស្រាវជ្រាវ", "ស្រាវជ្រាវ"),
    ("Burmese", "ကမ", "ကာမ"),
    ("Burmese", "က", "ကန်"),
    ("Burmese", "မူ", "မူး"),
    ("Burmese", "စာ", "စား"),
    ("Japanese", "スキ", "スキー"),
    ("Japanese", "チ", "チョコ"),
    ("Japanese", "ハカ", "バカ"),
    ("Japanese", "あほ ! あほうどり", "あほうどり"),
    ("Korean", "사기", "사기업"),
    ("Korean", "사기", "감사기도"),
    ("Korean", "마약", "마약김밥"),
    ("Korean", "바", "바다"),
];

static GUILTY: [(&str, &str, &str); 60] = [
    ("Latin", "paypal", "Log in to pаypal now"),
    ("Latin", "paypal", "PayPal!"),
    ("Latin", "paypal", "pay\u{200b}pal"),
    ("Latin", "casino", "ｃａｓｉｎｏ에서"),
    ("Greek", "όπλο", "το ΌΠΛΟ εδώ"),
    ("Greek", "νόμος", "νόμοσ"),
    ("Greek", "ναρκωτικά", "Τα ναρκωτικά."),
    ("Greek", "ηρωίνη", "ηρωι\u{301}νη"),
    ("Cyrillic", "казино", "КАЗИНО"),
    ("Cyrillic", "казино", "к\u{61}зино"),
    ("Cyrillic", "мат", "это мат"),
    ("Cyrillic", "наркотики", "нарко\u{301}тики"),
    ("Arabic", "خمر", "خَمْر"),
    ("Arabic", "قمار", "لعبة قمار."),
    ("Arabic", "سلاح", "سلاح؟"),
    ("Arabic", "خمر", "خم\u{640}ـر"),
    ("Hebrew", "סם", "סַם"),
    ("Hebrew", "הימורים", "אתר הימורים"),
    ("Hebrew", "נשק", "נֶשֶׁק"),
    ("Hebrew", "סם", "זה סם!"),
    ("Devanagari", "कम", "बहुत कम है"),
    ("Devanagari", "शराब", "शराब, और"),
    ("Devanagari", "जुआ", "यह जुआ।"),
    ("Devanagari", "हिन्दी", "हिन्\u{200d}दी"),
    ("Bengali", "মদ", "মদ খাওয়া"),
    ("Bengali", "জু\u{9df}া", "জু\u{9af}\u{9bc}া"),
    ("Bengali", "কল", "কল ও জল"),
    ("Bengali", "মদ", "(মদ)"),
    ("Tamil", "பல்", "பல் வலி"),
    ("Tamil", "மது", "மது!"),
    ("Tamil", "கள்", "கள் கடை"),
    ("Tamil", "சூது", "“சூது”"),
    ("Telugu", "మద్యం", "మద్యం."),
    ("Telugu", "కల", "ఒక కల"),
    ("Telugu", "జూదం", "జూదం ఆట"),
    ("Telugu", "మత", "మత, కుల"),
    ("Thai", "ยา", "ขายยาที่นี่"),
    ("Thai", "พนัน", "เว็บพนันออนไลน์"),
    ("Thai", "เหล้า", "ดื่มเหล้าทุกวัน"),
    ("Thai", "บ่อน", "เปิดบ่อนใหม่"),
    ("Lao", "ຢາບ້າ", "ຂາຍຢາບ້າຢູ່"),
    ("Lao", "ເຫຼົ້າ", "ດື່ມເຫຼົ້າຫຼາຍ"),
    ("Lao", "ພະນັນ", "ເວັບພະນັນອອນລາຍ"),
    ("Lao", "ຢາ", "ກິນ\u{200b}ຢາ"),
    ("Khmer", "ស្រា", "លក់ស្រានៅទីនេះ"),
    ("Khmer", "ល្បែង", "លេងល្បែងច្រើន"),
    ("Khmer", "ថ្នាំ", "ទិញ\u{200b}ថ្នាំ"),
    ("Khmer", "កម", "កម\u{200b}ទៅ"),
    ("Burmese", "လောင်းကစား", "အွန်လိုင်းလောင်းကစားဝိုင်း"),
    ("Burmese", "အရက်", "အရက်သောက်"),
    ("Burmese", "ဆေး", "ဆေးရောင်း"),
    ("Burmese", "ဖဲ", "သူဖဲရိုက်"),
    ("Japanese", "カジノ", "オンラインカジノへようこそ"),
    ("Japanese", "ばか", "おばかさん"),
    ("Japanese", "バカ", "ﾊﾞｶだ"),
    ("Japanese", "賭博", "違法賭博です"),
    ("Korean", "도박", "도박을 했다"),
    ("Korean", "카지노", "카지노에서는"),
    ("Korean", "마약", "마약은"),
    ("Korean", "도박", "\u{1103}\u{1169}\u{1107}\u{1161}\u{11a8}"),
];

fn found<'a>(line: &str, text: &'a str) -> Vec<&'a str> {
    hits(&CompiledLists::new(&[(Action::Block, read_terms(line))]), text)
}

#[test]
fn other_words_of_fifteen_scripts_are_no_hits() {
    let wrong: Vec<_> = INNOCENT.iter().filter(|(_, line, text)| !found(line, text).is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn terms_of_fifteen_scripts_are_found() {
    let scripts: BTreeSet<&str> = GUILTY.iter().chain(&INNOCENT).map(|(script, ..)| *script).collect();
    assert_eq!(scripts.len(), 15);
    let missed: Vec<_> = GUILTY.iter().filter(|(_, line, text)| found(line, text).is_empty()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn a_hit_has_whole_letters() {
    assert_eq!(found("ယာ", "လယာ"), ["ယာ"]);
    assert_eq!(found("நிலா", "நிலா!"), ["நிலா"]);
    assert_eq!(found("บ่อน", "เปิดบ่อนใหม่"), ["บ่อน"]);
    assert_eq!(found("कम*", "कमी कमल"), ["कम"], "not inside of a letter");
    assert_eq!(found("*도박*", "불법도박사이트"), ["도박"]);
    assert_eq!(found("마약", "마약중독 마약이다"), ["마약"]);
}
