// Rooms and meetings for the tests: made through the API, shown in the browser.
import { type APIRequestContext } from "@playwright/test";
import { Api, expect, type Server, type UserName } from "./server";

export class MeetingApi extends Api {
  static of(request: APIRequestContext, server: Server, who: UserName): MeetingApi {
    return new MeetingApi(request, server, server.token(who));
  }

  room(name: string, more: object = {}) {
    return this.post("/rooms", { name, capacity: 8, zone: "Europe/Berlin", ...more });
  }

  /** Books from `from` to `to`, `HH:MM` in UTC, on a day in two weeks. */
  meeting(title: string, room: { id: string } | null, from: string, to: string, more: object = {}) {
    const day = laterDay();
    return this.post("/meetings", { title, room_id: room?.id, local_start: `${day}T${from}`, local_end: `${day}T${to}`, zone: "UTC", ...more });
  }

  /** Changes a meeting of which the version in `meeting` is seen. */
  async edit(meeting: { id: string; version: number }, fields: object) {
    const data = { seen_version: meeting.version, ...fields };
    const headers = { authorization: `Bearer ${this.token}` };
    const answer = await this.request.patch(`${this.server.url}/api/v1/meetings/${meeting.id}`, { data, headers });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  }
}

/** A day in two weeks, `YYYY-MM-DD` in UTC. */
export function laterDay(days = 14) {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
