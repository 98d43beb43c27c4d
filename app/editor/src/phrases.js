// The words of find and replace. The English ones are those of CodeMirror, with capitals.

const english = {
  next: "Next",
  previous: "Previous",
  all: "All",
  "match case": "Match case",
  "by word": "Whole words",
  regexp: "Regular expression",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close",
};

const chinese = {
  Find: "查找",
  Replace: "替换为",
  next: "下一个",
  previous: "上一个",
  all: "全部选中",
  "match case": "区分大小写",
  "by word": "全字匹配",
  regexp: "正则表达式",
  replace: "替换",
  "replace all": "全部替换",
  close: "关闭",
  "current match": "当前匹配项",
  "replaced $ matches": "已替换 $ 处",
  "replaced match on line $": "已替换第 $ 行的匹配项",
  "on line": "位于行",
};

const german = {
  Find: "Suchen",
  Replace: "Ersetzen durch",
  next: "Weiter",
  previous: "Zurück",
  all: "Alle",
  "match case": "Groß- und Kleinschreibung",
  "by word": "Ganze Wörter",
  regexp: "Regulärer Ausdruck",
  replace: "Ersetzen",
  "replace all": "Alle ersetzen",
  close: "Schließen",
  "current match": "aktueller Treffer",
  "replaced $ matches": "$ Treffer ersetzt",
  "replaced match on line $": "Treffer in Zeile $ ersetzt",
  "on line": "in Zeile",
};

const ofLanguage = { zh: chinese, de: german };

export const phrases = (language) => ofLanguage[language.slice(0, 2)] ?? english;
