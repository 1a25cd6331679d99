// A page updated by its server, which sends flows as counts and only the latest requests.
let L; // the state received from the server; undefined on a self-contained page

function beginLive() {
  L = { flows: new Map(), guests: [], output: [], work: null, waiting: [], status: null, state: "connecting", rates: [], strings: [], steps: [], changed: [], held: null };
  Object.assign(D, {
    nodes: [], order: [], groups: {}, grouping: "guest", owners: [], rules: [], outcomes: [], files: [],
    moments: Number.MAX_SAFE_INTEGER, clock: [], wall: [],
  });
  R = emptyRows();
  for (const [name, value] of [["verdicts", []], ["strings", L.strings], ["files", {}]]) blocks.set(name, Promise.resolve(value));
  if (document.hidden) L.state = "hidden"; else connect();
}

const emptyRows = () => ({
  count: 0, journal: [], number: [], moment: [], time: [], sender: [], receiver: [], operation: [], verdict: [], end: [],
  owner: [], subject: [], seen: [], left: new Set(), why: new Map(), sources: new Map(), uses: new Map(), rows: new Map(),
});

function connect() {
  L.state = "connecting";
  L.source = new EventSource("events");
  L.source.onmessage = async (event) => {
    L.state = "live";
    await absorb(JSON.parse(event.data));
    refresh();
  };
  // The source closes only if a server rejects the page: another server has replaced this page's.
  L.source.onerror = () => { L.state = L.source.readyState === EventSource.CLOSED ? "ended" : "lost"; refresh(); };
}

// A page that is paused or hidden receives no updates. When it resumes, it receives the full state.
function pause() {
  if (L.state === "paused") connect(); else rest("paused");
  refresh();
}

function rest(state) {
  L.source.close();
  L.state = state;
}

addEventListener("visibilitychange", () => {
  if (!L || L.state === "paused") return;
  if (document.hidden) rest("hidden"); else if (L.state === "hidden") connect();
});

async function absorb(told) {
  const verdicts = await block("verdicts"), files = await block("files");
  if (told.reset) {
    L.flows.clear();
    Object.assign(L, { guests: [], rates: [], held: null });
    Object.assign(D, { order: [], groups: {}, rules: [], outcomes: [] });
    L.strings.length = verdicts.length = D.nodes.length = 0;
    for (const name of Object.keys(files)) delete files[name];
    D.files = [];
    R = emptyRows();
  }
  if (told.nodes) {
    extend(D.nodes, told.firstNode, told.nodes);
    Object.assign(D, { order: told.order, groups: told.groups, grouping: told.grouping });
  }
  if (told.verdicts) {
    extend(verdicts, told.firstVerdict, told.verdicts);
    D.rules = verdicts.map((one) => one.decidedBy);
    D.outcomes = verdicts.map((one) => OUTCOMES.indexOf(one.outcome));
  }
  for (const [number, from, to, operation, verdict, left, count] of told.flows ?? []) L.flows.set(number, { from, to, operation, verdict, left, count });
  for (const [number, name, app, state, identity, exit] of told.guests ?? []) L.guests[number] = { name, app, state, identity, exit };
  for (const row of told.rows) addRow(!told.reset, row);
  for (const [number, end, why] of told.ended) {
    const row = R.rows.get(String(number));
    if (row === undefined) continue;
    R.end[row] = end;
    if (why) R.why.set(row, why);
  }
  if (told.texts) { Object.assign(files, told.texts); D.files = Object.keys(files).sort(); }
  Object.assign(L, { waiting: told.waiting, status: told.status, work: told.work });
  if (told.output) L.output = told.output.output ?? [];
  L.rates.push([performance.now(), told.status.counts.reduce((sum, count) => sum + count)]);
  while (L.rates.length > 2 && L.rates[0][0] < performance.now() - 1500) L.rates.shift();
}

// Replaces the elements of `list` from index `start` with `more`.
function extend(list, start, more) {
  list.length = start;
  for (const one of more) list.push(one);
}

const KEPT = 2000;

const clockTime = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

