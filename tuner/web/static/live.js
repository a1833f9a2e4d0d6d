// Keeps what is marked with data-live up to date: at an event of its study or
// job, or of any where it says "all", it is fetched anew, at most once a second.
"use strict";
(function () {
  var timer = null;
  function refresh() {
    timer = null;
    var live = document.getElementById("live");
    if (!live || document.hidden) { return; }
    htmx.ajax("GET", location.pathname + location.search, {
      source: live, target: live, select: "#live", swap: "outerHTML"
    });
  }
  function soon() { if (!timer) { timer = setTimeout(refresh, 1000); } }
  function heard(e) {
    var live = document.getElementById("live");
    if (!live) { return; }
    var study = "";
    try { var said = JSON.parse(e.data); study = said.study || said.job; } catch (ignored) { return; }
    var of = live.getAttribute("data-live");
    if (of === "all" || of === study || e.type === "reset") { soon(); }
  }
  if (document.getElementById("live") && window.EventSource) {
    var events = new EventSource("/api/v1/events");
    ["state", "progress", "deleted"].forEach(function (kind) { events.addEventListener(kind, heard); });
    events.addEventListener("reset", soon);
    events.addEventListener("open", soon); // something may have happened since the page was made
    document.addEventListener("visibilitychange", soon);
    window.addEventListener("pagehide", function () { events.close(); });
  }
})();
