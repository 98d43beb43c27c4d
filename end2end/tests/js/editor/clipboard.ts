// What programs put on the clipboard, shortened, and the Markdown that it means.

export interface Sample {
  name: string;
  html: string;
  /** The plain text beside it; without one, something that is not Markdown. */
  text?: string;
  markdown: string;
}

const word = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--><style><!-- p.MsoNormal {margin:0cm; font-family:Calibri} --></style></head><body lang=EN-GB><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
const wordItem = (list: string, sign: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:${list}'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
const docs = (body: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-5f3c">${body}</b><br class="Apple-interchange-newline">`;
const docsText = (text: string, style = "font-weight:400;font-style:normal;text-decoration:none;") =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;${style}white-space:pre-wrap;">${text}</span>`;
const docsItem = (text: string) => `<li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation">${docsText(text)}</p></li>`;
const office = (body: string) =>
  `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 7.4"/><style type="text/css">p { line-height: 115% }</style></head><body lang="en-US" dir="ltr">${body}</body></html>`;
const excel = (rows: string) =>
  `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>.xl65 {mso-number-format:Standard;}</style></head><body><table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse'><col width=64 span=2 style='width:48pt'><!--StartFragment-->${rows}<!--EndFragment--></table></body></html>`;

export const samples: Sample[] = [
  {
    name: "Word: heading, bold, italic and a link",
    html: word(
      "<h1><span lang=EN-GB>Tides<o:p></o:p></span></h1><p class=MsoNormal>The <b>boats</b> <i>leave</i> at <a href=\"https://sea.example/\">dawn</a>.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>They return.</p>",
    ),
    markdown: "# Tides\n\nThe **boats** _leave_ at [dawn](https://sea.example/).\n\nThey return.",
  },
  {
    name: "Word: a list with two levels",
    html: word(
      wordItem("l0 level1 lfo1", "·", "Ropes") + wordItem("l0 level2 lfo1", "o", "Short ones") + wordItem("l0 level1 lfo1", "·", "Sails") + "<p class=MsoNormal>After.</p>",
    ),
    markdown: "- Ropes\n  - Short ones\n- Sails\n\nAfter.",
  },
  {
    name: "Word: a numbered list that begins with three",
    html: word(wordItem("l1 level1 lfo2", "3.", "Cast off") + wordItem("l1 level1 lfo2", "4.", "Set <b>sail</b>")),
    markdown: "3. Cast off\n4. Set **sail**",
  },
  {
    name: "Word: a title, a quote and a table",
    html: word(
      "<p class=MsoTitle>Harbour</p><p class=MsoQuote>Calm seas.</p><table class=MsoTableGrid border=1 style='border-collapse:collapse;border:none'><tr style='mso-yfti-irow:0'><td width=300 valign=top style='border:solid windowtext 1.0pt;padding:0cm 5.4pt'><p class=MsoNormal>Pier<o:p></o:p></p></td><td><p class=MsoNormal>Boats<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>East<o:p></o:p></p></td><td><p class=MsoNormal>12<o:p></o:p></p></td></tr></table>",
    ),
    markdown: "# Harbour\n\n> Calm seas.\n\n| Pier | Boats |\n| --- | --- |\n| East | 12  |",
  },
  {
    name: "Google Docs: heading, bold, italic, struck and code",
    html: docs(
      `<h2 dir="ltr" style="line-height:1.38;">${docsText("Tides")}</h2><p dir="ltr">${docsText("The ")}${docsText("boats", "font-weight:700;font-style:normal;")}${docsText(" leave ")}${docsText("early", "font-weight:400;font-style:italic;")}${docsText(", ")}${docsText("late", "text-decoration:line-through;")}${docsText(" by ")}<span style="font-family:'Courier New',monospace;">make sail</span>${docsText(".")}</p>`,
    ),
    markdown: "## Tides\n\nThe **boats** leave _early_, ~~late~~ by `make sail`.",
  },
  {
    name: "Google Docs: a list in a list, which is beside its item",
    html: docs(`<ul style="margin-top:0;">${docsItem("Ropes")}<ul>${docsItem("Short")}${docsItem("Long")}</ul>${docsItem("Sails")}</ul>`),
    markdown: "- Ropes\n  - Short\n  - Long\n- Sails",
  },
  {
    name: "Google Docs: a checklist",
    html: docs(
      `<ul><li dir="ltr" role="checkbox" aria-checked="true" aria-level="1"><img src="data:image/png;base64,AA==" width="17px" alt="checked" /><p dir="ltr" style="display:inline-block;">${docsText("Fuel")}</p></li><li dir="ltr" role="checkbox" aria-checked="false"><img src="data:image/png;base64,AA==" alt="unchecked" /><p dir="ltr">${docsText("Water")}</p></li></ul>`,
    ),
    markdown: "- [x] Fuel\n- [ ] Water",
  },
  {
    name: "Google Docs: a table",
    html: docs(
      `<div dir="ltr" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="301" /><col width="301" /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000 1pt;"><p dir="ltr">${docsText("Pier")}</p></td><td><p dir="ltr">${docsText("Boats")}</p></td></tr><tr><td><p dir="ltr">${docsText("East")}</p></td><td><p dir="ltr">${docsText("a|b")}</p></td></tr></tbody></table></div>`,
    ),
    markdown: "| Pier | Boats |\n| --- | --- |\n| East | a\\|b |",
  },
  {
    name: "Google Docs: a picture and a link",
    html: docs(`<p dir="ltr"><a href="https://sea.example/a_b" style="text-decoration:none;">${docsText("the sea", "text-decoration:underline;")}</a></p><p><span><img src="https://lh3.example/x.png" alt="A boat" width="602" /></span></p>`),
    markdown: "[the sea](https://sea.example/a_b)\n\n![A boat](https://lh3.example/x.png)",
  },
  {
    name: "LibreOffice: headings, a quote and fonts",
    html: office(
      '<h3 class="western">Tides</h3><p style="line-height: 100%; margin-bottom: 0cm"><font face="Liberation Serif, serif">The <b>boats</b> <i>leave</i>.</font></p><blockquote style="margin-bottom: 0.5cm">Calm seas.</blockquote>',
    ),
    markdown: "### Tides\n\nThe **boats** _leave_.\n\n> Calm seas.",
  },
  {
    name: "LibreOffice: lists with paragraphs",
    html: office(
      '<ol>\n\t<li><p style="margin-bottom: 0cm">Cast off</p>\n\t<ul>\n\t\t<li><p>Bow</p></li>\n\t\t<li><p>Stern</p></li>\n\t</ul>\n\t</li>\n\t<li><p>Set sail</p></li>\n</ol>',
    ),
    markdown: "1. Cast off\n   - Bow\n   - Stern\n2. Set sail",
  },
  {
    name: "Gmail: lines that are blocks, bold and a link",
    html: '<div dir="ltr">Hello <b>Ada</b>,<div><br></div><div>see <a href="https://sea.example/" target="_blank">the plan</a>.<br></div><div><br></div><div>Cora</div></div>',
    markdown: "Hello **Ada**,\n\nsee [the plan](https://sea.example/).\n\nCora",
  },
  {
    name: "Gmail: an answer with what it answers",
    html: '<div dir="ltr">Yes.</div><br><div class="gmail_quote"><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)"><div dir="ltr">At dawn?<br></div></blockquote></div>',
    markdown: "Yes.\n\n> At dawn?",
  },
  {
    name: "Excel: cells are a table, the first row its head",
    html: excel(
      "<tr height=20><td height=20 class=xl65 style='height:15.0pt'>Pier</td><td class=xl65>Boats</td></tr><tr height=20><td>East</td><td align=right>12</td></tr><tr height=20><td>West</td><td></td></tr>",
    ),
    text: "Pier\tBoats\r\nEast\t12\r\nWest\t\r\n",
    markdown: "| Pier | Boats |\n| --- | --- |\n| East | 12  |\n| West |     |",
  },
  {
    name: "Excel: joined cells and two lines in one",
    html: excel("<tr><td colspan=2>Boats</td></tr><tr><td>East<br style='mso-data-placement:same-cell'>pier</td><td>12</td></tr>"),
    markdown: "| Boats |     |\n| --- | --- |\n| East<br>pier | 12  |",
  },
  {
    name: "Google Sheets: a table with a style",
    html: '<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style><table xmlns="http://www.w3.org/1999/xhtml" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td data-sheets-value="{}">Pier</td><td>Boats</td></tr><tr><td>East</td><td>12</td></tr></tbody></table>',
    markdown: "| Pier | Boats |\n| --- | --- |\n| East | 12  |",
  },
  {
    name: "GitHub: code with its language, and an anchor without text",
    html: '<div class="markdown-heading"><h2>Run</h2><a class="anchor" href="#run"><svg></svg></a></div><div class="highlight highlight-source-shell"><pre><span class="pl-c"># fast</span>\ncargo <span class="pl-k">run</span></pre></div><p>Then <code>stop</code>.</p>',
    text: "Run\n\n# fast\ncargo run\n\nThen stop.",
    markdown: "## Run\n\n```shell\n# fast\ncargo run\n```\n\nThen `stop`.",
  },
  {
    name: "a web page: scripts, styles and handlers are left out",
    html: '<article><script>alert(1)</script><h2 onclick="alert(1)" style="color:red">Tides</h2><p>Less &lt;script&gt; and <a href="javascript:alert(1)">no link</a>.</p><iframe src="https://x.example/"></iframe><p hidden>Secret</p><p><img src="x" onerror="alert(1)"><del>Old</del></p></article>',
    markdown: "## Tides\n\nLess \\<script> and no link.\n\n~~Old~~",
  },
  {
    name: "a web page: a table that only places its content",
    html: '<table role="presentation" width="600"><tr><td><h3>News</h3><p>The boats.</p><table><tr><th>Pier</th><th>Boats</th></tr><tr><td>East</td><td>12</td></tr></table></td></tr></table>',
    markdown: "### News\n\nThe boats.\n\n| Pier | Boats |\n| --- | --- |\n| East | 12  |",
  },
  {
    name: "an editor of Markdown: its text stays as it is",
    html: "<h2>Tides</h2><p>The <strong>boats</strong>: <em>all</em>.</p><ul><li>one</li></ul>",
    text: "## Tides\n\nThe **boats**: *all*.\n\n* one\n",
    markdown: "## Tides\n\nThe **boats**: *all*.\n\n* one\n",
  },
];
