// Shows push messages of the desk, and opens their page on a click. Stores nothing and handles no request.
addEventListener("install", () => skipWaiting());
addEventListener("push", event => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // A browser that gets a message must show one, else it withdraws the permission.
  }
  const { title = "Presstime", body = "", url = "/notifications", tag } = message;
  event.waitUntil(registration.showNotification(title, { body, tag, data: { url } }));
});
addEventListener("notificationclick", event => {
  event.notification.close();
  const target = new URL(event.notification.data?.url ?? "/notifications", location.origin);
  // Only pages of this desk.
  const url = target.origin == location.origin ? target.href : new URL("/notifications", location.origin).href;
  event.waitUntil((async () => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find(page => page.url == url);
    await (open ? open.focus() : clients.openWindow(url));
  })());
});
