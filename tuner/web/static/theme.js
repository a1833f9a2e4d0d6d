// The colours that somebody chose, before the page is drawn; the switch for them;
// and times in words and in local time.
"use strict";
(function () {
  var root = document.documentElement, names = ["system", "light", "dark"];
  function read() { try { return localStorage.getItem("theme") || "system"; } catch (ignored) { return "system"; } }
  function set(name) {
    if (name === "system") { root.removeAttribute("data-theme"); } else { root.setAttribute("data-theme", name); }
  }
  set(read());
  var units = [["day", 86400], ["hour", 3600], ["minute", 60]];
  function ago(t) {
    var s = (Date.now() - t) / 1000, words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
    for (var i = 0; i < units.length; i++) {
      if (s >= units[i][1]) { return words.format(-Math.floor(s / units[i][1]), units[i][0]); }
    }
    return "just now";
  }
  function times() {
    Array.prototype.forEach.call(document.querySelectorAll("time[datetime]"), function (e) {
      var t = new Date(e.getAttribute("datetime"));
      if (isNaN(t)) { return; }
      var text = e.className === "clock" ? t.toLocaleString([], t - Date.now() < 20 * 3600e3 ? { hour: "2-digit", minute: "2-digit" } : { weekday: "short", hour: "2-digit", minute: "2-digit" }) : Date.now() - t < 7 * 86400e3 ? ago(t.getTime()) : t.toLocaleDateString();
      if (e.textContent !== text) { e.textContent = text; }
      e.title = t.toLocaleString();
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    var button = document.getElementById("theme");
    // name says which colours there are, on a narrow screen in one word.
    function name(which) {
      var title = document.createElement("span");
      title.className = "spare";
      title.textContent = "Theme: ";
      button.replaceChildren(title, which);
      button.setAttribute("aria-label", "Theme: " + which);
    }
    if (button) {
      button.hidden = false;
      name(read());
      button.addEventListener("click", function () {
        var next = names[(names.indexOf(read()) + 1) % names.length];
        try { localStorage.setItem("theme", next); } catch (ignored) { /* it holds for this page */ }
        set(next);
        name(next);
        document.dispatchEvent(new CustomEvent("sakusen:theme"));
      });
    }
    times();
    setInterval(times, 30000);
  });
  // A definition is put where the window holds it, and Escape puts it away.
  function place(e) {
    var term = e.target.closest && e.target.closest(".term");
    if (!term) { return; }
    term.classList.remove("away");
    var tip = term.querySelector(".tip"), at = term.getBoundingClientRect();
    tip.style.position = "fixed";
    tip.style.bottom = "auto";
    tip.style.left = tip.style.top = "0";
    var box = tip.getBoundingClientRect(), wide = document.documentElement.clientWidth;
    tip.style.left = Math.max(8, Math.min(at.left, wide - box.width - 8)) + "px";
    tip.style.top = (at.top - box.height - 4 >= 0 ? at.top - box.height - 4 : at.bottom + 4) + "px";
  }
  document.addEventListener("mouseover", place);
  document.addEventListener("focusin", place);
  document.addEventListener("keydown", function (e) {
    if (e.key !== "Escape") { return; }
    Array.prototype.forEach.call(document.querySelectorAll(".term:hover, .term:focus"), function (t) { t.classList.add("away"); });
  });
  document.addEventListener("scroll", function () {
    var e = document.activeElement;
    if (e && e.classList.contains("term")) { place({ target: e }); }
  }, true);
  document.addEventListener("sakusen:shown", times);
  // What is wider than its place is shaded at the side to which it goes on.
  function wider() {
    Array.prototype.forEach.call(document.querySelectorAll(".scroll, .tabs, figure.broad"), function (e) {
      e.classList.toggle("more", e.scrollWidth > e.clientWidth + e.scrollLeft + 2);
    });
  }
  ["DOMContentLoaded", "sakusen:shown"].forEach(function (kind) { document.addEventListener(kind, wider); });
  document.addEventListener("scroll", wider, true);
  window.addEventListener("resize", wider);
})();

// A form that is sent when the login has ended leads to the login and back to its page, where what
// was typed is filled in again. It stays in this tab, and is forgotten where it was taken.
(function () {
  "use strict";
  var key = "sakusen form";
  function fields(form) {
    return Array.prototype.filter.call(form.elements, function (f) { return f.name && ["password", "file", "hidden", "submit", "button"].indexOf(f.type) < 0; });
  }
  function value(f) {
    return f.type === "checkbox" || f.type === "radio" ? f.checked : f.multiple ? Array.prototype.map.call(f.options, function (o) { return o.selected; }) : f.value;
  }
  document.addEventListener("submit", function (e) {
    var form = e.target;
    if (form.method !== "post" || form.classList.contains("login")) { return; }
    try {
      sessionStorage.setItem(key, JSON.stringify([form.getAttribute("action"), fields(form).map(function (f) { return [f.name, value(f)]; })]));
    } catch (refused) { /* it is full or not allowed: the form comes back empty */ }
  });
  document.addEventListener("DOMContentLoaded", function () {
    if (document.querySelector("form.login")) { return; } // on the way
    var kept;
    try { kept = JSON.parse(sessionStorage.getItem(key)); sessionStorage.removeItem(key); } catch (refused) { return; }
    if (!kept || !/\/login(\?|$)/.test(document.referrer)) { return; }
    Array.prototype.forEach.call(document.forms, function (form) {
      if (form.getAttribute("action") !== kept[0]) { return; }
      fields(form).forEach(function (f, i) {
        var was = kept[1][i];
        if (!was || was[0] !== f.name) { return; }
        if (f.type === "checkbox" || f.type === "radio") { f.checked = was[1]; }
        else if (f.multiple) { Array.prototype.forEach.call(f.options, function (o, n) { o.selected = was[1][n]; }); }
        else { f.value = was[1]; }
        f.dispatchEvent(new Event("input", { bubbles: true }));
      });
      for (var d = form.closest("details"); d; d = d.parentElement.closest("details")) { d.open = true; }
    });
  });
})();
