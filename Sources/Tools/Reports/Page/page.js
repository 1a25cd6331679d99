// Elements, the address, and what all views share. Texts of the data are only ever set as text.
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

// A text in which backticks enclose what is a name or a value.
function rich(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

function s(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  for (const child of children.flat(9)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// What can be clicked can be reached and pressed with the keyboard.
function pressable(label, act) {
  return {
    tabindex: 0, role: "button", "aria-label": label, onclick: act,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    },
  };
}

// The address: `#view?key=value&…`. It has all that a colleague needs to see the same.
function address() {
  const [view, query] = location.hash.slice(1).split("?");
  return { view: D.views.includes(view) ? view : D.views[0], query: new URLSearchParams(query ?? "") };
}

function hash(view, changes = {}) {
  const now = address();
  const query = view === now.view ? now.query : new URLSearchParams();
  // Other views are of the same journal.
  if (view !== now.view && now.query.has("journal")) query.set("journal", now.query.get("journal"));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "" || value === undefined) query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  return `#${view}${text ? `?${text}` : ""}`;
}

function go(view, changes) {
  const next = hash(view, changes);
  if (next !== location.hash) location.hash = next;
}

// Goes on without a step back: for what is typed, or opened.
function replace(changes) {
  history.replaceState(null, "", hash(address().view, changes));
}

const VIEWS = {
  leaks: showLeaks, cases: showCases, map: showMap, requests: showRequests, time: showTime, files: showFiles,
  guests: showGuests, output: showOutput, steps: showSteps,
};
const TITLES = {
  leaks: "Ways out", cases: "Cases", map: "Flow map", requests: "Requests", time: "Time", files: "Files",
  guests: "Guests", output: "Waiting and output", steps: "Steps",
};

let drawn = 0;

let shownAddress = null;

// Shows what the address names; a live page makes what is there already like it.
async function show() {
  const turn = ++drawn;
  const { view, query } = address();
  const body = h("div", {}, L ? statusLine() : null, await VIEWS[view](query));
  if (turn !== drawn) return; // another address came meanwhile
  const main = document.querySelector("main");
  if (L && shownAddress === location.hash && main.childElementCount === 1) {
    morph(main.firstElementChild, body);
    flash();
    document.body.dataset.ready = String(turn);
    return;
  }
  shownAddress = location.hash;
  const focus = focused();
  main.replaceChildren(body);
  document.querySelector("nav").replaceChildren(...D.views.map((name) =>
    h("a", { href: hash(name), "aria-current": name === view ? "page" : null }, TITLES[name])));
  focus?.();
  const panel = main.querySelector("aside:not(:empty)");
  if (panel && innerWidth <= 700) panel.scrollIntoView();
  else main.querySelector(".marked, [open] > summary.target, tr.chosen")?.scrollIntoView({ block: "center" });
  document.body.dataset.ready = String(turn);
}

// What puts the focus back on the element that has it, or on its successor; null where none has.
function focused() {
  const element = document.activeElement;
  for (const name of ["keep", "node", "edge", "request", "case", "leak"]) {
    const value = element?.dataset?.[name];
    if (value === undefined) continue;
    const [start, end] = [element.selectionStart, element.selectionEnd];
    return () => {
      const next = [...document.querySelectorAll(`main [data-${name}]`)].find((one) => one.dataset[name] === value);
      next?.focus({ preventScroll: true });
      if (typeof start === "number" && next?.type === "search") next.setSelectionRange(start, end);
    };
  }
  return null;
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && ["request", "edge"].some((key) => address().query.has(key))) {
    go(address().view, { request: null, edge: null, trail: null });
  }
});

// On paper, everything is open.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("main details")) {
    details.open = true;
    details.fill?.();
  }
});

// Details whose content is made when they are opened.
function lazy(attributes, summary, content) {
  const details = h("details", attributes, summary);
  details.fill = () => { if (details.open && details.childElementCount === 1) details.append(...[content()].flat().filter(Boolean)); };
  details.addEventListener("toggle", details.fill);
  details.fill();
  return details;
}

// A value that the user types or chooses, which goes into the address.
function field(view, key, label, kind, query) {
  const change = (event) => go(view, { [key]: event.target.value, page: null, line: null });
  const shared = { "data-keep": key, onchange: change };
  const input = Array.isArray(kind)
    ? h("select", shared, kind.map(([value, text]) =>
      h("option", { value, "data-row": value, selected: (query.get(key) ?? "") === value }, text)))
    : h("input", { "data-keep": key, type: kind, value: query.get(key) ?? "", size: 16, oninput: (event) => {
      replace({ [key]: event.target.value, page: null });
      show();
    } });
  return h("label", {}, label, " ", input);
}

// The choice of one journal, or case, of several.
function journalField(view, query) {
  if (D.journals.length < 2) return null;
  return field(view, "journal", "Only", [["", "everything"], ...D.journals.map((name, index) => [String(index), name])], query);
}

// Whether the request is in the journal, or case, that is shown alone.
const isOf = (row, query) => !query.has("journal") || R.journal[row] === Number(query.get("journal"));

const node = (index) => (index < 0 ? "" : D.nodes[index].text);

// Who hands what to whom; one of them alone where nothing moves between two.
const ends = (row) => [node(R.sender[row]), node(R.receiver[row])].filter(Boolean).join(" → ");

