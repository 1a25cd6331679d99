// The page of the workbench.

// Returns the nodes of a text in which backticks enclose labels and values.
function named(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("em", {}, part) : part));
}

const signs = { allowed: "✓", encrypted: "◆", blocked: "✗" };
const words = (outcome) => `${signs[outcome]} ${outcome}`;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
// Returns a text of the tables with an arrow that no line break can divide.
const arrowed = (text) => text.replaceAll(" -> ", " → ");

// The last state that the server sent.
let state = null;
// The numbers on the tabs. They come after the state, so a change shows at once.
let counts = null;
// The panel beside the settings, as the server gets it.
let panel = { name: "answers" };
// The last choices of panels that have some.
const choices = { sheet: { sender: 0, item: 0, via: "sdk" }, compare: { other: 0 } };
let wanted = "";
// The pages of settings that are closed.
const closed = new Set();
// The texts of controls that the server rejected, with its messages, by the controls' ids.
const rejected = new Map();

const header = document.querySelector("header");
const main = document.querySelector("main");
const message = h("span", { id: "message", role: "status" });
// What another program has done to the file.
const disk = h("span", { id: "disk", role: "status" });

// The panes get the height that the header leaves. A notice makes the header taller.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--header", `${Math.ceil(header.getBoundingClientRect().height)}px`);
}).observe(header);

