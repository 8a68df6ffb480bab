"use strict";
(() => {
  const BATCH = 300;
  const MOST_MARKS = 5000;
  const PAUSE_MS = 120;
  const root = document.documentElement;
  const tools = document.querySelector(".tools");
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  const articles = Array.from(document.querySelectorAll("article"));
  const sections = Array.from(document.querySelectorAll(".conversation"));
  const texts = new Array(articles.length);
  const marks = window.CSS && CSS.highlights && window.Highlight ? new Highlight() : null;
  let opened = [];
  let hits = [];
  let at = -1;
  let turn = 0;
  let waiting = 0;

  tools.hidden = false;
  if (marks) CSS.highlights.set("found", marks);

  const textOf = (place) => {
    if (texts[place] === undefined) texts[place] = articles[place].textContent.toLowerCase();
    return texts[place];
  };

  const mark = (article, words) => {
    if (!marks || marks.size >= MOST_MARKS) return;
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (const word of words) {
        for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
          const range = new Range();
          range.setStart(node, start);
          range.setEnd(node, start + word.length);
          marks.add(range);
          if (marks.size >= MOST_MARKS) return;
        }
      }
    }
  };

  const open = (article, words) => {
    for (const fold of article.querySelectorAll("details:not([open])")) {
      const text = fold.textContent.toLowerCase();
      if (words.some((word) => text.includes(word))) {
        fold.open = true;
        opened.push(fold);
      }
    }
  };

  const say = (done) => {
    if (!find.value.trim()) found.value = "";
    else if (!done) found.value = "Looking…";
    else found.value = hits.length === 1 ? "1 message" : `${hits.length.toLocaleString()} messages`;
  };

  const filter = () => {
    const mine = ++turn;
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const fold of opened) fold.open = false;
    opened = [];
    hits = [];
    at = -1;
    if (marks) marks.clear();
    let place = 0;
    const step = () => {
      if (mine !== turn) return;
      for (const end = Math.min(place + BATCH, articles.length); place < end; place++) {
        const matches = words.every((word) => textOf(place).includes(word));
        articles[place].hidden = !matches;
        if (matches && words.length) {
          hits.push(articles[place]);
          open(articles[place], words);
          mark(articles[place], words);
        }
      }
      const done = place >= articles.length;
      say(done);
      if (!done) {
        setTimeout(step, 0);
        return;
      }
      for (const section of sections) {
        section.hidden = words.length > 0 && !section.querySelector("article:not([hidden])");
      }
    };
    step();
  };

  const show = (article) => {
    article.scrollIntoView({ block: "start" });
    article.focus({ preventScroll: true });
  };

  const go = (by) => {
    if (!hits.length) return;
    at = (at + by + hits.length) % hits.length;
    hits[at].scrollIntoView({ block: "start" });
    found.value = `${at + 1} of ${hits.length.toLocaleString()}`;
  };

  const walk = (by) => {
    const shown = articles.filter((article) => !article.hidden);
    const here = shown.indexOf(document.activeElement.closest("article"));
    const next = here < 0 ? shown.findIndex((article) => article.getBoundingClientRect().bottom > 100) : here + by;
    if (shown[next]) show(shown[next]);
  };

  const clear = () => {
    find.value = "";
    filter();
  };

  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, PAUSE_MS);
  });
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, button, summary")) return;
    if (event.key === "/") find.focus();
    else if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else return;
    event.preventDefault();
  });
  document.getElementById("unfold").addEventListener("click", (event) => {
    const all = Array.from(document.querySelectorAll("article details"));
    const closed = all.some((fold) => !fold.open);
    for (const fold of all) fold.open = closed;
    event.currentTarget.textContent = closed ? "Fold all" : "Unfold all";
  });
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  addEventListener("hashchange", () => {
    const article = document.getElementById(location.hash.slice(1));
    if (article && article.hidden) {
      clear();
      article.scrollIntoView();
    }
  });
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
})();
