// Gives every drawing of a page what paper has not: values under the pointer or the arrow keys,
// a click that leads to the trial, a range drawn with the pointer that leaves only its trials in
// all drawings, and the drawing or its numbers as a file. All of it stands in the drawings: a
// mark's data-n are its trials, data-v its values, its title the words; data-trial around them
// is the address of trials, data-step how many trials a column sums up, whose range has the first
// of them, and data-last the last one drawn.
"use strict";
(function () {
  var root = document.documentElement, chosen = null, drag = null, at = null;
  root.classList.add("scripted");
  function make(name, id, parent) {
    var e = parent.namespaceURI === "http://www.w3.org/2000/svg" ? document.createElementNS(parent.namespaceURI, name) : document.createElement(name);
    e.setAttribute(id === "brush" ? "class" : "id", id);
    parent.appendChild(e);
    return e;
  }
  var card = make("p", "told", document.body), bar = make("p", "chosen", document.body), text = make("span", "chosen-text", bar);
  card.hidden = bar.hidden = true;
  card.setAttribute("role", "status");
  bar.setAttribute("role", "status");
  var near = make("a", "zoom", bar), all = make("button", "unchoose", bar);
  near.textContent = "Draw only these";
  all.type = "button";
  all.textContent = "All trials";

  function list(e, what) { return Array.prototype.slice.call(e.querySelectorAll(what)); }
  function drawing(e) { return e.closest && e.closest("svg.chart"); }
  function marks(svg) { return list(svg, "[data-v]"); }
  function trials(mark) { return (mark.getAttribute("data-n") || "").split(" ").filter(Boolean).map(Number); }
  function middle(mark) { var r = mark.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }
  function words(e) { var t = e.querySelector("title"); return t ? t.textContent : ""; }

  // say shows the words of a mark beside it, and the same trial in the other drawings.
  function say(mark) {
    if (mark === at) { return; }
    at = mark;
    list(document, "svg.chart .hot").forEach(function (e) { e.classList.remove("hot"); });
    card.hidden = !mark;
    if (!mark) { return; }
    card.textContent = words(mark);
    var own = trials(mark)[0], to = middle(mark);
    if (mark.hasAttribute("data-v")) { mark.classList.add("hot"); }
    if (own !== undefined) { list(document, 'svg.chart [data-n="' + own + '"]').forEach(function (e) { e.classList.add("hot"); }); }
    card.style.left = Math.max(4, Math.min(innerWidth - card.offsetWidth - 4, to[0] + 12)) + "px";
    card.style.top = Math.max(4, to[1] - card.offsetHeight - 10) + "px";
  }
  // nearest is the mark within some pixels of a place.
  function nearest(svg, x, y) {
    var best = null, least = 24;
    marks(svg).forEach(function (m) {
      var p = middle(m), d = Math.hypot(p[0] - x, p[1] - y);
      if (d < least && !m.classList.contains("off")) { least = d; best = m; }
    });
    return best;
  }
  function lead(mark) {
    var around = mark && mark.closest("[data-trial]"), own = mark && trials(mark)[0];
    if (around && own !== undefined) { location.href = around.getAttribute("data-trial") + own; }
  }

  // show leaves the chosen trials in all drawings: a set of numbers, or of a drawing that sums up, a range.
  function show() {
    list(document, "svg.chart [data-n]").forEach(function (m) {
      m.classList.toggle("off", !!chosen && !trials(m).some(function (n) { return chosen.set ? chosen.set.has(n) : n >= chosen.from && n <= chosen.to; }));
    });
    if (bar.hidden = !chosen) { return; }
    text.textContent = (chosen.set ? chosen.set.size : chosen.to - chosen.from + 1) + " chosen, " + chosen.from + " to " + chosen.to;
    near.hidden = !document.querySelector("[data-trial][data-drawn]");
    var q = new URLSearchParams(location.search);
    q.set("from", chosen.from);
    q.set("to", chosen.to + 1);
    q.delete("only");
    if (chosen.set && chosen.set.size <= chosen.to - chosen.from) { q.set("only", Array.from(chosen.set).sort(function (a, b) { return a - b; }).join(",")); }
    near.href = location.pathname + "?" + q;
  }
  // choose takes the trials of the marks in a box; of a drawing that sums up, all from its left to its right.
  function choose(svg, box) {
    var set = new Set(), step = Number(svg.getAttribute("data-step"));
    list(svg, step ? "[data-n]:not([data-v])" : "[data-n][data-v]").forEach(function (m) {
      var p = middle(m);
      if (p[0] >= box[0] && p[0] <= box[2] && (step || p[1] >= box[1] && p[1] <= box[3])) { trials(m).forEach(function (n) { set.add(n); }); }
    });
    var from = Math.min.apply(null, Array.from(set)), to = Math.max.apply(null, Array.from(set));
    if (step) {
      to = Math.min(to + step - 1, Number(svg.getAttribute("data-last")));
      set = new Set((new URLSearchParams(location.search).get("only") || "").split(",").filter(Boolean).map(Number).filter(function (n) { return n >= from && n <= to; }));
    }
    chosen = to >= from ? { set: set.size ? set : null, from: from, to: to } : null;
    show();
  }
  document.addEventListener("pointerdown", function (e) {
    var svg = drawing(e.target);
    if (svg && e.button === 0 && e.pointerType === "mouse") { drag = { svg: svg, x: e.clientX, y: e.clientY, rect: null }; }
  });
  document.addEventListener("pointermove", function (e) {
    if (!drag) {
      var over = drawing(e.target);
      say(over ? nearest(over, e.clientX, e.clientY) || (e.target.querySelector("title") && e.target !== over ? e.target : null) : null);
      return;
    }
    if (!drag.rect && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 5 || !drag.svg.querySelector("[data-n]")) { return; }
    say(null);
    drag.rect = drag.rect || make("rect", "brush", drag.svg);
    var m = drag.svg.getScreenCTM().inverse(), a = new DOMPoint(drag.x, drag.y).matrixTransform(m), b = new DOMPoint(e.clientX, e.clientY).matrixTransform(m);
    [["x", Math.min(a.x, b.x)], ["y", Math.min(a.y, b.y)], ["width", Math.abs(a.x - b.x)], ["height", Math.abs(a.y - b.y)]].forEach(function (s) { drag.rect.setAttribute(s[0], s[1]); });
    e.preventDefault();
  });
  document.addEventListener("pointerup", function (e) {
    var was = drag;
    drag = null;
    if (!was) { return; }
    if (!was.rect) { lead(nearest(was.svg, e.clientX, e.clientY)); return; }
    was.rect.remove();
    choose(was.svg, [Math.min(was.x, e.clientX), Math.min(was.y, e.clientY), Math.max(was.x, e.clientX), Math.max(was.y, e.clientY)]);
  });
  // The arrow keys go from mark to mark of a drawing that has the focus; Enter leads to the trial.
  document.addEventListener("keydown", function (e) {
    if (e.key === "Escape") { chosen = null; show(); say(null); }
    var svg = e.target.matches && e.target.matches("svg.chart") ? e.target : null;
    if (!svg || e.altKey || e.ctrlKey || e.metaKey) { return; }
    if (e.key === "Enter") { lead(at); return; }
    var on = marks(svg).filter(function (m) { return !m.classList.contains("off"); }).sort(function (a, b) { return middle(a)[0] - middle(b)[0]; });
    var i = on.indexOf(at), next = { ArrowLeft: i < 0 ? on.length - 1 : Math.max(0, i - 1), ArrowRight: Math.min(on.length - 1, i + 1), Home: 0, End: on.length - 1 }[e.key];
    if (next !== undefined && on.length) { e.preventDefault(); say(on[next]); }
  });
  all.addEventListener("click", function () { chosen = null; show(); });

  function save(content, type, name) {
    var a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([content], { type: type }));
    a.download = name;
    a.click();
    setTimeout(function () { URL.revokeObjectURL(a.href); }, 1000);
  }
  // picture is a drawing with the colours that it has on the page.
  function picture(svg) {
    var copy = svg.cloneNode(true), from = [svg].concat(list(svg, "*")), to = [copy].concat(list(copy, "*"));
    from.forEach(function (e, i) {
      var s = getComputedStyle(e);
      ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor"].forEach(function (p) { to[i].setAttribute(p, s.getPropertyValue(p)); });
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  }
  function line(cells) { return cells.map(function (c) { return /[\n,\x22]/.test(c) ? '"' + c.split('"').join('""') + '"' : c; }).join(","); }
  // table are the values of the marks that are left, as lines with commas.
  function table(svg) {
    var rows = [line(["trial"].concat((svg.getAttribute("data-names") || "x\tvalue").split("\t"), ["low", "high", "what"]))];
    marks(svg).filter(function (m) { return !m.classList.contains("off"); }).forEach(function (m) {
      var v = m.getAttribute("data-v").split("\t");
      rows.push(line([m.getAttribute("data-n") || "", v[0], v[1], v[2] || "", v[3] || "", words(m)]));
    });
    return rows.join("\n") + "\n";
  }
  document.addEventListener("click", function (e) {
    var how = e.target.getAttribute && e.target.getAttribute("data-save");
    if (!how) { return; }
    if (how === "table") {
      var shown = e.target.closest("section").querySelector("table");
      save(list(shown, "tr").map(function (row) { return line(list(row, "th, td").map(function (c) { return c.innerText.replace(/\u2212/g, "-").replace(/\u202f/g, ""); })); }).join("\n") + "\n", "text/csv", "trials.csv");
      return;
    }
    var svg = e.target.closest(".save").previousElementSibling;
    if (!svg.getBoundingClientRect().width) { svg = svg.previousElementSibling; } // of two sizes the other one is shown
    var name = svg.getAttribute("aria-label").split(",")[0].replace(/[^A-Za-z0-9]+/g, "-").slice(0, 60) + "." + how;
    if (how === "svg") { save(picture(svg), "image/svg+xml", name); } else { save(table(svg), "text/csv", name); }
  });
  function ready() {
    list(document, "svg.chart.wide, svg.chart.narrow").forEach(function (s) { if (s.querySelector("[data-v]")) { s.setAttribute("tabindex", "0"); } });
    if (chosen) { show(); }
  }
  document.addEventListener("sakusen:shown", ready);
  ready();
})();
