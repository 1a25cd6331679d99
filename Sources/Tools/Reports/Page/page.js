// Drawn elements, the address, and helpers of all views.
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

// Returns attributes that make a clickable element operable by keyboard.
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

// Returns the address, `#view?key=value&…`. It holds the whole state of the view, so it can be shared.
function address() {
  const [view, query] = location.hash.slice(1).split("?");
  return { view: D.views.includes(view) ? view : D.views[0], query: new URLSearchParams(query ?? "") };
}

function hash(view, changes = {}) {
  const now = address();
  const query = view === now.view ? now.query : new URLSearchParams();
  // The journal stays selected in other views.
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

// Changes the address without a history entry, for typed text and opened details.
function replace(changes) {
  history.replaceState(null, "", hash(address().view, changes));
}

const VIEWS = {
  overview: showOverview, flows: showFlows, leaks: showLeaks, cases: showCases, map: showMap, requests: showRequests, time: showTime, files: showFiles,
  guests: showGuests, output: showOutput, steps: showSteps,
};
const TITLES = {
  overview: "Overview", flows: "Chains", leaks: "Leaks", cases: "Cases", map: "Flow map", requests: "Requests", time: "Time", files: "Files",
  guests: "Guests", output: "Waiting and output", steps: "Steps",
};

let drawn = 0;

let shownAddress = null;

// Shows the view in the address. A live page updates the existing elements.
async function show() {
  const turn = ++drawn;
  const { view, query } = address();
  const body = h("div", {}, L ? statusLine() : null, await VIEWS[view](query));
  if (turn !== drawn) return; // the address has changed meanwhile
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
  zoom.restore();
  document.querySelector("nav").replaceChildren(...D.views.map((name) =>
    h("a", { href: hash(name), "aria-current": name === view ? "page" : null }, TITLES[name])));
  focus?.();
  const panel = main.querySelector("aside:not(:empty)");
  if (panel && innerWidth <= 700) panel.scrollIntoView();
  else main.querySelector(".marked, [open] > summary.target, tr.chosen")?.scrollIntoView({ block: "center" });
  document.body.dataset.ready = String(turn);
}

// Returns a function that restores the focus to the focused element or its successor; null if nothing has the
// focus.
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

// Pictures fill the window. A phone also resizes a page that has no data yet.
addEventListener("resize", () => { if (R && ["overview", "flows", "leaks", "map", "time"].includes(address().view)) show(); });

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && ["request", "edge"].some((key) => address().query.has(key))) {
    go(address().view, { request: null, edge: null, trail: null });
  }
});

// Print all details open.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("main details")) {
    details.open = true;
    details.fill?.();
  }
});

// Returns details whose content is created when they are opened.
function lazy(attributes, summary, content) {
  const details = h("details", attributes, summary);
  details.fill = () => { if (details.open && details.childElementCount === 1) details.append(...[content()].flat().filter(Boolean)); };
  details.addEventListener("toggle", details.fill);
  details.fill();
  return details;
}

// Returns a control whose value is stored in the address.
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

// Returns the control that selects one of several journals or cases.
function journalField(view, query) {
  if (D.journals.length < 2) return null;
  return field(view, "journal", "Only", [["", "everything"], ...D.journals.map((name, index) => [String(index), name])], query);
}

// Returns whether the request is in the selected journal or case.
const isOf = (row, query) => !query.has("journal") || R.journal[row] === Number(query.get("journal"));

// Returns the name of an operation or channel in words, such as `save to`.
const wordsOf = (name) => (name === "airDrop" ? "AirDrop" : name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/ [A-Z](?![A-Z])/g, (letter) => letter.toLowerCase()));

const operationOf = (row) => wordsOf(D.operations[R.operation[row]]);

// Returns the name of an app and its account for people. `D.apps` has the names of well-known apps.
function named(text) {
  const [app, ...account] = text.split(" · "), id = app.toLowerCase();
  return [Object.hasOwn(D.apps, id) ? D.apps[id] : app, ...account].join(" · ");
}

const node = (index) => (index < 0 ? "" : named(D.nodes[index].text));

// Returns the bundle id of a node's app, or the name of a place.
const bundleOf = (index) => D.groups.bundle?.names[D.groups.bundle.of[index]] ?? "";

