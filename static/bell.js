// The bell: tells the server what this page watches ([data-bell]), and passes every ring on as the event `rung`
// on <body>. A ring carries no state: fragments ask for theirs. Without a socket they poll.
"use strict";
(() => {
  const address = location.origin.replace(/^http/, "ws") + "/bell/";
  const watched = new Set();
  let socket = null, wait = 1000, timer = 0;

  const groupsOnPage = () => {
    const found = new Set();
    for (const element of document.querySelectorAll("[data-bell]"))
      for (const group of element.dataset.bell.split(/\s+/)) if (group) found.add(group);
    return found;
  };

  const sayWhatWeWatch = () => {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    const now = groupsOnPage();
    const watch = [...now].filter((group) => !watched.has(group));
    const unwatch = [...watched].filter((group) => !now.has(group));
    if (!watch.length && !unwatch.length) return;
    watch.forEach((group) => watched.add(group));
    unwatch.forEach((group) => watched.delete(group));
    socket.send(JSON.stringify({ watch, unwatch }));
  };

  const connect = () => {
    clearTimeout(timer);
    watched.clear();
    socket = new WebSocket(address);
    socket.onopen = () => { wait = 1000; sayWhatWeWatch(); };
    socket.onmessage = (event) => {
      const group = JSON.parse(event.data).ring;
      document.body.dispatchEvent(new CustomEvent("rung", { detail: { group } }));
    };
    socket.onclose = (event) => {
      socket = null;
      if (event.code === 4401) return; // signed out: the next page says so
      timer = setTimeout(connect, wait * (0.5 + Math.random()));
      wait = Math.min(wait * 2, 30000);
    };
  };

  document.addEventListener("DOMContentLoaded", () => {
    if (!document.body.dataset.bell) return; // nobody is signed in
    connect();
    document.body.addEventListener("htmx:afterSettle", sayWhatWeWatch);
    // A fragment that holds the focus, or an open menu, is not refreshed under the reader's hands.
    document.body.addEventListener("htmx:beforeRequest", (event) => {
      const fragment = event.detail.elt;
      const byItself = fragment.hasAttribute("data-fresh");
      if (byItself && (fragment.contains(document.activeElement) || fragment.querySelector("[open]")))
        event.preventDefault();
    });
  });
  addEventListener("online", () => { if (!socket) connect(); });
})();
