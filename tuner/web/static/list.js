// Keeps the ticks of a list from page to page, until something is done with all of them, or they
// are taken away.
"use strict";
(function () {
  var form = document.getElementById("together"), key = "ticked " + location.pathname;
  if (!form) { return; }
  var lacking = "", said = document.getElementById("ticked").textContent;
  function read() { try { return JSON.parse(sessionStorage.getItem(key)) || []; } catch (ignored) { return []; } }
  function keep(all) { try { sessionStorage.setItem(key, JSON.stringify(all)); } catch (ignored) { /* they hold for this page */ } }
  function boxes() { return Array.prototype.slice.call(document.querySelectorAll("input[form=together][name=s]")); }
  var none = document.createElement("button");
  none.type = "button";
  none.className = "link";
  none.textContent = "tick none";
  none.addEventListener("click", function () { keep([]); show(); });
  document.getElementById("ticked").after(" ", none);
  if (sessionStorage.getItem("sent " + key)) { // and if it was refused, the ticks stay
    sessionStorage.removeItem("sent " + key);
    if (!document.getElementById("refused")) { keep([]); }
  }
  function show() {
    var all = read(), hint = document.getElementById("ticked");
    if (!none.isConnected && hint) { hint.after(" ", none); }
    none.hidden = all.length === 0;
    boxes().forEach(function (box) { box.checked = all.indexOf(box.value) >= 0; });
    if (hint) { hint.textContent = lacking ? lacking : all.length ? all.length + " ticked, on all pages" : said; }
  }
  document.addEventListener("change", function (e) {
    if (!e.target.matches("input[form=together][name=s]")) { return; }
    lacking = "";
    keep(read().filter(function (n) { return n !== e.target.value; }).concat(e.target.checked ? [e.target.value] : []));
    show();
  });
  form.addEventListener("submit", function (e) {
    var least = e.submitter && e.submitter.hasAttribute("formaction") || form.method === "get" ? 2 : 1;
    if (read().length < least) {
      e.preventDefault();
      lacking = least === 2 ? "To compare, tick two studies or more." : "Tick rows of the list first.";
      show();
      return;
    }
    var here = boxes().map(function (box) { return box.value; });
    read().filter(function (n) { return here.indexOf(n) < 0; }).forEach(function (n) {
      var field = document.createElement("input");
      field.type = "hidden";
      field.name = "s";
      field.value = n;
      form.appendChild(field);
    });
    sessionStorage.setItem("sent " + key, "yes");
  });
  document.addEventListener("sakusen:shown", show);
  show();
})();