// Returns sender and receiver of a request; only one of them if nothing moves between two nodes.
const ends = (row) => [node(R.sender[row]), node(R.receiver[row])].filter(Boolean).join(" → ");

function verdictMark(row) {
  const kind = outcome(row);
  return h("span", {}, h("span", { class: OUTCOMES[kind] }, `${SIGNS[kind]} ${OUTCOMES[kind]}`),
    R.left.has(row) ? [" ", h("span", { class: "left", title: "Managed data left the protection of policies." }, SIGNS[LEFT])] : null);
}

// Returns a `file:line` location, as a link if the page has the file.
function place(text) {
  const cut = text.lastIndexOf(":");
  const file = text.slice(0, cut);
  if (cut < 1 || !D.files.includes(file)) return h("code", {}, text);
  return h("a", { href: hash("files", { file, line: text.slice(cut + 1) }) }, h("code", {}, text));
}

// Returns how well public sources support the deciding rule.
const standing = (verdict) =>
  verdict.standing + (verdict.observations ? `, observed ${verdict.observations}×` : "");

// MARK: one request

async function detail(row) {
  const verdicts = await block("verdicts");
  const verdict = verdicts[R.verdict[row]];
  const strings = await block("strings");
  const number = nameOf(row);
  const link = (other, words) =>
    h("li", {}, h("a", { href: hash(address().view, { request: nameOf(other) }) }, `request ${nameOf(other)}`),
      ` ${operationOf(other)}, ${ends(other)}`,
      words === "certain" ? null : ` (${words})`);
  const subject = R.subject[row] >= 0 ? strings[R.subject[row]] : null;
  return h("section", { "aria-label": `Request ${number}` },
    h("a", { class: "close", href: hash(address().view, { request: null, trail: null }) }, "Close"),
    h("h2", {}, `Request ${number}: ${operationOf(row)}`),
    h("p", {}, verdictMark(row), ` by ${verdict.decidedBy} (${standing(verdict)}), ${D.ends[R.end[row]]}`),
    h("p", {}, ends(row) || "the device"),
    R.why.has(row) ? h("p", { class: "faint" }, rich(R.why.get(row))) : null,
    R.left.has(row) ? h("p", { class: "left" }, `${SIGNS[LEFT]} Managed data left the protection of policies.`) : null,
    subject ? h("p", {}, h("code", {}, subject)) : null,
    R.owner[row] < 0 ? null : h("p", {}, `Data of ${D.owners[R.owner[row]] || "an unknown account"}`),
    h("ol", { class: "reasons" }, verdict.reasons.map((reason) => h("li", {},
      reason.text,
      reason.setting ? h("div", { class: "faint" }, `${reason.label ?? reason.setting}: ${reason.value ?? ""}`) : null,
      h("div", { class: "faint" }, `${reason.rule}, ${reason.side}${reason.assumed ? ", assumed" : ""}`,
        [reason.source, ...(reason.otherSources ?? [])].filter(Boolean).map((one) => [" · ", place(one)]))))),
    verdict.changes?.length ? [h("h3", {}, "Changes that lead to another verdict"),
      h("ul", { class: "plain" }, verdict.changes.map((change) => h("li", {}, rich(change))))] : null,
    R.sources.has(row) ? [h("h3", {}, "Where it came from"),
      h("ul", { class: "plain" }, R.sources.get(row).map(([other, words]) => link(other, words)))] : null,
    R.uses.has(row) ? [h("h3", {}, "Where it went"),
      h("ul", { class: "plain" }, R.uses.get(row).map(([other, words]) => link(other, words)))] : null,
    h("p", { class: "faint" }, `${D.journals[R.journal[row]]} · ${timeOf(row)}${L && R.seen[row] ? `, seen at ${R.seen[row]}` : ""}`),
    h("p", {}, R.sources.has(row) || R.uses.has(row)
      ? h("a", { href: hash("map", { request: nameOf(row), trail: 1 }) }, "Its lineage on the map") : null));
}

// Returns the requests in the item's history: all its ancestors and all its descendants.
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

// Returns the moment in the address; the last one by default.
function momentOf(query) {
  const at = Number(query.get("at") ?? NaN);
  return Number.isInteger(at) && at >= 0 && at < D.moments ? at : D.moments;
}

// Returns a slider over all moments, for views that show the state at a moment.
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
