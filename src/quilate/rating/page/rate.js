"use strict";
// Everything that others wrote is set as text, never as markup.

const at = (id) => document.getElementById(id);
const words = JSON.parse(document.body.dataset.words);
const said = (name, places = {}) => words[name].replace(/\{(\w+)\}/g, (_, place) => places[place]);
let task = null;
let busy = false;
const before = [];

function make(name, className, text) {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function written(name, text) {
  const node = make(name, name === "pre" ? "" : "text", text);
  node.dir = "auto";
  return node;
}

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

const hasTools = (reply) => reply.tools.length > 0 || reply.fragments.length > 0;

// A missing output is part of the rating, so it is said wherever the other reply has one.
function showReply(reply, number, of, tools) {
  const box = make("section", "reply");
  const title = make("h2", "", of > 1 ? said("response_n", { n: number }) : said("response"));
  title.id = `response-${number}`;
  box.setAttribute("aria-labelledby", title.id);
  box.append(title, written("p", reply.text || said("empty")));
  if (tools) box.append(make("h3", "", said("outputs")));
  if (tools && !hasTools(reply)) box.append(make("p", "gave gave-missing", said("no_tool")));
  for (const call of reply.tools) {
    const line = make("p");
    line.append(make("code", "", call.name), " ", make("span", `gave gave-${call.gave}`, words.gave[call.gave]));
    box.append(line);
    if (call.args !== null && call.args !== undefined) box.append(make("h3", "", said("arguments")), written("pre", asText(call.args)));
    if ("output" in call) box.append(make("h3", "", said("output")), written("pre", asText(call.output)));
  }
  for (const fragment of reply.fragments) box.append(make("h3", "", said("search")), written("pre", fragment));
  for (const [place, block] of box.querySelectorAll("pre").entries()) {
    block.tabIndex = 0;
    block.setAttribute("role", "region");
    block.setAttribute("aria-label", `${title.textContent}: ${said("tool_data")} ${place + 1}`);
  }
  return box;
}

function showQuestion(question) {
  const set = make("fieldset");
  set.dataset.id = question.id;
  set.append(make("legend", "", question.text));
  if (question.note) {
    const note = make("p", "note", question.note);
    note.id = `note-${question.id}`;
    set.setAttribute("aria-describedby", note.id);
    set.append(note);
  }
  const options = make("div", "options");
  for (const option of question.options) {
    const label = make("label");
    const input = make("input");
    Object.assign(input, { type: "radio", name: question.id, value: option.value });
    input.checked = task.answers[question.id] === option.value;
    label.append(input, " ", make("kbd", "", option.key), " ", option.label);
    options.append(label);
  }
  set.append(options);
  return set;
}

const sets = () => [...document.querySelectorAll("fieldset")];
const isAnswered = (set) => set.querySelector("input:checked") !== null;
const focusOn = (set) => (set.querySelector("input:checked") || set.querySelector("input")).focus();

function show(found) {
  task = found;
  at("progress").max = Math.max(found.of, 1);
  at("progress").value = found.done;
  at("problem").textContent = "";
  const over = found.place === null;
  at("task").hidden = over;
  at("end").hidden = !over;
  if (over) {
    at("status").textContent = said("rated", found);
    at("end").textContent = said("all_rated_stop");
    at("end").focus();
    document.title = said("all_rated");
    return;
  }
  at("status").textContent = `${said("rated", found)} · ${found.case_id}`;
  document.title = said("title", { done: found.done + 1, of: found.of });
  at("conversation").replaceChildren(...found.conversation.map(([role, content]) => {
    const turn = make("div", "turn");
    turn.append(make("div", "role", role), written("p", content));
    return turn;
  }));
  at("reference").hidden = found.reference === null;
  at("reference").querySelector("p").textContent = found.reference || "";
  at("replies").replaceChildren(...found.replies.map((reply, index) => showReply(reply, index + 1, found.replies.length, found.replies.some(hasTools))));
  at("questions").replaceChildren(...found.questions.map(showQuestion));
  at("justification-label").textContent = found.justification;
  at("justification").value = found.said;
  at("justification").required = found.justification_required;
  window.scrollTo(0, 0);
  focusOn(sets()[0]);
}

function problem(text) {
  at("problem").textContent = text;
}

async function load(query) {
  try {
    const answer = await fetch(`task?${query}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    show(await answer.json());
  } catch {
    problem(said("gone"));
    at("status").textContent = said("not_connected");
  }
}

async function send(path, body) {
  return fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function save() {
  if (busy || task === null || task.place === null) return;
  const open = sets().find((set) => !isAnswered(set));
  if (open) {
    problem(said("answer_first", { question: open.querySelector("legend").textContent }));
    focusOn(open);
    return;
  }
  if (task.justification_required && !at("justification").value.trim()) {
    problem(said("say_why"));
    at("justification").focus();
    return;
  }
  const answers = Object.fromEntries(sets().map((set) => [set.dataset.id, set.querySelector("input:checked").value]));
  busy = true;
  try {
    const answer = await send("labels", { place: task.place, answers, justification: at("justification").value });
    if (!answer.ok) {
      problem((await answer.json()).problem);
      return;
    }
    before.push(task.place);
    await load(`after=${task.place}`);
  } catch {
    problem(said("not_saved"));
  } finally {
    busy = false;
  }
}

function skip() {
  if (task === null || task.place === null) return;
  before.push(task.place);
  load(`after=${task.place}`);
}

function back() {
  if (before.length) load(`at=${before.pop()}`);
}

async function stop() {
  try {
    await send("stop", {});
  } catch {
    // It is gone already, which is what was asked for.
  }
  at("task").hidden = true;
  at("end").hidden = false;
  at("end").textContent = said("stopped");
  at("end").focus();
  task = null;
}

function answer(key) {
  const current = document.activeElement.closest("fieldset") || sets().find((set) => !isAnswered(set));
  const question = current && task.questions.find((each) => each.id === current.dataset.id);
  const option = question && question.options.find((each) => each.key === key);
  if (!option) return false;
  const input = [...current.querySelectorAll("input")].find((each) => each.value === option.value);
  input.checked = true;
  problem("");
  const rest = sets();
  const following = rest[rest.indexOf(current) + 1];
  if (following) focusOn(following);
  else if (task.justification_required) at("justification").focus();
  else input.focus();
  return true;
}

function move(step) {
  const all = sets();
  const current = all.indexOf(document.activeElement.closest("fieldset"));
  const target = all[Math.min(Math.max(current + step, 0), all.length - 1)];
  if (target) focusOn(target);
}

document.addEventListener("keydown", (event) => {
  const inText = event.target === at("justification");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    save();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (inText) {
    if (event.key === "Escape") focusOn(sets()[sets().length - 1]);
    return;
  }
  if (event.key === "Enter" && event.target.type === "radio") {
    event.preventDefault();
    save();
    return;
  }
  if (!at("keys").checked || event.target.tagName === "BUTTON") return;
  const acts = {
    ArrowDown: () => move(1), ArrowUp: () => move(-1), [words.acts.write]: () => at("justification").focus(),
    [words.acts.later]: skip, [words.acts.back]: back, [words.acts.stop]: stop,
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (task !== null && task.place !== null && answer(key)) event.preventDefault();
  else if (acts[key] && (task !== null || key !== words.acts.later)) {
    event.preventDefault();
    acts[key]();
  }
});

at("form").addEventListener("submit", (event) => { event.preventDefault(); save(); });
at("skip").addEventListener("click", skip);
at("back").addEventListener("click", back);
at("stop").addEventListener("click", stop);
load("after=");
