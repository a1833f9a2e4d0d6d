// The search of the list of series: names-1.js, names-2.js, ... hold their names and are read
// one after the other, only when somebody searches. Scripts can be read from a disk, too.
"use strict";
(() => {
  const form = document.getElementById("search"), input = document.getElementById("q"), hits = document.getElementById("hits"), said = document.getElementById("said");
  const most = 100;
  const parts = []; // what was read of the index
  let whole = false, reading = false, turn = 0;
  window.found = (n, names, last) => { whole = last; parts[n - 1] = names.map(name => [name, (name[0] + " " + name[2] + " " + name[3]).toLowerCase()]); };
  function read(then) {
    if (whole || reading) return;
    reading = true;
    const script = document.createElement("script");
    const done = more => { reading = false; whole = whole || !more; script.remove(); then(); };
    script.onload = () => done(true);
    script.onerror = () => done(false);
    script.src = "names-" + (parts.length + 1) + ".js";
    document.head.append(script);
  }
  function search() {
    const text = input.value.trim().toLowerCase(), mine = ++turn;
    let at = 0, count = 0;
    hits.replaceChildren();
    said.textContent = "";
    if (!text) return;
    const go = () => {
      if (mine !== turn) return;
      for (; at < parts.length && count < most; at++) {
        for (const [[title, file, machine, verdict, change], small] of parts[at]) {
          if (!small.includes(text) || count === most) continue;
          count++;
          const item = document.createElement("li"), link = document.createElement("a");
          link.href = file;
          link.textContent = title;
          item.append(link, " " + [verdict, change, machine].filter(Boolean).join(", "));
          hits.append(item);
        }
      }
      if (count === most) said.textContent = "the first " + most + " that were found";
      else if (whole) said.textContent = count + " found";
      else { said.textContent = "searching"; read(() => search.again()); }
    };
    search.again = go;
    go();
  }
  input.addEventListener("input", search);
  form.addEventListener("submit", e => e.preventDefault());
  form.hidden = false;
  if (input.value) search();
})();
