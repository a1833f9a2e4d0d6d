// Shows a film without loading the page anew: fetches its frames as they are
// made and steps through them by buttons, slider and keys.
"use strict";
(function () {
  var film = document.getElementById("film");
  if (!film || !window.fetch || !window.TextDecoder) { return; }
  var asked = /[?&]step=([0-9]{1,6})/.exec(location.search); // the page may know fewer steps yet
  var at = asked ? Number(asked[1]) : Number(film.dataset.step), frames = [], others = [], whole = false, timer = null, pace = 700, end = null;
  function by(id) { return document.getElementById(id); }
  var boards = by("boards"), caption = by("caption"), slider = by("slider"), where = by("where"),
    moves = by("moves"), play = by("play"), told = by("end"), view = by("view"), reveal = by("reveal");
  var boards2 = by("boards-2"), caption2 = by("caption-2"), told2 = by("end-2");
  var shown = /[?&]result=shown/.test(location.search);

  function address(step) {
    return film.dataset.page + "&step=" + step + (film.classList.contains("everything") ? "&view=all" : "") + (shown ? "&result=shown" : "");
  }
  function last() { return Math.max(frames.length - 1, others.length - 1, Number(slider.max)); }
  function sealed() { return film.classList.contains("sealed"); }
  // unseal shows how the game ended: its end was reached, or somebody asked for it.
  function unseal() {
    if (!sealed() || !whole) { return; }
    film.classList.remove("sealed");
    [told, told2].forEach(function (e) { if (e) { e.hidden = false; } });
    by("seal").hidden = true;
    scores();
    item(frames.length - 1);
    course();
  }
  function scores() {
    if (!end || !end.scores) { return; }
    Array.prototype.forEach.call(document.querySelectorAll("#who .score"), function (cell, i) {
      if (end.scores[i]) { cell.textContent = Number(end.scores[i].score.toPrecision(4)); }
    });
  }
  // item puts a move into the list. The last one says who won, so it waits.
  function item(step) {
    var f = frames[step], li = moves.children[step];
    if (!f) { return; }
    if (!li) {
      li = document.createElement("li");
      li.value = step;
      li.appendChild(document.createElement("a"));
      moves.appendChild(li);
    }
    li.firstElementChild.href = address(step);
    var text = sealed() && whole && step > 0 && step === frames.length - 1 && step !== at ? "The end" : f.text;
    if (li.firstElementChild.textContent !== text) { li.firstElementChild.textContent = text; }
  }
  function course() {
    var svg = by("strip-svg"), steps = svg ? Number(svg.dataset.steps) : 0;
    if (svg) {
      var x = 1000 * Math.min(at, steps) / steps, cursor = by("cursor");
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
      by("seen-to").setAttribute("width", (sealed() ? x : 1000) + 10);
    }
    Array.prototype.forEach.call(document.querySelectorAll("#standing b"), function (b) {
      for (var i = Math.min(at, frames.length - 1); i >= 0; i--) {
        var now = frames[i] && frames[i].standing;
        if (now && now.length > b.dataset.seat) { b.textContent = Math.round(100 * now[b.dataset.seat]) + " %"; return; }
      }
    });
  }
  function show(step) {
    at = Math.max(0, Math.min(step, last()));
    step = at;
    if (boards2 && others.length) {
      var other = others[Math.min(step, others.length - 1)];
      boards2.innerHTML = other.svg; // as below
      caption2.textContent = other.text;
    }
    var f = frames[step] || (whole && frames[frames.length - 1]);
    if (!f) { return; } // it is shown when it comes
    boards.innerHTML = f.svg; // the server's own drawing, its text escaped
    caption.textContent = f.text;
    slider.value = step;
    if (whole && step === last()) { unseal(); }
    count();
    course();
    var old = moves.querySelector("[aria-current]");
    if (old) { old.removeAttribute("aria-current"); }
    var li = moves.children[Math.min(step, moves.children.length - 1)];
    if (li) {
      li.firstElementChild.setAttribute("aria-current", "step");
      var top = li.offsetTop - moves.offsetTop; // the list scrolls, the page stays
      if (top < moves.scrollTop || top > moves.scrollTop + moves.clientHeight - 40) { moves.scrollTop = top - 40; }
    }
    history.replaceState(null, "", address(step));
  }
  function count() {
    where.textContent = at + " of " + last() + (whole ? "" : "…");
    slider.setAttribute("aria-valuetext", "step " + at + " of " + last());
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }
  function start() {
    clearInterval(timer);
    play.textContent = "Pause";
    timer = setInterval(function () {
      if (at < last()) { show(at + 1); } else if (whole) { stop(); }
    }, pace);
  }
  function toggle() {
    if (timer) { stop(); return; }
    if (whole && at === last()) { show(0); }
    start();
  }
  function faster(by) {
    pace = Math.max(60, Math.min(3000, pace * by));
    if (timer) { start(); }
  }
  function to(step) { stop(); show(step); }
  function event() {
    for (var i = at + 1; i < frames.length; i++) { if (frames[i].mark) { to(i); return; } }
    to(last());
  }

  function take(line) {
    var message = JSON.parse(line);
    if (message.frame) {
      var f = message.frame;
      frames[f.step] = f;
      item(f.step);
      slider.max = Math.max(f.step, Number(slider.max));
      if (f.mark) { by("event").hidden = false; }
      if (f.step === at) { show(at); } else { count(); }
    } else if (message.end) {
      whole = true;
      end = message.end;
      item(frames.length - 1);
      tell(told, message.end);
      if (!sealed()) { scores(); }
      if (at > last()) { show(last()); } else if (at === last()) { unseal(); }
      count();
      if (!by("strip-svg") && film.dataset.measure) { draw(); } else { course(); }
    } else if (message.error) {
      whole = true;
      told.hidden = false;
      say(told, "errors", message.error);
    }
  }
  // draw fetches the course of the game, which the server draws when it has ended.
  function draw() {
    fetch(address(at) + "&part=course", { credentials: "same-origin" }).then(function (answer) { return answer.ok ? answer.text() : ""; }).then(function (text) {
      var came = document.createElement("template");
      came.innerHTML = text;
      var next = came.content.getElementById("course");
      if (next) { by("course").replaceWith(next); course(); }
    });
  }
  function takeOther(line) {
    var message = JSON.parse(line);
    if (message.frame) {
      others[message.frame.step] = message.frame;
      slider.max = Math.max(message.frame.step, Number(slider.max));
      if (message.frame.step === at) { boards2.innerHTML = message.frame.svg; caption2.textContent = message.frame.text; }
    } else if (message.end) {
      tell(told2, message.end);
    } else if (message.error) { say(told2, "errors", message.error); }
    count();
  }
  function say(where, kind, text) {
    var p = document.createElement("p");
    p.className = kind;
    p.textContent = text;
    where.appendChild(p);
  }
  function tell(where, result) {
    where.textContent = "";
    if (result.cut) { say(where, "note", result.cut); }
    if (result.scores) {
      say(where, "", "Result: " + result.scores.map(function (s) {
        return s.name + " " + Number(s.score.toPrecision(4)) + (s.fault ? " (fault)" : "");
      }).join(", ") + ".");
    }
    if (where === told) { where = by("check"); where.textContent = ""; } // it does not wait for the end
    if (result.note) { say(where, result.check === "same" ? "good" : "note", result.note); }
  }

  function on(id, what) {
    by(id).addEventListener("click", function (e) { e.preventDefault(); what(); });
  }
  on("first", function () { to(0); });
  on("back", function () { to(at - 1); });
  on("forward", function () { to(at + 1); });
  on("last", function () { to(last()); });
  on("play", toggle);
  on("event", event);
  on("go", function () { to(Number(slider.value)); });
  if (reveal) {
    on("reveal", function () {
      if (!whole) { return; }
      shown = true;
      unseal();
      moves.focus();
      history.replaceState(null, "", address(at));
    });
  }
  if (view) {
    on("view", function () {
      var all = film.classList.toggle("everything");
      view.textContent = all ? view.dataset.known : view.dataset.all;
      history.replaceState(null, "", address(at));
    });
  }
  slider.addEventListener("input", function () { to(Number(slider.value)); });
  moves.addEventListener("click", function (e) {
    var li = e.target.closest("li");
    if (li && frames[li.value]) { e.preventDefault(); to(li.value); }
  });
  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { return; }
    var step = { ArrowLeft: at - 1, ArrowRight: at + 1, k: at - 1, j: at + 1, Home: 0, End: last() }[e.key];
    if (step !== undefined) { e.preventDefault(); to(step); }
    if (e.key === "p") { toggle(); }
    if (e.key === " " && !/^(BUTTON|A|SUMMARY)$/.test(e.target.tagName)) { e.preventDefault(); toggle(); }
    if (e.key === "n") { event(); }
    if (e.key === "+") { faster(0.7); }
    if (e.key === "-") { faster(1.4); }
  });
  play.hidden = by("keys").hidden = false;
  by("go").hidden = true;

  var leaving = window.AbortController ? new AbortController() : null;
  window.addEventListener("pagehide", function () { if (leaving) { leaving.abort(); } });
  function follow(path, take, where) {
    fetch(path, { credentials: "same-origin", signal: leaving && leaving.signal }).then(function (answer) {
      if (!answer.ok || !answer.body) { return answer.json().then(function (p) { throw new Error(p.error); }); }
      var reader = answer.body.getReader(), decoder = new TextDecoder(), rest = "";
      function more() {
        return reader.read().then(function (part) {
          rest += decoder.decode(part.value || new Uint8Array(0), { stream: !part.done });
          var lines = rest.split("\n");
          rest = lines.pop();
          lines.forEach(take);
          if (!part.done) { return more(); }
        });
      }
      return more();
    }).catch(function (e) {
      if (e.name !== "AbortError") { where.hidden = false; say(where, "errors", e.message); }
    });
  }
  follow(film.dataset.film, take, told);
  if (film.dataset.beside) { follow(film.dataset.beside, takeOther, told2); }
})();
