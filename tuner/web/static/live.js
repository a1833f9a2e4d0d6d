// Keeps what is marked with data-live up to date: at an event of its study
// or job, or of any where it says "all", it is fetched anew and changed where it
// differs, so that focus, selection and what is open stay. Of a part of a page that is
//   data-src    where it comes from, else the page itself;
//   data-every  the least time between two fetches, in ms (1000);
//   data-on     the only kind of event it follows, else all;
//   data-seen   what it shows; the server answers 204 where there is nothing new;
//   data-again  it is not whole yet, or has no events: it is fetched again after so many ms.
// What is heard of the daemon stands in the element "freshness".
"use strict";
(function () {
  var timers = {}, last = {}, heardAt = Date.now(), lost = 0;
  var freshness = document.getElementById("freshness");
  function parts() { return Array.prototype.slice.call(document.querySelectorAll("[data-live]")); }

  // state says how fresh the page is: live, waiting, lost or gone.
  function state(kind, text) {
    if (!freshness || freshness.getAttribute("data-state") === kind) { return; }
    freshness.setAttribute("data-state", kind);
    freshness.textContent = text;
    freshness.hidden = false;
    document.documentElement.classList.toggle("stale", kind === "lost" || kind === "gone");
  }
  function clock(t) { return new Date(t).toLocaleTimeString(); }
  function live() {
    lost = 0;
    heardAt = Date.now();
    state("live", "live");
  }
  function missing() {
    if (++lost < 2) { state("waiting", "reconnecting"); return; }
    state("lost", "connection lost: as of " + clock(heardAt));
  }

  var keep = {
    beforeNodeMorphed: function (old, next) {
      if (old.nodeType !== 1) { return true; }
      if (old.isEqualNode(next)) { return false; }
      if (old.tagName.toLowerCase() === "svg") { // a drawing is changed whole; its node stays, beside which others are compared
        Array.prototype.slice.call(next.attributes).forEach(function (a) { old.setAttribute(a.name, a.value); });
        old.replaceChildren.apply(old, Array.prototype.slice.call(next.cloneNode(true).childNodes));
        return false;
      }
      return true;
    },
    beforeAttributeUpdated: function (name, node) {
      if (name === "style" && node.classList.contains("tip")) { return false; } // where its definition stands
      return !(name === "open" && node.tagName === "DETAILS");
    },
  };
  function refresh(id) {
    timers[id] = null;
    var part = document.getElementById(id);
    if (!part || document.hidden || lost) { return; }
    var focus = document.activeElement;
    if (focus && part.contains(focus) && focus.matches("select, input, textarea")) {
      soon(part); // somebody is choosing something
      return;
    }
    last[id] = Date.now();
    var from = part.getAttribute("data-src") || location.pathname + location.search;
    var seen = part.getAttribute("data-seen");
    if (seen) { from += (from.indexOf("?") < 0 ? "?" : "&") + "seen=" + encodeURIComponent(seen); }
    fetch(from, { credentials: "same-origin", headers: { "Accept": "text/html" } }).then(function (answer) {
      if (answer.redirected || answer.status === 401) { throw new Error("login"); }
      if (answer.status >= 500) { throw new Error("failed"); }
      return answer.status === 200 ? answer.text() : "";
    }).then(function (text) {
      heardAt = Date.now();
      if (!lost) { state("live", "live"); }
      if (!text) { return; }
      var came = document.createElement("template");
      came.innerHTML = text;
      var next = came.content.getElementById(id), now = document.getElementById(id);
      if (!next || !now) { return; }
      try {
        Idiomorph.morph(now, next, { morphStyle: "outerHTML", callbacks: keep });
      } catch (e) { // rather a page that loses the focus than one that is old
        console.error("a part of the page cannot be changed in place", e);
        now.replaceWith(next);
      }
      document.dispatchEvent(new CustomEvent("sakusen:shown", { detail: { id: id } }));
      again();
    }).catch(function (e) {
      if (e.message === "failed") {
        state("lost", "the server failed: as of " + clock(heardAt));
        if (!timers[id]) { timers[id] = setTimeout(function () { refresh(id); }, 3000); }
      }
      if (e.message === "login") { state("gone", "logged out: reload the page"); }
    });
  }
  // Whoever asks for it is told when the study of the page ends, as long as it is open.
  var tell = document.getElementById("tell");
  if (tell && window.Notification && window.isSecureContext) {
    tell.hidden = false;
    tell.addEventListener("click", function () {
      Notification.requestPermission().then(function (answer) {
        tell.textContent = answer === "granted" ? "You will be notified when it ends" : "The browser shows no notifications";
        tell.disabled = true;
        tell.dataset.on = answer === "granted" ? "1" : "";
      });
    });
  }
  // told waits for the verdict, which the page fetches, and says it in the title and in
  // the notification.
  var ended = null;
  function told(said, kind) {
    if (kind !== "state" || ["done", "failed"].indexOf(said.state) < 0) { return; }
    var head = document.querySelector("[data-live]");
    if (!head || head.getAttribute("data-live") !== said.study || ended) { return; }
    ended = said;
    if (tell && !tell.dataset.on) { tell.hidden = true; }
    setTimeout(announce, 5000);
  }
  function announce() {
    var said = ended, verdict = document.getElementById("verdict"), big = document.querySelector("#live .big");
    if (!said || said.announced) { return; }
    said.announced = true;
    var text = said.state === "failed" ? "! Failed" : verdict ? verdict.textContent.trim() : "It has ended";
    var more = said.state === "failed" ? said.message || "" : big ? big.textContent.trim().replace(/\s+/g, " ") : "";
    document.title = text + " - " + document.title;
    if (tell && tell.dataset.on) { new Notification("Sakusen: " + said.study, { body: text + (more ? ": " + more : ""), tag: said.study }); }
  }
  document.addEventListener("sakusen:shown", function (e) {
    if (e.detail.id === "live" && ended && document.querySelector("#live:not(.plain)")) { announce(); }
    if (e.detail.id === "state" && tell) { // it may have ended before events came
      var word = document.querySelector("#state .state.done, #state .state.failed"), head = document.querySelector("[data-live]");
      if (word && head) { told({ study: head.getAttribute("data-live"), state: word.textContent }, "state"); }
    }
  });
  function soon(part) {
    var id = part.id, every = Number(part.getAttribute("data-again") || part.getAttribute("data-every")) || 1000;
    if (id && !timers[id]) {
      timers[id] = setTimeout(function () { refresh(id); }, Math.max(300, every - (Date.now() - (last[id] || Date.now()))));
    }
  }
  function again() {
    parts().forEach(function (part) { if (part.getAttribute("data-again")) { soon(part); } });
  }
  function all() { parts().forEach(soon); }
  function heard(e) {
    var study = "";
    heardAt = Date.now();
    try { var said = JSON.parse(e.data); study = said.study || said.job; } catch (ignored) { return; }
    told(said, e.type);
    parts().forEach(function (part) {
      var of = part.getAttribute("data-live"), on = part.getAttribute("data-on");
      if ((of === "all" || of === study) && (!on || on === e.type)) { soon(part); }
    });
    document.dispatchEvent(new CustomEvent("sakusen:event", { detail: { kind: e.type, study: study } }));
  }
  if (parts().length && window.EventSource) {
    var opened = 0, events = new EventSource(document.body.getAttribute("data-events"));
    ["state", "progress", "deleted", "recorded"].forEach(function (kind) { events.addEventListener(kind, heard); });
    events.addEventListener("reset", all);
    events.addEventListener("open", function () {
      var back = opened++ > 0;
      live();
      // Something may have happened since the page was made, or since the stream broke.
      if (back || document.querySelector("[data-live] .running, [data-live] .queued, [data-live].running")) { all(); }
    });
    events.addEventListener("error", function () {
      if (events.readyState === EventSource.CLOSED) { state("gone", "the server does not answer: reload the page"); } else { missing(); }
    });
    document.addEventListener("visibilitychange", all);
    window.addEventListener("pagehide", function () { events.close(); });
    window.addEventListener("pageshow", function (e) { if (e.persisted) { location.reload(); } }); // it heard nothing meanwhile
    // What is sent to a server that is gone leads to the browser's own error page.
    document.addEventListener("submit", function (e) {
      if (lost > 1 && e.target.method === "post") {
        e.preventDefault();
        freshness.textContent = "nothing was sent: the server does not answer, last heard of at " + clock(heardAt);
      }
    });
  }
  again();
})();
