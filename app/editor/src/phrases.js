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

export const phrases = (language) => (language.startsWith("zh") ? chinese : english);
