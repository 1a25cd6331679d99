// A page that its server tells what changes: flows come counted, and of the requests the latest.
let L; // what the server has told; undefined on a page that has all in it

function beginLive() {
  L = { flows: new Map(), guests: [], output: [], work: null, waiting: [], status: null, state: "connecting", rates: [], strings: [], steps: [] };
  Object.assign(D, {
    nodes: [], order: [], groups: {}, grouping: "guest", owners: [], rules: [], outcomes: [], files: [],
    moments: Number.MAX_SAFE_INTEGER, clock: [], wall: [],
  });
  R = emptyRows();
  for (const [name, value] of [["verdicts", []], ["strings", L.strings], ["files", {}]]) blocks.set(name, Promise.resolve(value));
  connect();
}

const emptyRows = () => ({
  count: 0, journal: [], number: [], moment: [], time: [], sender: [], receiver: [], operation: [], verdict: [], end: [],
  owner: [], subject: [], sources: new Map(), uses: new Map(), rows: new Map(),
});

function connect() {
  L.source = new EventSource("events");
  L.source.onmessage = async (event) => {
    L.state = "live";
    await absorb(JSON.parse(event.data));
    refresh();
  };
  L.source.onerror = () => { L.state = "lost"; refresh(); };
}

// While the page is paused nothing is told it; then it is told all anew.
function pause() {
  if (L.state === "paused") { L.state = "connecting"; connect(); } else { L.source.close(); L.state = "paused"; }
  refresh();
}

async function absorb(told) {
  const verdicts = await block("verdicts"), files = await block("files");
  if (told.reset) {
    L.flows.clear();
    Object.assign(L, { guests: [], rates: [] });
    L.strings.length = verdicts.length = D.nodes.length = 0;
    R = emptyRows();
  }
  if (told.nodes) {
    D.nodes.splice(told.firstNode, Infinity, ...told.nodes);
    Object.assign(D, { order: told.order, groups: told.groups, grouping: told.grouping });
  }
  if (told.verdicts) {
    verdicts.splice(told.firstVerdict, Infinity, ...told.verdicts);
    D.rules = verdicts.map((one) => one.decidedBy);
    D.outcomes = verdicts.map((one) => OUTCOMES.indexOf(one.outcome));
  }
  for (const [number, from, to, operation, verdict, count] of told.flows ?? []) L.flows.set(number, { from, to, operation, verdict, count });
  for (const [number, name, app, state, identity, exit] of told.guests ?? []) L.guests[number] = { name, app, state, identity, exit };
  for (const row of told.rows) addRow(row);
  for (const [number, end] of told.ended) if (R.rows.has(String(number))) R.end[R.rows.get(String(number))] = end;
  if (told.texts) { Object.assign(files, told.texts); D.files = Object.keys(files).sort(); }
  Object.assign(L, { waiting: told.waiting, status: told.status, work: told.work });
  if (told.output) L.output = told.output.output ?? [];
  L.rates.push([performance.now(), told.status.counts.reduce((sum, count) => sum + count)]);
  while (L.rates.length > 2 && L.rates[0][0] < performance.now() - 3000) L.rates.shift();
}

const KEPT = 2000;

function addRow([number, time, sender, receiver, operation, verdict, end, owner, subject, sources]) {
  if (R.count >= 2 * KEPT) dropRows();
  const row = R.count++;
  const values = { number, time, sender, receiver, operation, verdict, end, journal: 0, moment: row };
  for (const [name, value] of Object.entries(values)) R[name][row] = value;
  R.owner[row] = owner === null ? -1 : textOf(D.owners, owner);
  R.subject[row] = subject === null ? -1 : L.strings.push(subject) - 1;
  R.rows.set(String(number), row);
  for (const source of sources) {
    const other = R.rows.get(String(source));
    if (other === undefined) continue;
    push(R.sources, row, [other, "certain"]);
    push(R.uses, other, [row, "certain"]);
  }
}

function textOf(list, text) {
  const index = list.indexOf(text);
  return index < 0 ? list.push(text) - 1 : index;
}

// Keeps the latest requests, in places of their own.
function dropRows() {
  const old = R, gone = R.count - KEPT;
  const strings = L.strings.splice(0);
  R = emptyRows();
  R.count = KEPT;
  for (const name of ["number", "time", "sender", "receiver", "operation", "verdict", "end", "owner", "journal"]) R[name] = old[name].slice(gone);
  R.moment = R.number.map((_, row) => row);
  R.subject = old.subject.slice(gone).map((index) => (index < 0 ? -1 : L.strings.push(strings[index]) - 1));
  R.number.forEach((number, row) => R.rows.set(String(number), row));
  for (const [links, kept] of [[old.sources, R.sources], [old.uses, R.uses]]) {
    for (const [row, others] of links) {
      const near = others.filter(([other]) => other >= gone).map(([other, words]) => [other - gone, words]);
      if (row >= gone && near.length) kept.set(row - gone, near);
    }
  }
}

