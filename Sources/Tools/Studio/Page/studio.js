// The page of the workbench. Data is inserted only as text, never as HTML.
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(9)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// Returns the nodes of a text in which backticks enclose names and values.
function rich(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

// Returns the nodes of a text in which Graph's names of settings are replaced by the labels on the page.
function labelled(text) {
  const titles = new Map(state.pages.flatMap((page) => page.lines.flatMap((row) => row.properties.map((name) => [name, row.title]))));
  return text.split("`").map((part, index) => {
    if (index % 2 === 0) return part;
    return titles.has(part) ? h("em", { title: part }, titles.get(part)) : h("code", {}, part);
  });
}

const signs = { allowed: "✓", encrypted: "◆", blocked: "✗" };
const words = (outcome) => `${signs[outcome]} ${outcome}`;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// The last state that the server sent.
let state = null;
let tab = "answers";
let wanted = "";
// The pages of settings that are closed.
const closed = new Set();

const header = document.querySelector("header");
const main = document.querySelector("main");
const message = h("span", { id: "message", role: "status" });

// Asks the server. Requests are sent one after the other, so each has the revision of the answer before.
let queue = Promise.resolve();
function ask(path, body = {}) {
  const answer = queue.then(async () => {
    const content = { policy: state?.policy ?? 0, revision: state?.revision ?? 0, ...body };
    const response = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return response.json();
  });
  queue = answer.catch(() => {});
  return answer;
}

// Sends a change, and shows the new state or the error.
async function change(path, body, done = "") {
  try {
    const answer = await ask(path, body);
    if (answer.error) {
      show(await ask("state"));
      message.textContent = answer.error;
    } else {
      show(answer);
      message.textContent = done;
    }
  } catch (error) {
    message.textContent = `${error.message}; is sluice studio still running?`;
  }
}

function show(next) {
  state = next;
  const key = document.activeElement?.dataset?.key;
  const panes = [...document.querySelectorAll(".pane")].map((pane) => pane.scrollTop);
  drawHeader();
  main.replaceChildren(h("section", { class: "pane", "aria-label": "Policy" }, settingsPane()), h("section", { class: "pane", "aria-label": "Effects" }, effects()));
  document.querySelectorAll(".pane").forEach((pane, index) => { pane.scrollTop = panes[index] ?? 0; });
  if (key) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  document.title = `${state.isChanged ? "• " : ""}${state.policies[state.policy].name}`;
}

function drawHeader() {
  const names = state.policies.map((policy, index) =>
    h("option", { value: index, selected: index === state.policy }, `${policy.isChanged ? "• " : ""}${policy.name}`));
  const choice = state.policies.length === 1
    ? h("h1", {}, state.policies[0].name)
    : h("select", { "aria-label": "Policy", "data-key": "policy", onchange: (event) => choose(Number(event.target.value)) }, names);
  header.replaceChildren(
    choice, h("span", { class: "faint" }, state.file),
    h("button", { disabled: !state.canUndo, "data-key": "undo", onclick: () => change("undo") }, "Undo"),
    h("button", { disabled: !state.canRedo, "data-key": "redo", onclick: () => change("redo") }, "Redo"),
    h("button", { disabled: !state.isChanged, "data-key": "save", onclick: confirmSave }, "Save…"),
    h("button", { "data-key": "reload", onclick: reload }, "Reload"),
    message);
}

function choose(policy) {
  ask("state", { policy }).then(show, (error) => { message.textContent = error.message; });
}

// MARK: Settings

function settingsPane() {
  const search = h("input", {
    id: "search", type: "search", placeholder: "Search settings", "aria-label": "Search settings", value: wanted, "data-key": "search",
    oninput: (event) => { wanted = event.target.value; filter(); },
  });
  const pages = state.pages.map((page) =>
    h("details", { open: !closed.has(page.name), ontoggle: (event) => { event.target.open ? closed.delete(page.name) : closed.add(page.name); } },
      h("summary", {}, page.name), page.lines.map(line)));
  queueMicrotask(filter);
  return [search, pages];
}

function filter() {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  for (const element of document.querySelectorAll(".line")) {
    element.hidden = !words.every((word) => element.dataset.words.includes(word));
  }
}

function line(row) {
  const id = `setting-${row.properties[0]}`;
  return h("div", {
    class: `line${row.before === undefined ? "" : " changed"}${row.noEffect ? " dead" : ""}`,
    "data-words": `${row.title} ${row.properties.join(" ")} ${row.words}`.toLowerCase(),
  },
  h("label", { for: id, id: `${id}-label`, title: row.properties.join(", ") }, row.title),
  h("div", { class: "control" }, control(row, id)),
  row.before === undefined ? null : h("small", {}, "was ", h("del", {}, row.before || "none")),
  row.noEffect ? h("small", {}, "No effect, because ", labelled(row.noEffect)) : null);
}

function control(row, id) {
  const set = (value) => change("change", { line: row.title, value });
  const common = { id, "data-key": id };
  switch (row.control) {
    case "choice":
      return h("select", { ...common, onchange: (event) => set(event.target.value) },
        row.options.map((option) => h("option", { value: option, selected: option === row.texts[0] }, option)));
    case "number":
      return h("input", {
        ...common, type: "number", min: row.minimum, max: row.maximum, step: 1, value: row.texts[0] ?? "",
        onchange: (event) => set(event.target.value),
      });
    case "selection":
      return h("fieldset", { id, "aria-labelledby": `${id}-label` }, row.options.map((option, index) =>
        h("label", {}, h("input", {
          type: "checkbox", checked: row.texts.includes(option), "data-key": `${id}-${index}`,
          onchange: (event) => {
            const chosen = row.options.filter((other) => (other === option ? event.target.checked : row.texts.includes(other)));
            set(chosen.length ? chosen.join("; ") : "none");
          },
        }), ` ${option}`)));
    case "list":
      return h("textarea", {
        ...common, placeholder: "one on each line",
        onchange: (event) => set(event.target.value.split("\n").map((text) => text.trim()).filter(Boolean).join("; ") || "none"),
      }, row.texts.join("\n"));
    case "period":
    case "text":
      return h("input", {
        ...common, type: "text", value: row.texts[0] ?? "", placeholder: row.control === "period" ? "such as 90 days" : "none",
        onchange: (event) => set(event.target.value),
      });
  }
  throw new Error(`the page has no control of the kind ${row.control}`);
}

// MARK: Effects

function effects() {
  const unmet = state.goals.filter((goal) => goal.outcome !== goal.wanted).length;
  const titles = {
    answers: state.changedAnswers ? `Answers (${state.changedAnswers} changed)` : "Answers",
    goals: unmet ? `Goals (${unmet} not met)` : `Goals (${state.goals.length})`,
    findings: `Findings (${state.findings.length})`,
  };
  const tabs = Object.entries(titles).map(([name, title]) =>
    h("button", { role: "tab", "aria-selected": String(tab === name), "data-key": `tab-${name}`, onclick: () => { tab = name; show(state); } }, title));
  const views = { answers, goals, findings };
  return [h("div", { class: "tabs", role: "tablist" }, tabs), h("div", { role: "tabpanel" }, views[tab]())];
}

function answers() {
  return state.sections.map((section, number) =>
    h("table", {}, h("caption", {}, section.title),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Flow"), section.columns.map((column) => h("th", { scope: "col" }, column)))),
      h("tbody", {}, section.rows.map((row, place) =>
        h("tr", {}, h("th", { scope: "row" }, row.title), row.entries.map((entry, column) => h("td", {}, (entry ?? []).map((answer) => cell(answer, { section: number, row: place, column, title: `${row.title}, ${section.columns[column]}` })))))))));
}

function cell(answer, where) {
  const states = answer.states.map((name) => state.stateTitles[state.states.indexOf(name)]);
  const isAll = answer.states.length === state.states.length;
  return h("button", {
    class: `${answer.outcome}${answer.before ? " changed" : ""}${answer.isPinned ? " pinned" : ""}`,
    "data-key": `cell-${where.section}-${where.row}-${where.column}-${answer.states[0]}`,
    "aria-label": `${where.title}${isAll ? "" : `, ${states.join(", ")}`}: ${answer.outcome}${answer.before ? `, was ${answer.before}` : ""}${answer.isPinned ? ", a goal" : ""}`,
    onclick: () => explain({ section: where.section, row: where.row, column: where.column, state: answer.states[0] }, answer.isPinned),
  },
  words(answer.outcome), answer.before ? [" ", h("del", {}, words(answer.before))] : null,
  isAll ? null : h("small", {}, states.join(", ")));
}

function findings() {
  if (!state.findings.length) return h("p", {}, "No findings.");
  return h("ul", {}, state.findings.map((finding) =>
    h("li", {}, `${finding.severity}${finding.line ? `, line ${finding.line}` : ""}: `, labelled(finding.message), " ", h("small", {}, finding.rule))));
}

function goals() {
  if (!state.goals.length) return h("p", {}, "Select an answer and pin it. A pinned answer is a goal: each change shows whether it is still met.");
  const rows = state.goals.map((goal) => {
    const isMet = goal.outcome === goal.wanted;
    const others = Object.keys(signs).filter((outcome) => outcome !== "encrypted" || goal.wanted === outcome || goal.outcome === outcome);
    return h("tr", {},
      h("th", { scope: "row" }, goal.title),
      h("td", {}, h("select", {
        "aria-label": `Wanted: ${goal.title}`, "data-key": `goal-${goal.number}`,
        onchange: (event) => change("want", { goal: goal.number, outcome: event.target.value }),
      }, others.map((outcome) => h("option", { value: outcome, selected: outcome === goal.wanted }, words(outcome))))),
      h("td", { class: isMet ? "met" : "unmet" }, isMet ? "met" : `not met: ${goal.outcome}`),
      h("td", {}, h("button", { onclick: () => change("unpin", { goal: goal.number }), "aria-label": `Remove: ${goal.title}` }, "Remove")));
  });
  const isAllMet = state.goals.every((goal) => goal.outcome === goal.wanted);
  return [
    h("table", {}, h("thead", {}, h("tr", {}, ["Answer", "Wanted", "Now", ""].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows)),
    h("p", {}, h("button", { disabled: isAllMet, "data-key": "solve", onclick: solve }, "Find the fewest changes that meet all goals")),
  ];
}

// MARK: Dialogs

function dialog(title, ...content) {
  const close = () => { element.close(); };
  const element = h("dialog", { "aria-label": title, onclose: () => element.remove() },
    h("h2", {}, title), content, h("p", {}, h("button", { onclick: close }, "Close")));
  document.body.append(element);
  element.showModal();
  return element;
}

function proposals(list, none) {
  if (!list.length) return h("p", {}, none);
  return list.map((proposal) => h("div", { class: "proposal" },
    h("span", {}, rich(proposal.text), h("small", {}, `changes ${counted(proposal.changedAnswers, "answer")} in all`)),
    h("button", {
      onclick: (event) => {
        event.target.closest("dialog").close();
        change("change", { values: proposal.values });
      },
    }, "Apply")));
}

async function explain(cell, isPinned) {
  let answer;
  try {
    answer = await ask("explain", cell);
  } catch (error) {
    message.textContent = error.message;
    return;
  }
  const goal = { allowed: "block it", encrypted: "deliver it readable", blocked: "allow it" }[answer.outcome];
  const reasons = answer.reasons.map((reason) => h("li", {},
    h(reason.isDeciding ? "strong" : "span", {}, reason.rule), reason.isDeciding ? " decides" : "",
    reason.isAssumed ? " (assumed)" : "", reason.setting ? h("div", {}, h("code", {}, reason.setting)) : null, h("div", {}, rich(reason.text))));
  const element = dialog(answer.title,
    h("p", { class: answer.outcome }, words(answer.outcome)), h("ol", {}, reasons),
    h("h3", {}, `To ${goal}:`), proposals(answer.proposals, "No setting of this policy alone would."),
    h("p", {}, h("button", { onclick: () => { element.close(); change("pin", cell); } }, isPinned ? "Remove from the goals" : "Pin as a goal")));
}

async function solve() {
  const answer = await ask("solve");
  dialog("The fewest changes that meet all goals", proposals(answer.solutions, "No combination of a few changes meets all goals."));
}

async function confirmSave() {
  const difference = await ask("difference");
  const lines = difference.lines.map((text) =>
    h("span", { class: { "+": "plus", "-": "minus" }[text.mark] ?? "faint" }, `${String(text.number).padStart(5)} ${text.mark} ${text.text}`));
  const element = dialog(`Save ${difference.file}`, h("pre", {}, lines),
    h("p", {}, h("button", { onclick: () => { element.close(); change("save", {}, `saved ${difference.file}`); } }, "Save")));
}

function reload() {
  if (!state.isChanged) return change("reload", {}, "reloaded");
  const element = dialog(`Reload ${state.file}`, h("p", {}, "The changes are discarded."),
    h("p", {}, h("button", { onclick: () => { element.close(); change("reload", {}, "reloaded"); } }, "Discard and reload")));
  return undefined;
}

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  change(event.shiftKey ? "redo" : "undo");
});

ask("state").then(show, (error) => { main.replaceChildren(h("p", {}, error.message)); });
