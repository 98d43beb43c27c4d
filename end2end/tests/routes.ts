// The routes of the desk and the site, for the tests that visit all of them.

/** An article long enough for a list of contents, with a wide table, code and a footnote. */
export const RICH_BODY = `# One

text with **strong**, *emphasis* and a [link](https://a.example)

- [ ] a
- [x] b

## Two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`rust
${"x".repeat(300)}
\`\`\`

note[^w_1]

[^w_1]: Note`;

/** Pages that need no login. */
export const publicRoutes = (slug: string) => ["/login", "/setup", "/invite?token=spent", "/site", `/site/${slug}`];

/** Pages of writing, tasks and settings. */
export function deskRoutes(articleId: string, taskId: string): string[] {
  const writing = ["/", "/articles", "/articles/new", "/articles/import", `/articles/${articleId}`, `/articles/${articleId}/revisions`];
  const tasks = ["/tasks", `/tasks/${taskId}`, "/activity", "/engine"];
  const settings = ["profile", "notifications", "desk", "people", "sign-in", "groups", "channels", "channels?add=mail", "channels?add=sms", "channels?add=amqp", "channels?add=wordpress", "channels?add=ghost", "tokens", "outside-mail", "queue"];
  const help = ["/help", "/help?q=slot", "/help/calendar", "/help/nothing"];
  return [...writing, ...tasks, ...settings.map((name) => `/settings/${name}`), ...help, "/nowhere"];
}

/** The calendar in each view, with its panels open, and posting slots. */
export function calendarRoutes(taskId: string): string[] {
  const queries = ["", "?view=week", "?view=day", "?view=agenda", "?zone=Atlantis", "?kind=meeting&owner=me", "?date=2027-10-31&view=day&zone=Berlin"];
  queries.push(`?move=${taskId}`, "?date=2030-06-03&new=2030-06-03T10:00", "?date=2031-01-01");
  return [...queries.map((query) => `/calendar${query}`), "/settings/slots"];
}

/** Pages of rooms and meetings on one day. */
export function meetingRoutes(roomId: string, meetingIds: string[], day: string): string[] {
  const meetings = ["/meetings", "/meetings?state=to_approve", "/meetings?state=all", "/meetings?past=1", ...meetingIds.map((id) => `/meetings/${id}`)];
  const rooms = [`/rooms?date=${day}`, `/rooms?date=${day}&start=09:00&end=10:00&people=4`, `/rooms/${roomId}?date=${day}`];
  return [...meetings, ...rooms, `/meetings/new?room=${roomId}&date=${day}&start=10:00&end=11:30`, `/settings/rooms?edit=${roomId}`];
}
