// Shows a film without loading the page anew: fetches its frames as they are
// made and steps through them by buttons, slider and keys.
"use strict";
(function () {
  var film = document.getElementById("film");
  if (!film || !window.fetch || !window.TextDecoder) { return; }
  var at = Number(film.dataset.step), frames = [], whole = false, timer = null;
  function by(id) { return document.getElementById(id); }
  var boards = by("boards"), caption = by("caption"), slider = by("slider"), where = by("where"),
    moves = by("moves"), play = by("play"), end = by("end"), view = by("view");

  function address(step) {
    return film.dataset.page + "&step=" + step + (film.classList.contains("everything") ? "&view=all" : "");
  }
  function last() { return Math.max(frames.length - 1, Number(slider.max)); }
  function show(step) {
    at = Math.max(0, Math.min(step, last()));
    step = at;
    if (!frames[step]) { return; } // it is shown when it comes
    boards.innerHTML = frames[step].svg; // the server's own drawing, its text escaped
    caption.textContent = frames[step].text;
    slider.value = step;
    count();
    var old = moves.querySelector("[aria-current]");
    if (old) { old.removeAttribute("aria-current"); }
    var item = moves.children[step];
    if (item) {
      item.firstElementChild.setAttribute("aria-current", "step");
      var top = item.offsetTop - moves.offsetTop; // the list scrolls, the page stays
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
  function toggle() {
    if (timer) { stop(); return; }
    if (whole && at === last()) { show(0); }
    play.textContent = "Pause";
    timer = setInterval(function () {
      if (at < last()) { show(at + 1); } else if (whole) { stop(); }
    }, 700);
  }
  function to(step) { stop(); show(step); }

  function take(line) {
    var message = JSON.parse(line);
    if (message.frame) {
      var f = message.frame;
      frames[f.step] = f;
      if (f.step >= moves.children.length) {
        var item = document.createElement("li"), link = document.createElement("a");
        item.value = f.step;
        link.href = address(f.step);
        link.textContent = f.text;
        item.appendChild(link);
        moves.appendChild(item);
      }
      slider.max = Math.max(f.step, Number(slider.max));
      if (f.step === at) { show(at); } else { count(); }
    } else if (message.end) {
      whole = true;
      count();
      tell(message.end);
    } else if (message.error) {
      whole = true;
      say("errors", message.error);
    }
  }
  function say(kind, text) {
    var p = document.createElement("p");
    p.className = kind;
    p.textContent = text;
    end.appendChild(p);
  }
  function tell(result) {
    end.textContent = "";
    if (result.cut) { say("note", result.cut); }
    if (result.scores) {
      say("", "Result: " + result.scores.map(function (s) {
        return s.name + " " + Number(s.score.toPrecision(4)) + (s.fault ? " (fault)" : "");
      }).join(", ") + ".");
    }
    if (result.note) { say(result.check === "same" ? "good" : "note", result.note); }
  }

  function on(id, what) {
    by(id).addEventListener("click", function (e) { e.preventDefault(); what(); });
  }
  on("first", function () { to(0); });
  on("back", function () { to(at - 1); });
  on("forward", function () { to(at + 1); });
  on("last", function () { to(last()); });
  on("play", toggle);
  on("go", function () { to(Number(slider.value)); });
  if (view) {
    on("view", function () {
      var all = film.classList.toggle("everything");
      view.textContent = all ? view.dataset.known : view.dataset.all;
      history.replaceState(null, "", address(at));
    });
  }
  slider.addEventListener("input", function () { to(Number(slider.value)); });
  moves.addEventListener("click", function (e) {
    var item = e.target.closest("li");
    if (item && frames[item.value]) { e.preventDefault(); to(item.value); }
  });
  document.addEventListener("keydown", function (e) {
    if (e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { return; }
    var step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last() }[e.key];
    if (step !== undefined) { e.preventDefault(); to(step); }
    if (e.key === "p") { toggle(); }
  });
  play.hidden = by("keys").hidden = false;
  by("go").hidden = true;

  var leaving = window.AbortController ? new AbortController() : null;
  window.addEventListener("pagehide", function () { if (leaving) { leaving.abort(); } });
  fetch(film.dataset.film, { credentials: "same-origin", signal: leaving && leaving.signal }).then(function (answer) {
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
    if (e.name !== "AbortError") { say("errors", e.message); }
  });
})();
