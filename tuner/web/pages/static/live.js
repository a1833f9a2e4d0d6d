// Keeps what is marked with data-live up to date: at an event of its study
// or job, or of any where it says "all", it is fetched anew. Of a part of a page that is
//   data-src    where it comes from, else the page itself;
//   data-every  the least time between two fetches, in ms (1000);
//   data-on     the only kind of event it follows, else all;
//   data-seen   what it shows; the server answers 204 where there is nothing new;
//   data-again  it is not whole yet, and is fetched again after so many ms.
"use strict";
(function () {
  var timers = {}, last = {};
  function parts() { return Array.prototype.slice.call(document.querySelectorAll("[data-live]")); }
  function refresh(id) {
    timers[id] = null;
    var live = document.getElementById(id);
    if (!live || document.hidden) { return; }
    var focus = document.activeElement;
    if (focus && live.contains(focus) && focus.matches("select, input, textarea")) {
      soon(live); // somebody is choosing something
      return;
    }
    last[id] = Date.now();
    var from = live.getAttribute("data-src") || location.pathname + location.search;
    var seen = live.getAttribute("data-seen");
    if (seen) { from += (from.indexOf("?") < 0 ? "?" : "&") + "seen=" + encodeURIComponent(seen); }
    var open = Array.prototype.map.call(live.querySelectorAll("details[open][id]"), function (d) { return d.id; });
    var done = htmx.ajax("GET", from, { source: live, target: live, select: "#" + id, swap: "outerHTML" });
    if (done && done.then) {
      done.then(function () {
        open.forEach(function (d) { var now = document.getElementById(d); if (now) { now.open = true; } });
        again();
      }, function () { });
    }
  }
  // A part that is as it was stays, with whatever is being clicked in it.
  document.addEventListener("htmx:beforeSwap", function (e) {
    var live = e.detail.target;
    if (!live || !live.hasAttribute || !live.hasAttribute("data-live")) { return; }
    var came = document.createElement("template");
    came.innerHTML = e.detail.xhr.responseText;
    var next = came.content.getElementById(live.id), now = live.cloneNode(true);
    [now].concat(Array.prototype.slice.call(now.querySelectorAll("*"))).forEach(function (n) {
      ["htmx-request", "htmx-settling", "htmx-added", "htmx-swapping"].forEach(function (c) { n.classList.remove(c); });
      if (n.getAttribute("class") === "") { n.removeAttribute("class"); }
      if (n.tagName === "DETAILS") { n.removeAttribute("open"); }
    });
    if (next && next.isEqualNode(now)) { e.detail.shouldSwap = false; }
  });
  function soon(live) {
    var id = live.id, every = Number(live.getAttribute("data-again") || live.getAttribute("data-every")) || 1000;
    if (id && !timers[id]) {
      timers[id] = setTimeout(function () { refresh(id); }, Math.max(300, every - (Date.now() - (last[id] || Date.now()))));
    }
  }
  function again() {
    parts().forEach(function (live) { if (live.getAttribute("data-again")) { soon(live); } });
  }
  function all() { parts().forEach(soon); }
  function heard(e) {
    var study = "";
    try { var said = JSON.parse(e.data); study = said.study || said.job; } catch (ignored) { return; }
    parts().forEach(function (live) {
      var of = live.getAttribute("data-live"), on = live.getAttribute("data-on");
      if ((of === "all" || of === study) && (!on || on === e.type)) { soon(live); }
    });
    document.dispatchEvent(new CustomEvent("sakusen:event", { detail: { kind: e.type, study: study } }));
  }
  if (parts().length && window.EventSource) {
    var events = new EventSource("/api/v1/events");
    ["state", "progress", "deleted"].forEach(function (kind) { events.addEventListener(kind, heard); });
    events.addEventListener("reset", all);
    events.addEventListener("open", all); // something may have happened since the page was made
    document.addEventListener("visibilitychange", all);
    window.addEventListener("pagehide", function () { events.close(); });
  }
  again();
})();