// Adds a request as a row.
//
// - isNew: whether the request arrived in an update, not in the full state.
function addRow(isNew, [number, time, sender, receiver, operation, verdict, end, owner, subject, sources, why]) {
  if (R.count >= 2 * KEPT) dropRows();
  const row = R.count++;
  const values = { number, time, sender, receiver, operation, verdict, end, journal: 0, moment: row, seen: isNew ? clockTime.format(new Date()) : "" };
  for (const [name, value] of Object.entries(values)) R[name][row] = value;
  R.owner[row] = owner === null ? -1 : textOf(D.owners, owner);
  R.subject[row] = subject === null ? -1 : L.strings.push(subject) - 1;
  if (why) R.why.set(row, why);
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

// Drops all but the latest requests and renumbers the rest.
function dropRows() {
  const old = R, gone = R.count - KEPT;
  const strings = L.strings.splice(0), owners = D.owners.splice(0);
  R = emptyRows();
  R.count = KEPT;
  for (const name of ["number", "time", "sender", "receiver", "operation", "verdict", "end", "journal", "seen"]) R[name] = old[name].slice(gone);
  R.moment = R.number.map((_, row) => row);
  R.owner = old.owner.slice(gone).map((index) => (index < 0 ? -1 : textOf(D.owners, owners[index])));
  R.subject = old.subject.slice(gone).map((index) => (index < 0 ? -1 : L.strings.push(strings[index]) - 1));
  for (const [row, why] of old.why) if (row >= gone) R.why.set(row - gone, why);
  R.number.forEach((number, row) => R.rows.set(String(number), row));
  for (const [links, kept] of [[old.sources, R.sources], [old.uses, R.uses]]) {
    for (const [row, others] of links) {
      const near = others.filter(([other]) => other >= gone).map(([other, words]) => [other - gone, words]);
      if (row >= gone && near.length) kept.set(row - gone, near);
    }
  }
}

// MARK: redrawing

let isPressed = false, isWaiting = false, isDrawing = false;

// Redraws the changed parts, except while the user presses a control.
async function refresh() {
  if (isPressed || isDrawing || document.hidden) { isWaiting = true; return; }
  isDrawing = true;
  await show();
  isDrawing = false;
  if (isWaiting) requestAnimationFrame(drawWaiting);
}

const drawWaiting = () => { if (isWaiting) { isWaiting = false; refresh(); } };

addEventListener("pointerdown", () => { isPressed = true; });
for (const kind of ["click", "pointercancel", "pointerup"]) {
  addEventListener(kind, () => setTimeout(() => {
    isPressed = false;
    drawWaiting();
  }));
}

// Updates `old` to match `next` without touching equal parts, so focus, open details and the pointer's target
// survive.
function morph(old, next) {
  if (old.nodeName !== next.nodeName || keyOf(old) !== keyOf(next)) return old.replaceWith(whole(next));
  if (old.nodeType !== Node.ELEMENT_NODE) { if (old.data !== next.data) old.data = next.data; return; }
  if (next.signature) {
    if (old.signature === next.signature) return;
    old.signature = next.signature;
    next = whole(next);
    L.changed.push(old);
  }
  if (old.nodeName === "DETAILS" && old.open && !next.open) { next.open = true; next.fill?.(); }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.nodeName === "TEXTAREA") return;
  const { value } = next;
  morphChildren(old, [...next.childNodes]);
  // The address decides, not the previous choice. A form's own choice is the user's.
  if (old.nodeName === "SELECT" && keyOf(old) !== undefined && old.value !== value) old.value = value;
}

// Children with keys are matched by key, wherever they are; others are matched by position.
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

// Highlights changed arrows, if they are few.
function flash() {
  const some = L.changed.splice(0);
  if (some.length > 20 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const element of some) element.animate([{ opacity: 0.2 }, { opacity: 1 }], 600);
}

// Returns an element that is built only if the page does not show an equal one yet.
function sketch(kind, key, signature, make) {
  const full = () => Object.assign(make(), { signature });
  return L && shownAddress === location.hash ? Object.assign(s("g", { [`data-${kind}`]: key }), { signature, make: full }) : full();
}

// Returns the element with all deferred parts built.
function whole(element) {
  if (element.make) return element.make();
  for (const part of element.querySelectorAll?.("g") ?? []) if (part.make) part.replaceWith(part.make());
  return element;
}

const keyOf = (element) => element.dataset && (element.dataset.node ?? element.dataset.edge ?? element.dataset.keep ?? element.dataset.row);

// MARK: views

const number = (value) => value.toLocaleString("en");

// Returns the verdicts in words and the device's state in one line, shown in every view.
function statusLine() {
  const words = { connecting: "Connecting …", lost: "The connection is lost; trying again.", ended: "This view has ended; `sluice view` prints the address of another.",
    paused: "Paused." }[L.state] ?? (L.work ? null : "The device is not up.");
  if (!L.status) return h("p", { role: "status" }, words ?? "");
  const { time, running, suspended, open, counts, lost } = L.status;
  const [first, last] = [L.rates[0], L.rates.at(-1)];
  const rate = last[0] > first[0] ? Math.round(((last[1] - first[1]) * 1000) / (last[0] - first[0])) : 0;
  return [h("p", { class: "headline" }, L.status.headline), h("p", {},
    h("button", { type: "button", "data-keep": "pause", onclick: pause }, L.state === "paused" ? "Go on" : "Pause"), " ",
    OUTCOMES.map((word, kind) => [h("span", { class: word }, `${SIGNS[kind]} ${number(counts[kind])} ${word}`), "  "]),
    h("span", { class: "faint" }, `${number(rate)} a second · ${number(running)} guests run${suspended ? `, ${suspended} of them suspended` : ""} · ${open} open · ${time}`,
      lost ? ` · ${number(lost)} requests of rare flows are not on the map` : ""),
    words ? [" ", h("strong", { role: "status" }, words)] : null)];
}

