// Channels, messages and signals for the tests: made through the API, shown in the browser.
import { type APIRequestContext } from "@playwright/test";
import { Api, type Server, type UserName } from "./server";

export class MessageApi extends Api {
  static of(request: APIRequestContext, server: Server, who: UserName): MessageApi {
    return new MessageApi(request, server, server.token(who));
  }

  /** The name ends in .invalid: nothing is ever sent. */
  channel(name: string) {
    return this.post("/channels", { name, url: "https://hook.invalid/" });
  }

  message(channel: { id: string }, key: string, more: object = {}) {
    return this.post("/messages", { key, channel_id: channel.id, delay: "P9D", body: "{}", ...more });
  }

  signal(name: string, subject: string, key: string) {
    return this.post("/signals", { name, subject, key });
  }
}
