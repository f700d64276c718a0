"use strict";
(() => {
  // Bodies lie in <noscript>: readable without a script; with one they are text until their case is opened.
  const form = document.querySelector(".filters");
  const items = [...document.querySelectorAll(".cases > li")];
  const none = document.querySelector(".none");
  const found = form.querySelector(".found");
  const field = (name) => form.elements.namedItem(name);
  const names = ["grade", "category", "pair", "tag", "text"].filter((name) => field(name));
  const texts = new Map();
  let show = "";

  const fill = (details) => {
    const hidden = details.querySelector(":scope > noscript");
    if (!hidden) return;
    const body = document.createElement("div");
    body.innerHTML = hidden.textContent; // our own markup: every text in it was escaped when the page was made
    hidden.replaceWith(...body.childNodes);
  };
  const open = (details) => { fill(details); details.open = true; };
  document.querySelector(".cases").addEventListener("toggle", (event) => {
    if (event.target.matches(".cases > li > details") && event.target.open) fill(event.target);
  }, true);
  for (const folded of document.querySelectorAll(".overview > details")) folded.addEventListener("toggle", () => fill(folded));

  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const entities = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&quot;": '"', "&amp;": "&" };
  const textOf = (item) => {
    let text = texts.get(item);
    if (text === undefined) {
      const markup = item.innerHTML.replace(/&(?:amp;)?(lt|gt|quot|#3[49]|amp);/g, "&$1;");
      text = plain(markup.replace(/<\/?(?:ins|del|mark|span|code|b|q|strong)\b[^>]*>/g, "").replace(/<[^>]*>/g, " ")
        .replace(/&(?:lt|gt|quot|#3[49]|amp);/g, (name) => entities[name]).replace(/\s+/g, " "));
      texts.set(item, text);
    }
    return text;
  };

  // Reading 8 MB of text takes most of a second: it is done while nobody waits.
  const readAhead = (at) => (deadline) => {
    while (at < items.length && deadline.timeRemaining() > 2) textOf(items[at++]);
    if (at < items.length) requestIdleCallback(readAhead(at));
  };
  if (window.requestIdleCallback) requestIdleCallback(readAhead(0));

  const matches = (item, wanted) => {
    const data = item.dataset;
    return (!show || data.change === show) && (!wanted.grade || data.grade === wanted.grade)
      && (!wanted.category || data.category === wanted.category)
      && (!wanted.pair || (data.pair || "").split(" ").includes(wanted.pair))
      && (!wanted.tag || (data.tags || "").split("\t").includes(wanted.tag))
      && (!wanted.words.length || wanted.words.every((word) => textOf(item).includes(word)));
  };
  const filter = () => {
    const wanted = {
      grade: field("grade").value, category: field("category").value, tag: field("tag").value,
      pair: field("pair") ? field("pair").value : "",
      words: plain(field("text").value).split(/\s+/).filter(Boolean),
    };
    let shown = 0;
    for (const item of items) {
      const fits = matches(item, wanted);
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    none.hidden = shown > 0;
    found.textContent = found.dataset.said.replace("{shown}", shown).replace("{all}", items.length);
    for (const chip of form.querySelectorAll("[data-show]")) chip.setAttribute("aria-pressed", String(chip.dataset.show === show));
  };
  const remember = () => {
    const kept = new URLSearchParams();
    if (show) kept.set("show", show);
    for (const name of names) if (field(name).value) kept.set(name, field(name).value);
    const hash = kept.toString();
    try { history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search); } catch { /* some viewers forbid it */ }
  };
  const changed = () => { filter(); remember(); };
  const reset = () => { form.reset(); show = ""; changed(); };

  const follow = () => {
    const asked = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
    if (asked.has("case")) {
      const target = document.getElementById("case=" + encodeURIComponent(asked.get("case")).replace(/[!'()*]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase()))
        || document.getElementById(location.hash.slice(1));
      if (!target) return;
      if (target.parentElement.hidden) { form.reset(); show = ""; filter(); }
      open(target);
      const summary = target.querySelector("summary");
      summary.focus({ preventScroll: true });
      summary.scrollIntoView();
      requestAnimationFrame(() => summary.scrollIntoView()); // what lay above had only an estimated height
    } else if (["show", ...names].some((name) => asked.has(name))) {
      show = asked.get("show") || "";
      for (const name of names) field(name).value = asked.get(name) || "";
      filter();
      if (asked.has("category")) document.getElementById("cases").scrollIntoView();
    }
  };

  const shownSummaries = () => items.filter((item) => !item.hidden).map((item) => item.querySelector("summary"));
  const step = (by) => {
    const order = shownSummaries();
    if (!order.length) return;
    const current = document.activeElement && document.activeElement.closest(".cases > li");
    const at = current ? order.findIndex((each) => current.contains(each)) : -1;
    const next = order[Math.min(order.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : order.length - 1) : at + by))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    const current = document.activeElement && document.activeElement.closest(".cases > li");
    if (current && current.querySelector("details").open) {
      current.querySelector("details").open = false;
      current.querySelector("summary").focus();
    } else if (document.activeElement === field("text")) {
      if (field("text").value) { field("text").value = ""; changed(); } else field("text").blur();
    }
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !field("keys").checked) return;
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
    if (event.key === "Escape") { close(); return; }
    if (typing) return;
    const keys = { j: () => step(1), k: () => step(-1), "/": () => field("text").focus() };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  const tags = new Set();
  for (const item of items) for (const tag of (item.dataset.tags || "").split("\t")) if (tag) tags.add(tag);
  if (tags.size) {
    for (const tag of [...tags].sort()) field("tag").add(new Option(tag, tag));
    field("tag").closest("label").hidden = false;
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => { if (event.target.name !== "keys") changed(); });
  for (const chip of form.querySelectorAll("[data-show]")) chip.addEventListener("click", () => { show = chip.dataset.show; changed(); });
  form.querySelector("[data-open-all]").addEventListener("click", () => {
    items.filter((item) => !item.hidden).slice(0, 50).forEach((item) => open(item.querySelector("details")));
  });
  document.querySelector("[data-reset]").addEventListener("click", reset);
  document.addEventListener("toggle", (event) => {
    const details = event.target;
    if (details.open && details.id && details.id.startsWith("case=")) {
      try { history.replaceState(null, "", `#${details.id}`); } catch { /* some viewers forbid it */ }
    }
  }, true);
  addEventListener("hashchange", follow);
  form.hidden = false;
  filter();
  follow();
  // While the page loads, the browser itself follows the address and takes the focus away again.
  if (document.readyState !== "complete") addEventListener("load", () => requestAnimationFrame(follow));
})();