async function showGuests(query) {
  const find = (query.get("find") ?? "").toLowerCase();
  const found = L.guests.filter((one) => one && (!find || [one.name, one.app, one.identity].some((text) => text.toLowerCase().includes(find))));
  const rank = { running: 0, suspended: 0, ended: 1 };
  const some = found.toSorted((a, b) => rank[a.state] - rank[b.state]).slice(0, 300);
  return [
    h("div", { class: "bar" }, field("guests", "find", "Find", "search", query), h("span", { class: "faint" }, some.length < found.length ? `${some.length} of ${found.length}; Find tells others` : `${found.length} of ${L.guests.length}`)),
    h("table", {}, h("thead", {}, h("tr", {}, ["Guest", "App", "State", "Acts for", "Ended last"].map((title) => h("th", {}, title)))),
      h("tbody", {}, some.map((one) => h("tr", { "data-row": one.name }, [one.name, one.app, one.state, one.identity, one.exit].map((text) => h("td", {}, text)))))),
  ];
}

async function showOutput(query) {
  const waiting = L.waiting.map((request) => R.rows.get(String(request)));
  return [
    h("h2", {}, "Waiting"),
    L.work ? h("p", {}, `${L.work.busy ? "A step is being carried out" : "No step is being carried out"}; ${L.work.waiting} wait.`) : null,
    h("ul", { class: "plain" }, waiting.map((row, index) => h("li", {}, row === undefined ? `request ${L.waiting[index]}`
      : [h("a", { href: hash("requests", { request: nameOf(row) }) }, `request ${nameOf(row)}`), ` ${operationOf(row)}, ${ends(row)}, since ${R.time[row]}`]))),
    waiting.length ? null : h("p", {}, "No request is open."),
    h("h2", {}, "What guests wrote last"),
    L.output.length ? L.output.map(({ guest, lines, count }) => h("section", { "data-row": guest },
      h("h3", {}, guest, count > lines.length ? ` (the last ${lines.length} of ${count} lines)` : ""), h("pre", { tabindex: 0 }, lines.join("\n"))))
      : h("p", {}, "Nothing."),
  ];
}

// The steps with a form. Other steps are typed.
const FORMS = [
  ["launch", "Launch", { launch: ["app"] }], ["stop", "Stop", { stop: ["app"] }], ["kill", "Kill", { kill: ["app"] }],
  ["suspend", "Suspend", { suspend: ["app"] }], ["resume", "Resume", { resume: ["app"] }],
  ["share", "Share", { from: ["app"], to: ["guest", 1], text: ["text", "Quarterly figures"] }],
  ["copy", "Copy", { app: ["app"], text: ["text", "Quarterly figures"] }], ["paste", "Paste", { app: ["app"] }],
  ["switchIdentity", "Switch identity", { app: ["app"], to: ["identity"] }],
  ["signIn", "Sign in", { app: ["app"], account: ["account"] }], ["signOut", "Sign out", { app: ["app"], account: ["account"] }],
  ["assign", "Assign a policy", { account: ["account"], policy: ["policy"] }],
  ["savePolicy", "Save a policy", { policy: ["policy"], file: ["text", "policies/stricter.json"] }],
  ["wipe", "Wipe", { app: ["app"], account: ["account"] }],
];

// Returns the names of apps. If an app has several guests, its own name precedes theirs.
const namesOf = (apps) => apps.flatMap(({ name }) => (name.endsWith("-1") ? [name.slice(0, -2), name] : [name]));