function verdictMark(row) {
  const kind = outcome(row);
  return h("span", { class: OUTCOMES[kind] }, `${SIGNS[kind]} ${OUTCOMES[kind]}`);
}

// A place `file:line` as a link to the line, where the page has the file.
function place(text) {
  const cut = text.lastIndexOf(":");
  const file = text.slice(0, cut);
  if (cut < 1 || !D.files.includes(file)) return h("code", {}, text);
  return h("a", { href: hash("files", { file, line: text.slice(cut + 1) }) }, h("code", {}, text));
}

// MARK: one request

async function detail(row) {
  const verdicts = await block("verdicts");
  const verdict = verdicts[R.verdict[row]];
  const strings = await block("strings");
  const number = R.number[row];
  const link = (other, words) =>
    h("li", {}, h("a", { href: hash(address().view, { request: nameOf(other) }) }, `request ${R.number[other]}`),
      ` ${D.operations[R.operation[other]]}, ${ends(other)}`,
      words === "certain" ? null : ` (${words})`);
  const subject = R.subject[row] >= 0 ? strings[R.subject[row]] : null;
  return h("section", { "aria-label": `Request ${number}` },
    h("a", { class: "close", href: hash(address().view, { request: null, trail: null }) }, "Close"),
    h("h2", {}, `Request ${number}: ${D.operations[R.operation[row]]}`),
    h("p", {}, verdictMark(row), ` by ${verdict.decidedBy}, ${D.ends[R.end[row]]}`),
    h("p", {}, ends(row) || "the device"),
    subject ? h("p", {}, h("code", {}, subject)) : null,
    R.owner[row] < 0 ? null : h("p", {}, `Data of ${D.owners[R.owner[row]] || "nobody known"}`),
    h("ol", { class: "reasons" }, verdict.reasons.map((reason) => h("li", {},
      reason.text,
      reason.setting ? h("div", { class: "faint" }, `${reason.label ?? reason.setting}: ${reason.value ?? ""}`) : null,
      h("div", { class: "faint" }, `${reason.rule}, ${reason.side}${reason.assumed ? ", assumed" : ""}`,
        reason.source ? [" · ", place(reason.source)] : null)))),
    verdict.changes?.length ? [h("h3", {}, "For another answer"),
      h("ul", { class: "plain" }, verdict.changes.map((change) => h("li", {}, rich(change))))] : null,
    R.sources.has(row) ? [h("h3", {}, "Where it came from"),
      h("ul", { class: "plain" }, R.sources.get(row).map(([other, words]) => link(other, words)))] : null,
    R.uses.has(row) ? [h("h3", {}, "Where it went"),
      h("ul", { class: "plain" }, R.uses.get(row).map(([other, words]) => link(other, words)))] : null,
    h("p", { class: "faint" }, `${D.journals[R.journal[row]]} · ${timeOf(row)}${L && R.seen[row] ? `, seen at ${R.seen[row]}` : ""}`),
    h("p", {}, R.sources.has(row) || R.uses.has(row)
      ? h("a", { href: hash("map", { request: nameOf(row), trail: 1 }) }, "Its lineage on the map") : null));
}

// The requests of the item's whole history: all that it came from, and all that came from it.
function trail(row) {
  const rows = new Set([row]);
  for (const links of [R.sources, R.uses]) {
    const open = [row];
    while (open.length) {
      for (const [other] of links.get(open.pop()) ?? []) {
        if (!rows.has(other)) open.push(other);
        rows.add(other);
      }
    }
  }
  return rows;
}

async function aside(query) {
  const panel = h("aside", { "aria-live": "polite" });
  const row = requestOf(query);
  if (row !== undefined) panel.append(await detail(row));
  else if (query.has("request")) panel.append(h("p", {}, L ? `Request ${query.get("request")} is not among the latest ones; sluice report has all.` : `There is no request ${query.get("request")}.`));
  return panel;
}

// The moment that the address names; without one, the last.
function momentOf(query) {
  const at = Number(query.get("at") ?? NaN);
  return Number.isInteger(at) && at >= 0 && at < D.moments ? at : D.moments;
}

// A range over all moments, for views that show what was by then.
function scrubber(view, query) {
  const at = momentOf(query);
  const told = (moment) => `event ${moment + 1} of ${D.moments + 1}, ${clock(moment)}`;
  const words = h("span", { class: "faint" }, told(at));
  const range = h("input", {
    type: "range", min: 0, max: D.moments, value: at, "data-keep": "at", "aria-label": "Moment", "aria-valuetext": told(at),
    onchange: (event) => go(view, { at: Number(event.target.value) >= D.moments ? null : event.target.value }),
    oninput: (event) => { words.textContent = told(Number(event.target.value)); },
  });
  const step = Math.max(1, Math.round(D.moments / 60));
  const play = h("button", { type: "button", "data-keep": "play", onclick: () => {
    playing = !playing;
    if (playing) advance(view, step, at >= D.moments ? 0 : at); else show();
  } }, playing ? "Pause" : "Play");
  return h("div", { class: "bar" }, play, range, words);
}

let playing = false;

function advance(view, step, from) {
  const next = from + step;
  if (!playing || address().view !== view) { playing = false; return; }
  if (next >= D.moments) playing = false;
  go(view, { at: next >= D.moments ? null : next });
  if (playing) setTimeout(() => advance(view, step, next), 150);
}