// MARK: drawing again

let isPressed = false, isWaiting = false, isDrawing = false;

// Draws what has changed, but not under the hand of somebody who presses something.
async function refresh() {
  if (isPressed || isDrawing || document.hidden) { isWaiting = true; return; }
  isDrawing = true;
  await show();
  isDrawing = false;
  if (isWaiting) requestAnimationFrame(drawWaiting);
}

const drawWaiting = () => { if (isWaiting) { isWaiting = false; refresh(); } };

addEventListener("visibilitychange", drawWaiting);
addEventListener("pointerdown", () => { isPressed = true; });
for (const kind of ["click", "pointercancel", "pointerup"]) {
  addEventListener(kind, () => setTimeout(() => {
    isPressed = false;
    drawWaiting();
  }));
}

// Makes `old` like `next`, and leaves alone what is so already: what has the focus, is open or is pointed at stays.
function morph(old, next) {
  if (old.nodeName !== next.nodeName || keyOf(old) !== keyOf(next)) return old.replaceWith(whole(next));
  if (old.nodeType !== Node.ELEMENT_NODE) { if (old.data !== next.data) old.data = next.data; return; }
  if (next.signature) {
    if (old.signature === next.signature) return;
    old.signature = next.signature;
    next = whole(next);
  }
  if (old.nodeName === "DETAILS" && old.open && !next.open) { next.open = true; next.fill?.(); }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.nodeName === "TEXTAREA") return;
  morphChildren(old, [...next.childNodes]);
}

// Children with keys keep theirs, wherever they stand; others are told apart by their places.
function morphChildren(old, theirs) {
  const keys = new Set(theirs.map(keyOf));
  for (const child of [...old.childNodes]) if (keyOf(child) !== undefined && !keys.has(keyOf(child))) child.remove();
  const keyed = new Map([...old.childNodes].map((child) => [keyOf(child), child]));
  let place = old.firstChild;
  for (const child of theirs) {
    const known = keyOf(child) === undefined ? place : keyed.get(keyOf(child));
    if (!known || (known === place && keyOf(known) !== keyOf(child))) { old.insertBefore(whole(child), place); continue; }
    if (known !== place) old.insertBefore(known, place);
    const after = known.nextSibling;
    morph(known, child);
    place = after;
  }
  while (place) { const after = place.nextSibling; place.remove(); place = after; }
}

// An element that is made only where there is none yet that shows the same.
function sketch(kind, key, signature, make) {
  const full = () => Object.assign(make(), { signature });
  return L && shownAddress === location.hash ? Object.assign(s("g", { [`data-${kind}`]: key }), { signature, make: full }) : full();
}

// The element with all that was only sketched.
function whole(element) {
  if (element.make) return element.make();
  for (const part of element.querySelectorAll?.("g") ?? []) if (part.make) part.replaceWith(part.make());
  return element;
}

const keyOf = (element) => element.dataset && (element.dataset.node ?? element.dataset.edge ?? element.dataset.keep ?? element.dataset.row);

// MARK: views

const number = (value) => value.toLocaleString("en");

// What the device does, in a line, for every view.
function statusLine() {
  const words = { connecting: "Connecting …", lost: "The connection is lost; trying again.", paused: "Paused." }[L.state];
  if (!L.status) return h("p", { role: "status" }, words ?? "");
  const { time, running, suspended, open, counts, lost } = L.status;
  const [first, last] = [L.rates[0], L.rates.at(-1)];
  const rate = last[0] > first[0] ? Math.round(((last[1] - first[1]) * 1000) / (last[0] - first[0])) : 0;
  return h("p", {},
    h("button", { type: "button", "data-keep": "pause", onclick: pause }, L.state === "paused" ? "Go on" : "Pause"), " ",
    OUTCOMES.map((word, kind) => [h("span", { class: word }, `${SIGNS[kind]} ${number(counts[kind])} ${word}`), "  "]),
    h("span", { class: "faint" }, `${number(rate)} a second · ${number(running)} guests run${suspended ? `, ${suspended} of them suspended` : ""} · ${open} open · ${time}`,
      lost ? ` · ${number(lost)} requests of rare flows are not on the map` : ""),
    words ? [" ", h("strong", { role: "status" }, words)] : null);
}