async function showSteps() {
  L.world ??= await fetch("world").then((answer) => answer.json()).catch(() => null);
  if (!L.world?.apps) { L.world = null; return h("p", {}, "No device answers."); }
  const accounts = L.world.accounts.map((one) => one.name);
  const lists = {
    app: namesOf(L.world.apps.filter((one) => !one.extension)), guest: namesOf(L.world.apps), account: accounts,
    identity: [...accounts, "unset", "unknown"], policy: L.world.policies.map((one) => one.name),
  };
  const input = (kind, preset, label) => (lists[kind]
    ? h("select", { "aria-label": label }, lists[kind].map((name, index) => h("option", { value: name, selected: index === preset }, name)))
    : h("input", { value: preset ?? "", "aria-label": label }));
  const form = ([word, title, parts]) => {
    const inputs = Object.entries(parts).map(([name, [kind, preset]]) => [name, input(kind, preset, name === word ? title : null)]);
    const step = () => {
      const values = Object.fromEntries(inputs.map(([name, element]) => [name, element.value]));
      return { [word]: word in values ? values[word] : values };
    };
    return h("form", { class: "bar", "data-keep": `form-${word}`, onsubmit: (event) => {
      event.preventDefault();
      carryOut(JSON.stringify(step()), `${title}: ${inputs.map(([name, element]) => (name === word ? element.value : `${name} ${element.value}`)).join(", ")}`);
    } },
      h("button", {}, title), inputs.map(([name, element]) => h("label", {}, name === word ? "" : `${name} `, element)));
  };
  const text = h("textarea", { rows: 4, "data-keep": "step", placeholder: "share: { from: mail, to: viewer, text: Quarterly figures }",
    oninput: (event) => { L.draft = event.target.value; },
    onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) carryOut(event.target.value); } }, L.draft ?? "");
  return [
    FORMS.map(form),
    h("form", { "data-keep": "form-any", onsubmit: (event) => { event.preventDefault(); carryOut(event.target.querySelector("textarea").value); } },
      h("p", {}, h("label", {}, "Any step, as in a scenario or of sluice ctl", h("br"), text)), h("p", {}, h("button", {}, "Carry out"))),
    h("h2", {}, "Carried out"),
    L.steps.length ? null : h("p", {}, "Nothing yet by this page."),
    L.steps.map(drawStep),
  ];
}

// Returns a step in words, with its requests and expectations. An unfinished step is shown as it was given.
function drawStep(one) {
  const { result, error } = one;
  const mark = one.stop ? h("span", { class: "faint" }, "…") : one.holds ? h("span", { class: "passed" }, "✓") : h("span", { class: "failed" }, "✗");
  return h("section", { "data-keep": `step-${one.number}`, "data-holds": one.holds === undefined ? null : String(one.holds) },
    h("h3", {}, mark, " ", result ? rich(result.text) : one.words),
    one.stop ? h("button", { type: "button", onclick: one.stop }, "Cancel") : null,
    error ? h("p", { class: "failed" }, rich(error)) : null,
    result ? h("ul", { class: "plain" }, stepLines(result)) : null);
}

function stepLines({ requests, expectations, failures, notes, observed, times, failed }) {
  return [
    times > 1 ? h("li", {}, `${times} times, ${failed} not as expected; the last is shown`) : null,
    requests.map(({ request, operation, sender, receiver, verdict, end }) => {
      const kind = OUTCOMES.indexOf(verdict.outcome);
      const ends = [sender, receiver].filter(Boolean).map(({ guest, identity }) => named([guest, identity].filter(Boolean).join(" · "))).join(" → ");
      return h("li", {}, h("a", { href: hash("requests", { request }), "data-request": request }, wordsOf(operation)), ` ${ends} `,
        h("span", { class: OUTCOMES[kind] }, `${SIGNS[kind]} ${OUTCOMES[kind]}`), ` by ${verdict.decidedBy}`, end ? `, ${end}` : null);
    }),
    (observed ?? []).filter((seen) => seen.received).map((seen) => h("li", {}, "received ", h("code", {}, seen.received))),
    expectations.map((check) => h("li", { class: check.met ? "passed" : "failed" },
      check.met ? "✓" : "✗", " expected ", rich(check.expected), check.met ? null : [", found ", rich(check.found)])),
    notes.map((note) => h("li", { class: "faint" }, rich(note))),
    failures.map((why) => h("li", { class: "errored" }, "! ", rich(why)))];
}

// - words: the step as the user gave it.
async function carryOut(step, words = step) {
  const control = new AbortController();
  L.stepCount = (L.stepCount ?? 0) + 1;
  const entry = { number: L.stepCount, words, stop: () => control.abort() };
  L.steps.unshift(entry);
  L.steps.length = Math.min(L.steps.length, 50);
  refresh();
  try {
    const answer = await fetch("steps", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify([step]), signal: control.signal,
    });
    if (!answer.ok) throw new Error(answer.status === 429 ? "too many steps wait already" : answer.statusText);
    const { result, error } = await answer.json();
    const place = error?.data?.line ? `${error.data.line}:${error.data.column}: ` : "";
    Object.assign(entry, { result, holds: result?.holds ?? false, error: error ? place + error.message : undefined });
  } catch (error) {
    entry.holds = false;
    entry.error = error.name === "AbortError" ? "cancelled: what had begun is carried out to its end, and not repeated" : error.message;
  }
  delete entry.stop;
  refresh();
}
