// Helps with forms: a slider beside numbers; and with that of a study: shows the fields of a game
// as soon as it is chosen, ticks a parameter for which something is typed, and marks the fields
// that mistakes are in. Without it a button shows the fields, and the server does the rest.
"use strict";
(function () {
  // A slider goes over 1, 2, 4 and 10 times a power of ten, between the two numbers of the field.
  Array.prototype.forEach.call(document.querySelectorAll("[data-slider]"), function (field) {
    var ends = field.getAttribute("data-slider").split(" ").map(Number), stops = [], slider = document.createElement("input");
    for (var unit = Math.pow(10, Math.floor(Math.log10(ends[0]))); unit <= ends[1]; unit *= 10) { stops.push(unit, 2 * unit, 4 * unit); }
    stops = stops.filter(function (n) { return n >= ends[0] && n <= ends[1]; });
    slider.type = "range";
    slider.max = stops.length - 1;
    slider.className = "slider";
    slider.setAttribute("aria-label", field.closest("label").firstChild.textContent.trim());
    function place() {
      var n = Number(field.value.replace(/\s/g, "")) || Number(field.placeholder.replace(/\s/g, "")) || ends[0];
      slider.value = stops.filter(function (stop) { return stop < n; }).length;
      slider.setAttribute("aria-valuetext", String(n));
    }
    slider.addEventListener("input", function () {
      field.value = stops[slider.value];
      slider.setAttribute("aria-valuetext", field.value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    field.addEventListener("input", place);
    var label = field.closest("label");
    if (label.parentNode.classList.contains("three")) { label.append(slider); } else { label.after(slider); }
    place();
  });
  // What was found of a form is grey from an input on until it has been found again.
  var check = document.getElementById("check"), typed = 0, asked = 0;
  function settled() { if (asked === typed) { check.removeAttribute("aria-busy"); } }
  if (check && window.htmx) {
    check.closest("form").addEventListener("input", function () { typed++; check.setAttribute("aria-busy", "true"); });
    document.addEventListener("htmx:beforeRequest", function () { asked = typed; });
    document.addEventListener("htmx:afterRequest", settled);
    document.addEventListener("htmx:validation:halted", function () {
      check.textContent = "Not checked: a field that is required is empty, or one is not as it has to be.";
      asked = typed;
      settled();
    });
  }
  var form = document.getElementById("study-form");
  if (!form) { return; }
  // A page that answers a form has an address of its own, so that it can be kept.
  if (location.search === "" && form.getAttribute("data-address")) { history.replaceState(null, "", form.getAttribute("data-address")); }
  form.querySelector("button[name=show]").hidden = true; // a choice shows them at once
  var shown = { game: form.elements.game.value, strategy: form.elements.strategy.value };
  ["game", "strategy"].forEach(function (name) {
    var list = form.elements[name];
    list.addEventListener("change", function () {
      if (list.value !== shown[name]) { form.querySelector("button[name=show]").click(); }
    });
  });
  // The browser restores what was chosen when one comes back to the page.
  window.addEventListener("pageshow", function () {
    var stale = form.elements.shown.value !== form.elements.game.value + " " + form.elements.strategy.value;
    if (stale) { form.querySelector("button[name=show]").click(); }
  });

  function ranges(row) { return Array.prototype.slice.call(row.querySelectorAll("[data-declared]")); }
  form.addEventListener("input", function (e) {
    var row = e.target.closest("tr"), box = row && row.querySelector("input[name=tune]");
    if (box && e.target !== box && e.target.hasAttribute("data-declared")) {
      box.checked = box.checked || e.target.value !== e.target.getAttribute("data-declared");
    } else if (box && e.target === box && !box.checked) {
      ranges(row).forEach(function (field) { field.value = field.getAttribute("data-declared"); });
    }
    var refused = document.getElementById("refused");
    if (refused && refused.querySelector("[data-field='" + CSS.escape(e.target.name) + "']")) { refused.remove(); }
  });

  function mark() {
    var wrong = {};
    Array.prototype.forEach.call(form.querySelectorAll(".said"), function (said) { said.remove(); });
    Array.prototype.forEach.call(form.querySelectorAll("[data-field]"), function (m) { wrong[m.getAttribute("data-field")] = m; });
    Array.prototype.forEach.call(form.elements, function (field) {
      var at = field.name === "tune" ? wrong["tune." + field.value] : wrong[field.name];
      if (at) {
        var said = document.createElement("small"), part = field.closest("details");
        said.className = "bad said";
        said.textContent = at.querySelector(".what").textContent;
        field.after(said);
        if (part) { part.open = true; }
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", at.id);
      } else if (field.hasAttribute("aria-invalid")) {
        field.removeAttribute("aria-invalid");
        field.removeAttribute("aria-describedby");
      }
    });
  }
  document.addEventListener("htmx:afterSettle", mark);
  mark();
  var refused = document.getElementById("refused");
  if (refused) { refused.focus(); }
})();
