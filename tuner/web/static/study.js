// The history of a study as a plot in which one can zoom: uPlot over columns of
// trials that the API makes for the range that is shown, so that a hundred
// thousand trials cost what a thousand do. Without it the page has the same
// drawing as SVG.
"use strict";
(function () {
  var section, place, said, study;
  // find looks for the places of the plot, which a page that was changed may have anew.
  function find() {
    section = document.getElementById("explore");
    place = document.getElementById("chart");
    said = document.getElementById("cursor");
    return section && place && said;
  }
  if (!window.uPlot || !window.fetch) { return; }
  var plot = null, data = null, range = null, busy = false, wanted = false, timer = null, drawn = 0;

  // colour is one of the style sheet's as the canvas knows it.
  function colour(name) {
    var probe = document.createElement("span");
    probe.style.color = "var(" + name + ")";
    document.body.appendChild(probe);
    var text = getComputedStyle(probe).color;
    probe.remove();
    return text;
  }
  // grouped writes a number as the server does: thousands apart, and a minus sign.
  function grouped(digits) {
    var parts = digits.replace("-", "").split(".");
    if (parts[0].length >= 5) { parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, "\u202f"); }
    return (digits.charAt(0) === "-" && Number(digits) !== 0 ? "\u2212" : "") + parts.join(".");
  }
  // number is rounded by the half-width of its interval, which would keep two digits, or
  // one where it begins with 3 or more; of Elo without one, to whole numbers.
  function number(x, half) {
    if (x === null || x === undefined) { return "-"; }
    if (half > 0) {
      var place = 1 - Math.floor(Math.log10(half));
      if (half * Math.pow(10, place) >= 29.5) { place--; }
      return grouped(place >= 0 ? x.toFixed(place) : String(Math.round(x * Math.pow(10, place)) * Math.pow(10, -place)));
    }
    return grouped(data && data.unit ? x.toFixed(0) : String(Number(x.toPrecision(4))));
  }

  // ask fetches the columns of the range.
  function ask() {
    if (busy) { wanted = true; return; }
    busy = true;
    drawn = Date.now();
    var columns = Math.max(50, Math.min(700, Math.floor(section.parentElement.clientWidth / 3)));
    var query = "?unit=elo&columns=" + columns + (range ? "&from=" + range[0] + "&to=" + range[1] : "");
    fetch(section.getAttribute("data-history") + query, { credentials: "same-origin" }).then(function (a) {
      if (!a.ok) { throw new Error(a.status); }
      return a.json();
    }).then(function (h) {
      busy = false;
      show(h);
      if (wanted) { wanted = false; ask(); }
    }, function () { busy = false; });
  }

  var tones = { pass: "--good", fail: "--bad", inconclusive: "--warn" };

  // bars draws the ranges of columns and the intervals of single trials.
  function bars(u) {
    var ctx = u.ctx, h = data;
    function stroke(low, top, style, width) {
      ctx.strokeStyle = style;
      ctx.lineWidth = width * devicePixelRatio;
      ctx.beginPath();
      for (var i = 0; i < h.number.length; i++) {
        var a = low(i), b = top(i);
        if (a === null || b === null) { continue; }
        var x = u.valToPos(u.data[0][i], "x", true);
        ctx.moveTo(x, u.valToPos(a, "y", true));
        ctx.lineTo(x, u.valToPos(b, "y", true) + 0.01);
      }
      ctx.stroke();
    }
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    if (h.step > 1) {
      stroke(function (i) { return h.stopped_low[i]; }, function (i) { return h.stopped_top[i]; }, colour("--pale"), 2);
      stroke(function (i) { return h.low[i]; }, function (i) { return h.top[i]; }, colour("--full"), 2);
    } else {
      stroke(function (i) { return h.best_low[i]; }, function (i) { return h.best_high[i]; }, colour("--full"), 1);
    }
    // What is outside a limit is crossed out.
    ctx.strokeStyle = colour("--grey");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    h.number.forEach(function (_, i) {
      if (h.outside[i] === null) { return; }
      var x = u.valToPos(u.data[0][i], "x", true), y = u.valToPos(h.outside[i], "y", true), d = 3 * devicePixelRatio;
      ctx.moveTo(x - d, y - d); ctx.lineTo(x + d, y + d);
      ctx.moveTo(x - d, y + d); ctx.lineTo(x + d, y - d);
    });
    ctx.stroke();
    function level(y, style, width) {
      ctx.strokeStyle = style;
      ctx.lineWidth = width * devicePixelRatio;
      ctx.beginPath();
      ctx.moveTo(u.bbox.left, u.valToPos(y, "y", true));
      ctx.lineTo(u.bbox.left + u.bbox.width, u.valToPos(y, "y", true));
      ctx.stroke();
    }
    if (h.validated) {
      var decided = colour(tones[h.verdict] || "--warn"); // green only where the test proved it
      var top = u.valToPos(h.validated[2], "y", true), bottom = u.valToPos(h.validated[1], "y", true);
      ctx.globalAlpha = 0.16;
      ctx.fillStyle = decided;
      ctx.fillRect(u.bbox.left, top, u.bbox.width, Math.max(1, bottom - top));
      ctx.globalAlpha = 1;
      level(h.validated[0], decided, 1.5);
    }
    if (h.baseline !== undefined && h.baseline !== null) { level(h.baseline, colour("--ink"), 1.2); }
    ctx.restore();
  }

  function columns(h) {
    var stopped = h.stopped_top.map(function (y, i) { return h.outside[i] === y ? null : y; });
    return [h.number.map(function (n) { return n + (h.step - 1) / 2; }), stopped, h.best, h.incumbent];
  }

  // extent is the range of values, intervals included where each trial has one.
  function extent() {
    var lo = Infinity, hi = -Infinity;
    data.number.forEach(function (_, i) {
      if (data.step === 1 && data.best_low[i] !== null) {
        lo = Math.min(lo, data.best_low[i]);
        hi = Math.max(hi, data.best_high[i]);
      }
      [data.low, data.top, data.stopped_low, data.stopped_top, data.incumbent].forEach(function (a) {
        if (a[i] !== null) { lo = Math.min(lo, a[i]); hi = Math.max(hi, a[i]); }
      });
    });
    if (lo > hi) { return [0, 1]; }
    if (data.baseline !== undefined && data.baseline !== null) { lo = Math.min(lo, data.baseline); hi = Math.max(hi, data.baseline); }
    if (data.validated) { lo = Math.min(lo, data.validated[1]); hi = Math.max(hi, data.validated[2]); }
    var margin = 0.05 * (hi - lo) || 0.5;
    return [lo - margin, hi + margin];
  }

  function show(h) {
    data = h;
    if (!h.number.length) { return; }
    section.hidden = false;
    document.documentElement.classList.add("explored");
    document.getElementById("explore-title").textContent = "Trials " + h.from + " to " + (h.to - 1);
    if (plot) {
      plot.setData(columns(h));
      return;
    }
    build();
  }

  function build() {
    var ink = colour("--ink"), line = colour("--line"), mark = colour("--mark"), grey = colour("--grey");
    var whole = [];
    for (var unit = 1; unit < 1e9; unit *= 10) { whole.push(unit, 2 * unit, 5 * unit); }
    function texts(u, marks) {
      return marks.map(function (x) {
        return grouped(String(Number(x.toPrecision(12))));
      });
    }
    var axis = { values: texts, stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    plot = new uPlot({
      width: place.clientWidth, height: Math.max(240, Math.min(360, place.clientWidth * 0.5)),
      legend: { show: false },
      scales: {
        x: { time: false, range: function () { return [data.from - 0.5, Math.max(data.from + 0.5, data.to - 0.5)]; } },
        y: { range: extent }
      },
      axes: [Object.assign({}, axis, { incrs: whole, label: "trial", labelSize: 24, size: 40 }), Object.assign({}, axis, { label: data.unit || data.objective, labelSize: 24, size: 56 })],
      series: [{},
        { paths: function () { return null; }, points: { show: function () { return data.step === 1; }, size: 4, width: 0, stroke: grey, fill: grey } },
        { paths: function () { return null; }, points: { show: true, size: 5, width: 0, stroke: mark, fill: mark } },
        { stroke: grey, width: 2, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }],
      cursor: { drag: { x: true, y: false, setScale: false }, y: false },
      hooks: {
        drawAxes: [bars],
        setCursor: [function (u) { tell(u.cursor.idx); }],
        setSelect: [function (u) {
          if (u.select.width < 4) { return; }
          var a = u.posToVal(u.select.left, "x"), b = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          zoom(Math.floor(a), Math.ceil(b) + 1);
        }]
      }
    }, columns(data), place);
    var over = plot.over;
    over.addEventListener("dblclick", function () { zoom(0, data.trials); });
  }

  // tell says what is under the cursor.
  function tell(i) {
    if (i === null || i === undefined || !data) { said.textContent = ""; return; }
    var text = data.step === 1 ? "trial " + data.number[i] : "trials " + data.number[i] + " to " + (Math.min(data.to, data.number[i] + data.step) - 1);
    var unit = data.unit ? " Elo" : " " + data.objective;
    if (data.best[i] !== null) {
      var low = data.best_low[i], high = data.best_high[i], half = low === null ? 0 : (high - low) / 2;
      text += ": " + (data.step > 1 ? "best " : "") + number(data.best[i], half) + unit;
      if (low !== null) { text += " (" + number(low, half) + " to " + number(high, half) + ")"; }
      if (data.step > 1) { text += ", trial " + data.best_trial[i]; }
    } else if (data.outside[i] !== null) {
      text += ": outside a limit, at " + number(data.outside[i]) + unit;
    } else if (data.stopped_top[i] !== null) {
      text += ": stopped at " + number(data.stopped_top[i]) + unit;
    }
    if (data.incumbent[i] !== null) { text += "; best by then " + number(data.incumbent[i]) + unit; }
    said.textContent = text;
  }

  // The arrow keys go from trial to trial, Home and End to the first and the last.
  document.addEventListener("keydown", function (e) {
    if (!plot || e.target !== place) { return; }
    var at = plot.cursor.idx, last = data.number.length - 1;
    var next = { ArrowLeft: at === null || at === undefined ? last : Math.max(0, at - 1), ArrowRight: at === null || at === undefined ? 0 : Math.min(last, at + 1), Home: 0, End: last }[e.key];
    if (next === undefined || e.altKey || e.ctrlKey || e.metaKey) { return; }
    e.preventDefault();
    plot.setCursor({ left: plot.valToPos(plot.data[0][next], "x"), top: 10 });
  });

  function zoom(from, to) {
    from = Math.max(0, Math.round(from));
    to = Math.min(data.trials, Math.max(from + 2, Math.round(to)));
    range = from === 0 && to === data.trials ? null : [Math.min(from, Math.max(0, to - 2)), to];
    ask();
  }

  document.addEventListener("click", function (e) {
    var how = e.target.getAttribute && e.target.getAttribute("data-zoom");
    if (!how || !data || !find()) { return; }
    var from = data.from, to = data.to, width = to - from;
    if (how === "in") { zoom(from + width / 4, to - width / 4); }
    if (how === "out") { zoom(from - width / 2, to + width / 2); }
    if (how === "back") { zoom(Math.max(0, from - width / 2), Math.max(0, from - width / 2) + width); }
    if (how === "on") { var last = Math.min(data.trials, to + width / 2); zoom(last - width, last); }
    if (how === "all") { zoom(0, data.trials); }
  });

  // At an event the shown range is asked for again, at most every three seconds.
  document.addEventListener("sakusen:event", function (e) {
    if (e.detail.study !== study || timer || document.hidden) { return; }
    timer = setTimeout(function () { timer = null; ask(); }, Math.max(0, 3000 - (Date.now() - drawn)));
  });
  function again() {
    if (!find()) { return; }
    if (plot) { plot.destroy(); plot = null; }
    if (data && data.number.length) { build(); }
  }
  var resized = null;
  window.addEventListener("resize", function () { clearTimeout(resized); resized = setTimeout(again, 200); });
  if (window.matchMedia) { matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again); }
  document.addEventListener("sakusen:theme", again);
  // A part that was brought up to date may have made room for the plot anew.
  document.addEventListener("sakusen:shown", function () {
    if (!find()) { return; }
    if (!study) { begin(); return; }
    if (!place.querySelector(".uplot")) { plot = null; if (data) { show(data); } } else { section.hidden = false; }
  });
  // begin asks for the history as soon as there is a place for it: a study whose
  // first trials are being judged has none yet.
  function begin() {
    if (!find()) { return; }
    study = section.getAttribute("data-history").split("/").slice(-2)[0];
    ask();
  }
  begin();
})();
