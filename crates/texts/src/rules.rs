//! Texts of rules over signals.

sets!(rules: RuleTexts, RuleSentenceTexts, RuleFormTexts, RuleTemplateTexts, RuleResultTexts);
sets!(rules: DurationTexts);
