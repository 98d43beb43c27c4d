//! Words of meetings, rooms, reminders and people.

use super::words;

words! {
    "room": room, room_meaning, room_example;
    "booking": booking, booking_meaning, booking_example;
    "buffer": buffer, buffer_meaning, buffer_example;
    "attendee": attendee, attendee_meaning, attendee_example;
    "answer-page": answer_page, answer_page_meaning, answer_page_example;
    "door-page": door_page, door_page_meaning, door_page_example;
    "series": series, series_meaning, series_example;
    "occurrence": occurrence, occurrence_meaning, occurrence_example;
    "check-in": check_in, check_in_meaning, check_in_example;
    "no-show": no_show, no_show_meaning, no_show_example;
    "waiting-list": waiting_list, waiting_list_meaning, waiting_list_example;
    "reminder": reminder, reminder_meaning, reminder_example;
    "snooze": snooze, snooze_meaning, snooze_example;
    "notification": notification, notification_meaning, notification_example;
    "device": device, device_meaning, device_example;
    "role": role, role_meaning, role_example;
    "desk": desk, desk_meaning, desk_example;
}