// Asks the server. Requests are sent one after the other, so each has the revision of the answer before.
let queue = Promise.resolve();
function ask(path, body = {}) {
  const answer = queue.then(async () => {
    const content = { policy: state?.policy ?? 0, revision: state?.revision ?? 0, panel, ...body };
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
//
// - control: the id of the control with the value.
async function change(path, body = {}, done = "", control = null) {
  try {
    const answer = await ask(path, body);
    if (["undo", "redo", "reload", "merge"].includes(path) || body.values) rejected.clear(); else rejected.delete(control);
    if (answer.kind === "value" && control) rejected.set(control, { text: body.value, error: answer.error });
    if (answer.error) {
      show(await ask("state"));
      message.replaceChildren(...named(answer.error));
      if (answer.kind === "changedOnDisk") offerMerge(`${state.file} has changed on disk`);
    } else {
      show(answer);
      message.textContent = done;
      if (path === "merge") showConflicts();
      if (["save", "merge", "reload"].includes(path)) look();
    }
  } catch (error) {
    message.textContent = `${error.message}; is sluice studio still running?`;
  }
}

// Asks a question, and reports an error. Returns null then.
async function answerTo(path, body = {}) {
  try {
    const answer = await ask(path, body);
    if (!answer.error) return answer;
    message.textContent = answer.error;
  } catch (error) {
    message.textContent = `${error.message}; is sluice studio still running?`;
  }
  return null;
}

// Shows another panel, or the same one with other choices.
async function openPanel(name, chosen = {}) {
  if (panel.name !== name) message.textContent = "";
  if (choices[name]) Object.assign(choices[name], chosen);
  panel = { name, ...choices[name] };
  const next = await answerTo("state");
  if (next) show(next);
}

// Asks for the numbers on the tabs once the page is idle.
let counting = 0;
function count() {
  clearTimeout(counting);
  counting = setTimeout(async () => {
    const answer = await ask("counts").catch(() => null);
    if (!answer || answer.revision !== state.revision) return;
    counts = { ...answer, policy: state.policy };
    const focused = document.activeElement?.dataset?.key;
    document.querySelector(".tabs").replaceWith(tabs());
    refocus(focused);
  }, 60);
}

function refocus(key) {
  if (key) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function show(next) {
  state = next;
  hideTip();
  // The policy to compare with may not be open any more.
  if (state.panel === "compare") panel.other = choices.compare.other = state.other;
  const key = document.activeElement?.dataset?.key;
  const panes = [...document.querySelectorAll(".pane")].map((pane) => pane.scrollTop);
  drawHeader();
  main.replaceChildren(h("section", { class: "pane", "aria-label": "Policy" }, settingsPane()), h("section", { class: "pane", "aria-label": "Effects" }, effects()));
  document.querySelectorAll(".pane").forEach((pane, index) => { pane.scrollTop = panes[index] ?? 0; });
  refocus(key);
  count();
  document.title = `${state.isChanged ? "• " : ""}${state.policies[state.policy].name}`;
  // A copy of the address shows the same policy and panel.
  history.replaceState(null, "", `#${new URLSearchParams({ policy: state.policy, panel: panel.name })}`);
}

function drawHeader() {
  const names = state.policies.map((policy, index) =>
    h("option", { value: index, selected: index === state.policy }, `${policy.isChanged ? "• " : ""}${policy.name}`));
  const choice = state.policies.length === 1
    ? h("h1", {}, state.policies[0].name)
    : h("h1", {}, h("select", { "aria-label": "Policy", "data-key": "policy", onchange: (event) => choose(Number(event.target.value)) }, names));
  header.replaceChildren(
    choice, h("span", { class: "faint" }, state.file),
    h("button", { disabled: !state.canUndo, "data-key": "undo", onclick: () => change("undo") }, "Undo"),
    h("button", { disabled: !state.canRedo, "data-key": "redo", onclick: () => change("redo") }, "Redo"),
    h("button", { disabled: !state.isChanged || undecided().length > 0, "data-key": "save", onclick: confirmSave }, "Save…"),
    h("button", { "data-key": "reload", onclick: reload }, "Reload"),
    ...["Policy", "Effects"].map((name) => h("button", { class: "jump", "data-key": `to-${name}`, onclick: () => document.querySelector(`.pane[aria-label=${name}]`).scrollIntoView() }, name)),
    deviceStatus(), disk, message);
}

// The milliseconds between two looks at the file.
const LOOK_PAUSE = 2000;

// Reports a change of the file by another program, before the user saves.
let looking = 0;
async function look() {
  clearTimeout(looking);
  if (state && !document.hidden) {
    const answer = await ask("disk").catch(() => null);
    const shown = answer?.disk === "same" ? "" : `${answer?.disk} ${answer?.file}`;
    if (answer?.disk && answer.file === state.file && shown !== (disk.dataset.shown ?? "")) {
      disk.dataset.shown = shown;
      disk.replaceChildren(...{
        same: [],
        changed: [`${state.file} has changed on disk. `, h("button", { "data-key": "load", onclick: reload }, "Load it…")],
        missing: [`${state.file} no longer exists.`],
      }[answer.disk]);
    }
  }
  clearTimeout(looking);
  looking = setTimeout(look, LOOK_PAUSE);
}

addEventListener("visibilitychange", () => { if (!document.hidden) look(); });

async function choose(policy) {
  rejected.clear();
  message.textContent = "";
  const next = await answerTo("state", { policy });
  if (next) show(next);
}

// MARK: Settings

function settingsPane() {
  const search = h("input", {
    id: "search", type: "search", placeholder: "Search settings", "aria-label": "Search settings", value: wanted, "data-key": "search",
    oninput: (event) => { wanted = event.target.value; filter(); },
  });
  const pages = state.pages.map((page) =>
    h("details", { class: "page", open: !closed.has(page.name), ontoggle: (event) => { event.target.open ? closed.delete(page.name) : closed.add(page.name); } },
      h("summary", {}, page.name), page.lines.map(line)));
  queueMicrotask(filter);
  return [conflicts(), search, h("p", { id: "unfound", role: "status" }), pages];
}

// Returns the policies of the file with settings that the draft and another program have changed, by their numbers.
function undecided() {
  return state.policies.map((policy, number) => ({ ...policy, number })).filter((policy) => policy.file === state.file && policy.conflicts);
}

// Scrolls to the settings that the loaded file has changed, too, and adds their number to the notice.
function showConflicts() {
  const count = undecided().reduce((sum, policy) => sum + policy.conflicts, 0);
  if (!count) return;
  message.textContent += `; ${counted(count, "setting")} also changed in the file: choose before you save`;
  document.querySelector(".conflicts").scrollIntoView({ block: "start" });
}

// Returns the lines that the draft and another program have changed to different values.
function conflicts() {
  const others = undecided().filter((policy) => policy.number !== state.policy);
  if (!state.conflicts.length && !others.length) return null;
  const answer = (row, keep, text) => h("button", {
    "aria-label": `${row.title}: ${text}`, "data-key": `keep-${keep}-${row.title}`, onclick: () => change("resolve", { line: row.title, keep }),
  }, text);
  return h("section", { class: "conflicts", "aria-label": "Changed in the file, too" },
    h("h2", {}, "Changed in the file, too"),
    h("p", {}, "The draft keeps its own values until you choose. Then it can be saved."),
    others.map((policy) => h("p", {}, h("button", { "data-key": `conflicts-${policy.number}`, onclick: () => choose(policy.number) },
      `${counted(policy.conflicts, "setting")} of ${policy.name}`))),
    state.conflicts.map((row) => h("div", {}, h("strong", {}, row.title),
      h("dl", {}, [["before", "Before"], ["file", "The file now"], ["draft", "The draft"]].map(([name, title]) => [h("dt", {}, title), h("dd", {}, row[name] || "none")])),
      h("p", { class: "choices" }, answer(row, "draft", "Keep the draft's"), answer(row, "file", "Take the file's")))));
}

function filter() {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = [...document.querySelectorAll(".line")];
  for (const element of lines) element.hidden = !words.every((word) => element.dataset.words.includes(word));
  for (const page of document.querySelectorAll(".page")) page.hidden = !page.querySelector(".line:not([hidden])");
  document.querySelector("#unfound").textContent = lines.every((element) => element.hidden) ? "Nothing found." : "";
}

function line(row) {
  const id = `setting-${row.properties[0]}`;
  const fault = rejected.get(id);
  return h("div", {
    class: `line${row.before === undefined ? "" : " changed"}${row.noEffect ? " dead" : ""}`,
    "data-words": `${row.title} ${row.properties.join(" ")} ${row.words}`.toLowerCase(),
  },
  h("label", { for: id, id: `${id}-label`, title: row.properties.join(", ") }, row.title),
  h("div", { class: "control" }, control(row, id, fault?.text),
    row.unit ? h("small", { id: `${id}-unit` }, `A number alone means ${row.unit}.`) : null,
    fault ? h("small", { id: `${id}-error`, class: "unmet" }, named(fault.error)) : null),
  row.before === undefined ? null : h("small", {}, "was ", h("del", {}, row.before || "none")),
  row.noEffect ? h("small", {}, "No effect, because ", named(row.noEffect)) : null);
}

// - text: the text that the server rejected; it stays in the control.
function control(row, id, text) {
  const set = (value) => change("change", { line: row.title, value }, "", id);
  const notes = [row.unit ? `${id}-unit` : null, text === undefined ? null : `${id}-error`].filter(Boolean);
  const common = {
    id, "data-key": id, "aria-describedby": notes.length ? notes.join(" ") : null, "aria-invalid": text === undefined ? null : "true",
  };
  switch (row.control) {
    case "choice":
      return h("select", { ...common, onchange: (event) => set(event.target.value) },
        row.options.map((option) => h("option", { value: option, selected: option === row.texts[0] }, option)));
    case "number":
      return h("input", {
        ...common, type: "number", min: row.minimum, max: row.maximum, step: 1, value: text ?? row.texts[0] ?? "",
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
      }, text === undefined ? row.texts.join("\n") : text.split("; ").join("\n"));
    case "period":
    case "text":
      return h("input", {
        ...common, type: "text", value: text ?? row.texts[0] ?? "", placeholder: row.control === "period" ? "such as 90 days" : "none",
        onchange: (event) => set(event.target.value),
      });
  }
  throw new Error(`the page has no control of the kind ${row.control}`);
}

// MARK: Effects

// The panels, with the titles of their tabs.
const panels = {
  answers: [answers, (numbers) => (numbers?.changedAnswers ? `Answers (${numbers.changedAnswers} changed)` : "Answers")],
  ways: [ways, (numbers) => (numbers ? `Ways out (${numbers.ways})` : "Ways out")],
  sheet: [sheet, () => "Share sheet"],
  launch: [launch, (numbers) => (numbers?.changedConditions ? `Conditional launch (${numbers.changedConditions} changed)` : "Conditional launch")],
  goals: [goals, () => {
    const groups = goalGroups(), unmet = groups.filter((goal) => goal.outcome !== goal.wanted).length;
    return unmet ? `Goals (${unmet} not met)` : `Goals (${groups.length})`;
  }],
  compare: [compare, () => "Compare"],
  users: [users, () => "Users"],
  findings: [findings, (numbers) => (numbers ? `Findings (${numbers.findings})` : "Findings")],
};

function effects() {
  return [tabs(), h("div", { role: "tabpanel", id: "panel", "aria-labelledby": `tab-${state.panel}` }, panels[state.panel][0]())];
}

function tabs() {
  const numbers = counts?.revision === state.revision && counts.policy === state.policy ? counts : null;
  const names = Object.keys(panels).filter((name) => name !== "users" || state.isTenant);
  return h("div", { class: "tabs", role: "tablist", "aria-label": "Effects" }, names.map((name, index) =>
    h("button", {
      role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": String(state.panel === name),
      tabindex: state.panel === name ? 0 : -1, "data-key": `tab-${name}`,
      onclick: () => openPanel(name),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const to = { Home: 0, End: names.length - 1 }[event.key] ?? (step && (index + step + names.length) % names.length);
        if (to === undefined) return;
        event.preventDefault();
        openPanel(names[to]).then(() => refocus(`tab-${names[to]}`));
      },
    }, panels[name][1](numbers))));
}

function answers() {
  return state.sections.map((section, number) =>
    h("table", {}, h("caption", {}, section.title),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Flow"), section.columns.map((column, index) => h("th", { scope: "col" }, term(arrowed(column), section.columnHelp[index], `term-${number}-${index}`))))),
      h("tbody", {}, section.rows.map((row, place) =>
        h("tr", {}, h("th", { scope: "row" }, term(row.title, row.help, `term-${number}--${place}`)), row.entries.map((entry, column) => h("td", {}, (entry ?? []).map((answer) => cell(answer, { section: number, row: place, column, title: arrowed(`${row.title}, ${section.columns[column]}`) })))))))));
}

function cell(answer, where) {
  const states = answer.states.map((name) => state.stateTitles[state.states.indexOf(name)]);
  const isAll = answer.states.length === state.states.length;
  const help = [
    answer.outcome === "encrypted" ? `Encrypted: ${state.encryptedHelp}.` : null,
    answer.doubt ? `\`${answer.doubt}\`: ${state.doubtHelp}.` : null,
    ...(isAll ? [] : answer.states.map((name) => state.stateHelp[state.states.indexOf(name)])),
  ].filter(Boolean).join(" ");
  return h("button", {
    ...helped(help),
    class: `${answer.outcome}${answer.before ? " changed" : ""}${answer.isPinned ? " pinned" : ""}`,
    "data-key": `cell-${where.section}-${where.row}-${where.column}-${answer.states[0]}`,
    "aria-label": `${where.title}${isAll ? "" : `, ${states.join(", ")}`}: ${answer.outcome}${answer.doubt}${answer.before ? `, was ${answer.before}` : ""}${answer.isPinned ? ", a goal" : ""}${triedWords(answer)}`,
    onclick: () => explain({ section: where.section, row: where.row, column: where.column, state: answer.states[0] }, answer.isPinned),
  },
  words(answer.outcome) + answer.doubt, answer.before ? [" ", h("del", {}, words(answer.before))] : null,
  isAll ? null : h("small", {}, states.join(", ")), tried(answer));
}

// MARK: Help

// The text about the term under the pointer or with the focus.
const tip = h("div", { id: "tip", role: "tooltip", hidden: true });
document.body.append(tip);

// Returns the attributes of an element with a help text; an empty text is no help.
const helped = (text) => (text ? { "data-help": text, "aria-describedby": "tip" } : {});

// Returns a term that shows its explanation while the pointer is on it, or while it has the focus.
const term = (title, text, key) => h("button", { type: "button", class: "term", "data-key": key, ...helped(text) }, title);

function showTip(event) {
  if (tip.contains(event.target)) return;
  const about = event.target.closest?.("[data-help]");
  if (!about) { hideTip(); return; }
  tip.replaceChildren(...named(about.dataset.help));
  tip.hidden = false;
  const [place, size] = [about.getBoundingClientRect(), tip.getBoundingClientRect()];
  const isBelow = place.bottom + size.height + 8 < innerHeight;
  tip.style.left = `${Math.max(4, Math.min(place.left, innerWidth - size.width - 8))}px`;
  tip.style.top = `${isBelow ? place.bottom + 4 : Math.max(4, place.top - size.height - 4)}px`;
}

function hideTip() { tip.hidden = true; }

for (const kind of ["mouseover", "focusin"]) addEventListener(kind, showTip);
addEventListener("focusout", hideTip);
addEventListener("scroll", hideTip, true);

// MARK: Findings

function findings() {
  if (!state.findings.length) return h("p", {}, "No findings.");
  return h("ul", {}, state.findings.map((finding) =>
    h("li", {}, `${finding.severity}${finding.line ? `, line ${finding.line}` : ""}: `, named(finding.message), " ", h("small", {}, finding.rule))));
}

// MARK: Ways out

function ways() {
  const { open, encrypted, blocked, groups, assumed } = state.waysOut;
  return [
    h("p", {}, `${open} of ${counted(open + encrypted + blocked, "way")} by which data of the work account could leave the policy ${open === 1 ? "is" : "are"} open, ${encrypted} encrypted, ${blocked} blocked. They are grouped by the change that closes them.`),
    h("ul", { class: "ways" }, groups.map((group) => h("li", {},
      group.proposals.length ? proposals(group.proposals, null, "To close: ") : h("p", {}, "No setting of this policy alone closes:"),
      h("ul", {}, group.ways.map(way))))),
    state.closed.length ? [h("h2", {}, "Closed by the changes"), h("ul", { class: "closed" }, state.closed.map((title) => h("li", {}, h("strong", {}, title))))] : null,
    assumed.length ? h("p", {}, "Assumed on the device: ", named(assumed.join(", ")), ".") : null,
    h("p", {}, "Retyping, which no setting stops, is left out. ", h("code", {}, "sluice leaks"), " searches the apps of a device for paths over several apps."),
  ];
}

function way({ title, only, help, value, isNew, reason }) {
  return h("li", { class: isNew ? "changed" : null }, h("strong", {}, title), only ? ` (devices: ${only.join(", ")})` : null, isNew ? h("span", { class: "badge" }, "new") : null,
    h("small", {}, named(help)),
    h("small", {}, named(because(reason.text, { setting: reason.label, value }))));
}

// Returns a reason with the setting that it is about.
function because(text, { setting, value }) {
  return setting && value !== undefined ? `${text}: \`${setting}\` = \`${value}\`` : text;
}

// MARK: Share sheet

function sheet() {
  const choice = (label, key, options, value) => {
    const id = `sheet-${key}`;
    return h("label", { for: id }, `${label} `, h("select", {
      id, "data-key": id, onchange: (event) => openPanel("sheet", { [key]: key === "via" ? event.target.value : Number(event.target.value) }),
    }, options.map(([name, title]) => h("option", { value: name, selected: String(name) === String(value) }, title))));
  };
  const apps = state.destinations.filter((one) => one.isIcon);
  const actions = state.destinations.filter((one) => !one.isIcon);
  const sender = state.senders[state.sender];
  return [
    h("p", { class: "choices" },
      choice("From", "sender", state.senders.map((title, index) => [index, title]), state.sender),
      choice("Item", "item", state.items.map((title, index) => [index, title]), state.item),
      choice("Shared by", "via", [["sdk", "the app"], ["os", "the system"]], state.via)),
    h("div", { class: "phone" }, h("h2", {}, `${state.items[state.item]}, from ${sender}`),
      h("ul", { class: "icons", "aria-label": "Apps" }, apps.map(destination)),
      h("ul", { class: "actions", "aria-label": "Actions" }, actions.map(destination))),
  ];
}

function destination(one) {
  const isHidden = one.visibility === "hidden";
  return h("li", { class: one.visibility },
    icon(one.icon), isHidden ? h("del", {}, one.title) : h("span", {}, one.title),
    h("small", {}, { shown: one.kindTitle, encrypted: "arrives encrypted", hidden: "hidden" }[one.visibility]),
    one.visibility === "shown" ? null : one.reasons.map((reason) => h("small", { class: "reason", title: reason.rule }, named(because(reason.text, reason)))));
}

// Returns an app's initial on its colour.
function icon({ initial, hue }) {
  const element = h("span", { class: "icon", "aria-hidden": "true" }, initial);
  // The page's security policy forbids the attribute `style`.
  element.style.background = `hsl(${hue} 60% 30%)`;
  return element;
}

// MARK: Conditional launch

function launch() {
  const titles = { wipe: "Wipes the account's data", block: "Blocks access", reset: "Asks for a new PIN", warn: "Warns" };
  const groups = Object.entries(titles).map(([action, title]) => {
    const some = state.conditions.filter((one) => (one.resetsPIN ? "reset" : one.action) === action);
    if (!some.length) return null;
    return h("table", {}, h("caption", { class: action }, title),
      h("thead", {}, h("tr", {}, ["Condition", "Value", "Action"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, some.map(condition)));
  });
  return [
    state.conditions.length ? groups : h("p", {}, state.offline.some((phase) => phase.action !== "none")
      ? "The only conditions for the launch of apps are those for the time without a connection."
      : "The policy sets no condition for the launch of apps."),
    state.removed.length ? [h("h2", {}, "Removed by the changes"),
      h("ul", {}, state.removed.map((one) => h("li", {}, h("del", {}, `${one.title}: ${one.value ? `${one.value}, ` : ""}${one.actionWords}`))))] : null,
    h("h2", {}, "A device without a connection"), axis(state.offline, "Since the last check-in"),
    state.offlineBefore ? [h("h3", {}, "In the saved file"), axis(state.offlineBefore, "Since the last check-in, in the saved file")] : null,
    h("details", {}, h("summary", {}, `${counted(state.unset.length, "condition")} not set`), h("ul", {}, state.unset.map((title) => h("li", {}, title)))),
  ];
}

function condition(one) {
  return h("tr", { class: one.isChanged ? "changed" : null },
    h("th", { scope: "row" }, one.title, h("small", {}, one.text)),
    h("td", {}, one.value, one.isChanged ? h("small", {}, "was ", h("del", {}, one.before)) : null), h("td", {}, one.actionWords));
}

function axis(phases, label) {
  const words = { none: "The account opens", warn: "A warning is shown", block: "Access is blocked", wipe: "The account's data is wiped" };
  return h("ol", { class: "axis", "aria-label": label }, phases.map((phase) =>
    h("li", { class: phase.action }, h("strong", {}, phase.words ? `After ${phase.words}` : "At the last check-in"),
      h("span", {}, words[phase.action]), h("small", {}, phase.text))));
}

// MARK: Compare

function compare() {
  const heads = (first) => h("thead", {}, h("tr", {}, [first, ...state.sides].map((text) => h("th", { scope: "col" }, text))));
  return [
    h("p", { class: "choices" },
      h("label", { for: "compare-other" }, "Compare with ", h("select", {
        id: "compare-other", "data-key": "compare-other", onchange: (event) => openPanel("compare", { other: Number(event.target.value) }),
      }, state.others.map((one) => h("option", { value: one.number, selected: one.number === state.other }, one.title)))),
      h("button", { "data-key": "download", disabled: !state.settings.length, onclick: download }, "Save the comparison as a page")),
    state.settings.length ? state.summary.map((text) => h("p", {}, named(text))) : h("p", {}, "No setting differs."),
    state.settings.length ? h("table", {}, h("caption", {}, counted(state.settings.length, "setting")),
      heads("Setting"),
      h("tbody", {}, state.settings.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title, h("small", {}, row.page)),
        h("td", {}, row.before || "none"), h("td", {}, row.after || "none"))))) : null,
    state.changedAnswers ? h("table", {}, h("caption", {}, counted(state.changedAnswers, "answer")),
      heads("Flow"),
      h("tbody", {}, state.differences.map((row) => h("tr", {},
        h("th", { scope: "row" }, arrowed(row.title), h("small", {}, [row.section, ...(row.states ?? [])].join(", "))),
        h("td", { class: row.before }, words(row.before)), h("td", { class: row.after }, words(row.after)))))) : null,
  ];
}

async function download() {
  const page = await answerTo("page", { other: state.other });
  if (!page) return;
  const address = URL.createObjectURL(new Blob([page.html], { type: "text/html" }));
  h("a", { href: address, download: page.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  message.textContent = `saved ${page.name} in the browser's downloads`;
}

// MARK: Users

function users() {
  if (!state.reach.length) return h("p", {}, "The export does not contain this policy.");
  return [
    h("p", {}, "The users whom the policy reaches by its assignments in the export."),
    state.reach.map((reach) => [h("h2", {}, `On ${reach.device}`), apps(reach.apps),
      reach.gaps.map((gap) => h("p", {}, named(gap))),
      reach.sections.map((section) => h("table", {}, h("caption", {}, section.title),
        h("thead", {}, h("tr", {}, ["Users", "Why"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, section.classes.map((some) => h("tr", {},
          h("td", {}, some.count > 1 ? people(some.text, some) : named(some.text)),
          h("td", {}, some.reasons.map((line) => h("div", {}, named(line)))))),
        section.others ? h("tr", {}, h("td", { colspan: 2 }, `and ${section.others} more`)) : null))),
      reach.companions.length
        ? [h("p", {}, "Other policies apply to these users too, and the strictest values win:"), h("ul", {}, reach.companions.map((line) => h("li", {}, named(line))))] : null]),
  ];
}

// Returns a text that opens into the names of users.
function people(text, { count, names }) {
  return h("details", { class: "people" }, h("summary", {}, named(text)),
    h("ul", {}, names.map((name) => h("li", {}, name)), count > names.length ? h("li", {}, `and ${count - names.length} more`) : null));
}

// Returns the names of apps, which have their bundle ids as titles. Many open into a list.
function apps(list) {
  const shown = 5;
  const entry = (app) => h("li", { title: app.bundleID }, app.name);
  if (list.length <= shown) return h("ul", { class: "apps" }, list.map(entry));
  const first = list.slice(0, shown - 2).map((app) => app.name);
  return h("details", { class: "people" }, h("summary", {}, `${first.join(", ")} and ${list.length - first.length} more`), h("ul", {}, list.map(entry)));
}

// MARK: Goals

// Returns the goals by flow: those that differ only in the state of the device are one entry.
function goalGroups() {
  const groups = Map.groupBy(state.goals, (goal) => [goal.name, goal.wanted, goal.outcome].join("\n"));
  return [...groups.values()].map((goals) => {
    const { name, wanted, outcome } = goals[0];
    const others = state.goals.filter((goal) => goal.name === name).length - goals.length;
    const note = goals.length > 1 && !others ? null : goals.map((goal) => goal.state).join(", ");
    return { numbers: goals.map((goal) => goal.number), title: arrowed(name), note, wanted, outcome };
  });
}

function goals() {
  if (!state.goals.length) {
    return h("p", {}, "Select an answer and pin it, or its whole column, such as ", h("em", {}, "managed → unmanaged"),
      " for all transfers from a work account to an unprotected app like WhatsApp. A pinned answer is a goal: each change shows whether it is still met.");
  }
  const rows = goalGroups().map((goal) => {
    const isMet = goal.outcome === goal.wanted;
    const title = [goal.title, goal.note].filter(Boolean).join(", ");
    const others = Object.keys(signs).filter((outcome) => outcome !== "encrypted" || goal.wanted === outcome || goal.outcome === outcome);
    return h("tr", {},
      h("th", { scope: "row" }, goal.title, goal.note ? h("small", {}, goal.note) : null),
      h("td", {}, h("select", {
        "aria-label": `Wanted: ${title}`, "data-key": `goal-${goal.numbers[0]}`,
        onchange: (event) => change("want", { goals: goal.numbers, outcome: event.target.value }),
      }, others.map((outcome) => h("option", { value: outcome, selected: outcome === goal.wanted }, words(outcome))))),
      h("td", { class: isMet ? "met" : "unmet" }, isMet ? "met" : `not met: ${goal.outcome}`),
      h("td", {}, h("button", { onclick: () => change("unpin", { goals: goal.numbers }), "aria-label": `Remove: ${title}` }, "Remove")));
  });
  const isAllMet = state.goals.every((goal) => goal.outcome === goal.wanted);
  return [
    h("table", {}, h("thead", {}, h("tr", {}, ["Answer", "Wanted", "Now", ""].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows)),
    h("p", { class: "choices" },
      h("button", { disabled: isAllMet, "data-key": "solve", onclick: solve, "aria-describedby": isAllMet ? "solve-reason" : null }, "Find the fewest changes that meet all goals"),
      isAllMet ? h("small", { id: "solve-reason" }, "All goals are met, so no change is needed.") : null,
      h("button", { "data-key": "scenario", onclick: saveScenario }, "Save as a scenario"),
      h("button", { "data-key": "unpin", onclick: () => change("unpin", { goals: state.goals.map((goal) => goal.number) }) }, "Remove all")),
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

// Returns changes with buttons that apply them.
function proposals(list, none, lead = "") {
  if (!list.length) return h("p", {}, none);
  return list.map((proposal) => h("div", { class: "proposal" },
    h("span", {}, lead, named(proposal.text),
      proposal.changedAnswers === undefined ? null : h("small", {}, `changes ${counted(proposal.changedAnswers, "answer")} in all`)),
    h("button", {
      "aria-label": `Apply: ${proposal.text.replaceAll("`", "")}`,
      onclick: (event) => {
        event.target.closest("dialog")?.close();
        change("change", { values: proposal.values });
      },
    }, "Apply")));
}

async function explain(cell, isPinned) {
  const answer = await answerTo("explain", cell);
  if (!answer) return;
  const column = arrowed(state.sections[cell.section].columns[cell.column]);
  // The ends that changes can lead to. An encrypted transfer has two.
  const ends = {
    allowed: [["block it", answer.proposals]],
    encrypted: ["allowed", "blocked"].map((outcome) => [{ allowed: "deliver it readable", blocked: "block it" }[outcome], answer.proposals.filter((one) => one.outcome === outcome)]),
    blocked: [["allow it", answer.proposals]],
  }[answer.outcome];
  const reasons = answer.reasons.map((reason) => h("li", {},
    h(reason.isDeciding ? "strong" : "span", {}, reason.rule), reason.isDeciding ? " decides" : "",
    reason.remark, reason.setting ? h("div", {}, h("code", {}, reason.setting)) : null, h("div", {}, rich(reason.text))));
  const pins = isPinned ? [[undefined, "Remove from the goals"]]
    : [answer.outcome, ...["allowed", "blocked"].filter((outcome) => outcome !== answer.outcome)]
      .map((outcome) => [outcome, `Pin: must ${outcome === answer.outcome ? "stay" : "be"} ${outcome}`]);
  const element = dialog(arrowed(answer.title),
    h("p", { class: answer.outcome }, words(answer.outcome)), h("ol", {}, reasons),
    ends.map(([words, list]) => [h("h3", {}, `To ${words}:`), proposals(list, "No setting of this policy alone would.")]),
    trying(cell),
    h("p", { class: "choices" }, pins.map(([outcome, text]) =>
      h("button", { onclick: () => { element.close(); change("pin", { ...cell, outcome }); } }, text)),
    h("button", { onclick: () => { element.close(); change("pinColumn", { section: cell.section, column: cell.column, outcome: "blocked" }, "all answers of the column are goals"); } },
      `Pin all of ${column}: must be blocked`)));
}

async function solve() {
  const answer = await answerTo("solve");
  if (answer) dialog("The fewest changes that meet all goals", proposals(answer.solutions, "No combination of a few changes meets all goals."));
}

async function saveScenario() {
  const answer = await answerTo("scenario");
  if (!answer) return;
  dialog("Goals saved", h("p", {}, "The command checks that the policy's file meets the goals:"),
    h("pre", { tabindex: 0 }, `sluice run ${answer.files.join(" ")}`),
    answer.isSaved ? null : h("p", { class: "unmet" }, "The draft is not saved. The command reads the file."),
    answer.omitted.length ? [h("p", {}, "No step of a scenario can carry out these goals:"), h("ul", {}, answer.omitted.map((title) => h("li", {}, arrowed(title))))] : null);
}

async function confirmSave() {
  const difference = await answerTo("difference");
  if (!difference) return;
  const lines = difference.lines.map((text) =>
    h("span", { class: { "+": "plus", "-": "minus" }[text.mark] ?? "faint" }, `${String(text.number).padStart(5)} ${text.mark} ${text.text}`));
  const element = dialog(`Save ${difference.file}`, h("pre", { tabindex: 0 }, lines),
    h("p", {}, h("button", { onclick: () => { element.close(); change("save", {}, `saved ${difference.file}`); } }, "Save")));
}

function reload() {
  if (!state.isChanged) change("reload", {}, "reloaded"); else offerMerge(`Reload ${state.file}`);
}

// Offers to read the file again, with or without the changes of the draft.
function offerMerge(title) {
  const element = dialog(title,
    h("p", {}, "The changes of the draft can be applied to the file as it is now. A setting that the file has changed, too, is then listed; the draft keeps its own value until you choose."),
    h("p", { class: "choices" },
      h("button", { onclick: () => { element.close(); change("merge", {}, "the file is loaded, with the changes of the draft"); } }, "Load it and keep the changes"),
      h("button", { onclick: () => { element.close(); change("reload", {}, "reloaded"); } }, "Discard the changes and load it")));
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
  event.preventDefault();
  change(event.shiftKey ? "redo" : "undo");
});

// Shows the policy and the panel of the address; the first policy if the address has none that is open.
const wantedView = new URLSearchParams(location.hash.slice(1));
if (Object.hasOwn(panels, wantedView.get("panel") ?? "")) panel = { name: wantedView.get("panel"), ...choices[wantedView.get("panel")] };
ask("state", { policy: Number(wantedView.get("policy")) || 0 }).catch(() => ask("state")).then((first) => {
  show(first);
  look();
}, (error) => { main.replaceChildren(h("p", {}, error.message)); });
