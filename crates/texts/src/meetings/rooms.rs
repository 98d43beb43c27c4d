//! Texts of rooms: the day, the week and the settings.

sets!(meetings: RoomTexts, RoomSettingsTexts);
