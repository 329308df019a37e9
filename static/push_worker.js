/* Shows what a push service brings, and opens the event's page. It keeps nothing and serves nothing. */
"use strict";

self.addEventListener("push", (event) => {
  const { title, body, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const { url } = event.notification.data;
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((each) => each.url.startsWith(url));
    return there ? there.focus() : self.clients.openWindow(url);
  })());
});
