/* A browser that tells of the news of followed players, also while the page is closed ([data-push], only where the service
   offers it). The browser's wish is kept for this event alone; without followed players there is nothing to tell. */
(() => {
  "use strict";

  const way = document.querySelector("[data-push]");
  if (!way || !("serviceWorker" in navigator) || !("PushManager" in window)) return;

  const button = way.querySelector("button");
  const said = way.querySelector("[role=status]");
  const { push, key, worker, scope } = way.dataset;
  let follow = null; // whom mine.js knows

  const registered = () => navigator.serviceWorker.getRegistration(scope);
  const held = async () => (await registered())?.pushManager.getSubscription() ?? null;

  function show(isOn) {
    way.hidden = !isOn && !follow?.length;
    button.setAttribute("aria-pressed", String(isOn));
    said.textContent = isOn ? said.dataset.on : "";
  }

  async function tell(subscription, names) {
    const sent = { ...subscription.toJSON(), follow: names, language: document.documentElement.lang };
    const answer = await fetch(push, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) });
    if (!answer.ok) throw new Error(answer.status);
  }

  async function end(subscription) {
    await tell(subscription, []).catch(() => {}); // the service forgets a browser that is gone by itself
    await subscription.unsubscribe();
    show(false);
  }

  async function begin() {
    if (await Notification.requestPermission() !== "granted") {
      said.textContent = said.dataset.refused;
      return;
    }
    const registration = await navigator.serviceWorker.register(worker, { scope });
    await navigator.serviceWorker.ready.catch(() => {});
    const point = Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: point });
    await tell(subscription, follow);
    show(true);
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const subscription = await held();
      await (subscription ? end(subscription) : begin());
    } catch {
      said.textContent = said.dataset.refused;
    }
    button.disabled = false;
  });

  document.addEventListener("tso:followed", async ({ detail }) => {
    follow = detail;
    const subscription = await held();
    if (subscription && !follow.length) return end(subscription);
    show(Boolean(subscription));
    if (subscription) tell(subscription, follow).catch(() => {}); // also whenever the page is opened, if the service forgot it
  });
})();