async function showGuests(query) {
  const find = (query.get("find") ?? "").toLowerCase();
  const found = L.guests.filter((one) => one && (!find || [one.name, one.app, one.identity].some((text) => text.toLowerCase().includes(find))));
  const rank = { running: 0, suspended: 0, ended: 1 };
  const some = found.toSorted((a, b) => rank[a.state] - rank[b.state]).slice(0, 300);
  return [
    h("div", { class: "bar" }, field("guests", "find", "Find", "search", query), h("span", { class: "faint" }, `${some.length} of ${L.guests.length}`)),
    h("table", {}, h("thead", {}, h("tr", {}, ["Guest", "App", "State", "Acts for", "Ended last"].map((title) => h("th", {}, title)))),
      h("tbody", {}, some.map((one) => h("tr", { "data-row": one.name }, [one.name, one.app, one.state, one.identity, one.exit].map((text) => h("td", {}, text)))))),
  ];
}

async function showOutput(query) {
  const waiting = L.waiting.map((request) => R.rows.get(String(request)));
  return [
    h("h2", {}, "Waiting"),
    L.work ? h("p", {}, `${L.work.busy ? "A step is being carried out" : "No step is being carried out"}; ${L.work.waiting} wait.`) : h("p", {}, "The device is not up."),
    h("ul", { class: "plain" }, waiting.map((row, index) => h("li", {}, row === undefined ? `request ${L.waiting[index]}`
      : [h("a", { href: hash("requests", { request: nameOf(row) }) }, `request ${nameOf(row)}`), ` ${D.operations[R.operation[row]]}, ${ends(row)}, since ${R.time[row]}`]))),
    waiting.length ? null : h("p", {}, "No request is open."),
    h("h2", {}, "What guests wrote last"),
    L.output.length ? L.output.map(({ guest, lines, count }) => h("section", { "data-row": guest },
      h("h3", {}, guest, count > lines.length ? ` (the last ${lines.length} of ${count} lines)` : ""), h("pre", {}, lines.join("\n"))))
      : h("p", {}, "Nothing."),
  ];
}

// Steps that have a form; any other is typed.
const FORMS = [
  ["launch", "Launch", { launch: ["app"] }], ["stop", "Stop", { stop: ["app"] }], ["suspend", "Suspend", { suspend: ["app"] }],
  ["resume", "Resume", { resume: ["app"] }],
  ["share", "Share", { from: ["app"], to: ["app"], text: ["text", "Quarterly figures"] }],
  ["switchIdentity", "Switch identity", { app: ["app"], to: ["account"] }],
  ["assign", "Assign policies", { account: ["account"], policy: ["policy"] }],
  ["wipe", "Wipe", { app: ["app"], account: ["account"] }],
];

async function showSteps() {
  L.world ??= await fetch("world").then((answer) => answer.json()).catch(() => null);
  if (!L.world?.apps.length) { L.world = null; return h("p", {}, "No device answers."); }
  const lists = {
    app: L.world.apps.map((one) => one.name), account: L.world.accounts.map((one) => one.name), policy: L.world.policies.map((one) => one.name),
  };
  const input = (kind, preset) => (lists[kind] ? h("select", {}, lists[kind].map((name) => h("option", { value: name }, name)))
    : h("input", { value: preset ?? "" }));
  const form = ([word, title, parts]) => {
    const inputs = Object.entries(parts).map(([name, [kind, preset]]) => [name, input(kind, preset)]);
    const step = () => {
      const values = Object.fromEntries(inputs.map(([name, element]) => [name, element.value]));
      return { [word]: word in values ? values[word] : values };
    };
    return h("form", { class: "bar", "data-keep": `form-${word}`, onsubmit: (event) => { event.preventDefault(); carryOut(JSON.stringify(step())); } },
      h("strong", {}, title), inputs.map(([name, element]) => h("label", {}, name === word ? "" : `${name} `, element)), h("button", {}, title));
  };
  const text = h("textarea", { rows: 4, cols: 60, "aria-label": "A step as YAML or JSON", "data-keep": "step", placeholder: "share: { from: mail, to: viewer, text: Quarterly figures }" });
  return [
    FORMS.map(form),
    h("form", { "data-keep": "form-any", onsubmit: (event) => { event.preventDefault(); carryOut(event.target.querySelector("textarea").value); } },
      h("p", {}, h("label", {}, "Any step", h("br"), text)), h("p", {}, h("button", {}, "Carry out"))),
    h("h2", {}, "Carried out"),
    L.steps.length ? null : h("p", {}, "Nothing yet."),
    h("ol", { reversed: true }, L.steps.map((one) => h("li", { class: one.holds === false ? "failed" : null },
      h("pre", {}, one.text)))),
  ];
}

async function carryOut(step) {
  const entry = { text: `${step}\n…` };
  L.steps.unshift(entry);
  L.steps.length = Math.min(L.steps.length, 50);
  refresh();
  try {
    const answer = await fetch("steps", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify([step]) }).then((one) => one.json());
    entry.holds = answer.result?.holds ?? false;
    entry.text = answer.error ? `${step}\n${answer.error.message}` : answer.result.report.join("\n");
  } catch (error) {
    entry.holds = false;
    entry.text = `${step}\n${error.message}`;
  }
  refresh();
}
