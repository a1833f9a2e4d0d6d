// Helps with the form of a study: shows the fields of a game as soon as it is
// chosen, ticks a parameter for which something is typed, and marks the fields
// that mistakes are in. Without it the button beside the game does the first, and
// the server the rest.
"use strict";
(function () {
  var form = document.getElementById("study-form");
  if (!form) { return; }
  // A page that answers a form has an address of its own, so that it can be kept.
  if (location.search === "" && form.getAttribute("data-address")) { history.replaceState(null, "", form.getAttribute("data-address")); }
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
    Array.prototype.forEach.call(form.querySelectorAll("[data-field]"), function (m) { wrong[m.getAttribute("data-field")] = m.id; });
    Array.prototype.forEach.call(form.elements, function (field) {
      var at = field.name === "tune" ? wrong["tune." + field.value] : wrong[field.name];
      if (at) {
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", at);
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
