//! Texts of delayed messages.

sets!(messages: MessageTexts, MessageSentenceTexts, MessageFormTexts, MessageResultTexts);
