// Rooms and meetings for the tests: made through the API, shown in the browser.
import { type APIRequestContext } from "@playwright/test";
import { Api, type Server, type UserName } from "./server";

export class MeetingApi extends Api {
  static of(request: APIRequestContext, server: Server, who: UserName): MeetingApi {
    return new MeetingApi(request, server, server.token(who));
  }

  room(name: string, more: object = {}) {
    return this.post("/rooms", { name, capacity: 8, zone: "Europe/Berlin", ...more });
  }

  /** Books from `from` to `to`, minutes from the next full hour. */
  meeting(title: string, room: { id: string } | null, from: number, to: number, more: object = {}) {
    const { start, end } = span(from, to);
    return this.post("/meetings", { title, room_id: room?.id, starts_at: start.toISOString(), ends_at: end.toISOString(), ...more });
  }
}

/** Start and end in minutes from the next full hour. */
export function span(from: number, to: number) {
  const hour = Math.ceil((Date.now() + 60_000) / 3_600_000) * 3_600_000;
  return { start: new Date(hour + from * 60_000), end: new Date(hour + to * 60_000) };
}

/** `YYYY-MM-DD` and `HH:MM` in UTC. */
export function inUtc(at: Date) {
  return { date: at.toISOString().slice(0, 10), time: at.toISOString().slice(11, 16) };
}

/** A day in two weeks, so that no test meets another day than it means. */
export function laterDay(days = 14) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
