// Guests over time: a section for each journal, one below the other, with a lane for each app. An app with several
// guests opens into a lane for each of them.
const LANE_HEIGHT = 20, LABEL_WIDTH = 200;

// The maximum numbers of marks in all lanes that the page draws at once, of apps in a section, and of guests in an app.
const MOST_MARKS = 5000, MOST_LANES = 50, MOST_GUESTS = 100;

// The width of a mark in pixels. Marks that would cover each other are drawn as one.
const MARK = 8;

const MARK_SIGNS = { suspended: "‖", exited: "■", wiped: "✖", switched: "⇄", other: "•" };

async function showTime(query) {
  const lanes = await block("lanes");
  const find = (query.get("find") ?? "").toLowerCase();
  const isShown = (lane) => (!query.has("journal") || lane.journal === Number(query.get("journal")))
    && (!find || lane.guest.toLowerCase().includes(find) || lane.app.toLowerCase().includes(find));
  const shown = lanes.filter(isShown);
  const at = momentOf(query);
  const panel = await aside(query);
  const width = Math.max(300, innerWidth - 60 - LABEL_WIDTH - (panel.childElementCount && innerWidth > 700 ? 430 : 0));
  const journals = Map.groupBy(shown, (lane) => lane.journal);
  let room = MOST_MARKS;
  const sections = [...journals].map(([journal, some]) => {
    const span = spanOf(journal, width);
    const marks = some.reduce((sum, lane) => sum + Math.min(lane.marks.length, width / MARK), 0);
    const isOpen = room > 0 || journals.size === 1;
    room -= marks;
    const events = span.end - span.start + 1;
    const summary = h("summary", {}, h("h2", {}, D.journals[journal]),
      h("span", { class: "faint" }, ` ${number(some.length)} ${some.length === 1 ? "guest" : "guests"}, ${number(events)} events, ${period(span)}`));
    return lazy({ open: isOpen, class: "period", "data-keep": `journal-${journal}` }, summary, () => appLanes(some, span, at, find));
  });
  return [
    h("div", { class: "bar" }, field("time", "find", "Find", "search", query), journalField("time", query),
      h("span", { class: "faint" }, `${number(shown.length)} of ${number(lanes.length)} guests`)),
    scrubber("time", query),
    h("div", { class: "split" }, h("div", { class: "wide" },
      h("p", { class: "faint" }, "A thick line is a running guest; a dotted line is a suspended guest. ✗ blocked, ◆ encrypted and | allowed requests, ↗ those by which managed data left the protection of policies; ⇄ acts for another account, ✖ wiped, ■ ended, • signed in or out, or got another policy. Each step to the right is an event."),
      sections.length ? sections : h("p", {}, "No guest has that name."),
      h("h2", {}, "Latest events"), h("ul", { class: "plain" }, nearby(shown, at, query))), panel),
  ];
}

// Returns the moments of a journal, and the function from a moment to its horizontal place.
function spanOf(journal, width) {
  const start = D.starts[journal], end = (D.starts[journal + 1] ?? D.moments + 1) - 1;
  return { journal, start, end, width, x: (moment) => 4 + ((width - 12) * (moment - start)) / Math.max(1, end - start) };
}

function period({ start, end }) {
  const [from, to] = [clock(start), clock(end)];
  return from === to ? from : `${from} to ${to}`;
}

// Returns the lanes of a section by app.
function appLanes(lanes, span, at, find) {
  const requests = requestsOf(span);
  const apps = [...Map.groupBy(lanes, (lane) => lane.app || lane.guest)];
  const rows = apps.slice(0, MOST_LANES).map(([app, some]) => {
    if (some.length === 1) return guestLane(some[0], span, at, requests);
    const name = named(some[0].guest.replace(/[-#]\d+$/, ""));
    const sent = requests.get(app) ?? [];
    const summary = h("summary", { class: "lane", "data-lane": app }, laneLabel(name, `${name}, ${some.length} guests of ${app}`, `× ${number(some.length)}`), crowdStrip(some, span, at, sent));
    return lazy({ open: find !== "" && some.length <= 20, "data-keep": `lanes-${span.journal}-${app}` }, summary, () => [
      ...some.slice(0, MOST_GUESTS).map((lane) => guestLane(lane, span, at, requests)),
      some.length > MOST_GUESTS ? h("p", { class: "faint" }, `${number(some.length - MOST_GUESTS)} more guests; Find shows them by name.`) : null]);
  });
  return [...rows, apps.length > MOST_LANES ? h("p", { class: "faint" }, `${number(apps.length - MOST_LANES)} more apps; Find shows them by name.`) : null];
}

// Returns the requests of a journal by sending guest; those of extensions by bundle id, because each run is a guest.
function requestsOf({ start, end }) {
  const found = new Map();
  for (let row = rowAt(start); row < R.count && R.moment[row] <= end; row++) {
    const at = R.sender[row] >= 0 ? R.sender[row] : R.receiver[row];
    if (at < 0) continue;
    const guest = D.nodes[at].text.split(" · ")[0], bundle = bundleOf(at);
    push(found, guest, row);
    if (bundle !== guest) push(found, bundle, row);
  }
  return found;
}

function laneLabel(name, title, rest = "") {
  return h("span", { class: "label", title }, s("svg", { width: 20, height: LANE_HEIGHT, "aria-hidden": "true" }, glyph(name, 9, LANE_HEIGHT / 2)), short(name, 22), rest ? h("span", { class: "faint" }, ` ${rest}`) : null);
}

function strip(span, label, parts, at) {
  const now = at >= span.start && at < span.end ? s("line", { class: "now", x1: span.x(at), x2: span.x(at), y1: 0, y2: LANE_HEIGHT }) : null;
  return s("svg", { width: span.width, height: LANE_HEIGHT, role: "img", "aria-label": label }, parts, now);
}

function guestLane(lane, span, at, requests) {
  const parts = [];
  let from = null, kind = "lane";
  const line = (moment) => {
    if (from !== null) parts.push(s("line", { class: kind, x1: span.x(from), x2: Math.max(span.x(moment), span.x(from) + 2), y1: LANE_HEIGHT / 2, y2: LANE_HEIGHT / 2 }));
  };
  for (const [word, moment] of lane.marks) {
    if (word === "started" || word === "resumed") { line(moment); from = moment; kind = "lane"; }
    else if (word === "suspended") { line(moment); from = moment; kind = "lane asleep"; }
    else if (word === "exited") { line(moment); from = null; }
  }
  line(span.end);
  const events = lane.marks.filter(([word]) => word !== "started" && word !== "resumed")
    .map(([word, moment, text]) => ({ moment, sign: MARK_SIGNS[word], class: word === "wiped" ? "failed" : "faint", text, rank: word === "wiped" ? 3 : 1 }));
  const rows = requests.get(lane.guest) ?? [];
  parts.push(marks([...events, ...rows.map(tick)], span));
  const label = `${lane.guest}: ${lane.marks.map(([, , text]) => text).slice(0, 20).join(", ")}; ${rows.length} requests`;
  return h("div", { class: "lane", "data-lane": lane.guest }, laneLabel(named(lane.guest), `${lane.guest} (${lane.app})`), strip(span, label, parts, at));
}

// Returns the number of running guests over time as an area, with the requests that they sent.
function crowdStrip(lanes, span, at, rows) {
  const steps = lanes.flatMap((lane) => lane.marks).flatMap(([word, moment]) => (word === "started" ? [[moment, 1]] : word === "exited" ? [[moment, -1]] : []))
    .sort((a, b) => a[0] - b[0]);
  let count = 0, most = 0, place = -1;
  const points = [[span.x(span.start), 0]];
  for (const [moment, step] of steps) {
    count += step;
    most = Math.max(most, count);
    const x = Math.round(span.x(moment));
    if (x === place) points[points.length - 1][1] = count; else points.push([x, count]);
    place = x;
  }
  points.push([span.x(span.end), count]);
  const y = (value) => LANE_HEIGHT - (value / Math.max(1, most)) * (LANE_HEIGHT - 4);
  let path = `M${points[0][0]} ${LANE_HEIGHT}`;
  points.forEach(([x, value], index) => { path += ` L${x} ${y(index ? points[index - 1][1] : 0)} L${x} ${y(value)}`; });
  const wiped = lanes.flatMap((lane) => lane.marks).filter(([word]) => word === "wiped")
    .map(([, moment, text]) => ({ moment, sign: MARK_SIGNS.wiped, class: "failed", text, rank: 3 }));
  const label = `up to ${number(most)} guests at once, ${number(rows.length)} requests`;
  return strip(span, label, [s("path", { class: "crowd", d: `${path} L${span.x(span.end)} ${LANE_HEIGHT} z` }, s("title", {}, label)),
    marks([...wiped, ...rows.map(tick)], span)], at);
}

const tick = (row) => {
  const kind = kindOf(row);
  return { moment: R.moment[row], sign: kind ? SIGNS[kind] : "|", class: KINDS[kind], text: `request ${nameOf(row)}, ${operationOf(row)}, ${ends(row)}: ${KIND_WORDS[kind]}`, rank: kind ? kind + 1 : 0, row };
};

// Returns marks at their places. Of marks that would cover each other, the most important is drawn, and its title
// counts the others.
function marks(all, span) {
  const bins = new Map();
  for (const one of all) {
    const place = Math.floor(span.x(one.moment) / MARK);
    const found = bins.get(place);
    bins.set(place, { one: !found || one.rank > found.one.rank ? one : found.one, count: (found?.count ?? 0) + 1 });
  }
  return [...bins.values()].map(({ one, count }) => {
    const open = one.row === undefined ? {} : { class: `${one.class} tick`, onclick: (event) => { event.preventDefault(); go("time", { request: nameOf(one.row) }); } };
    return s("text", { x: span.x(one.moment), y: LANE_HEIGHT / 2 + 4, "text-anchor": "middle", class: one.class, ...open },
      s("title", {}, count > 1 ? `${one.text}, and ${number(count - 1)} more` : one.text), one.sign);
  });
}

// Returns the latest events before a moment, newest first.
function nearby(lanes, at, query) {
  const events = [];
  for (const lane of lanes) {
    for (const [, moment, text] of lane.marks) if (moment <= at) events.push([moment, `${lane.guest}: ${text}`]);
  }
  for (let row = rowAt(at + 1) - 1, left = 15; row >= 0 && left > 0; row--) {
    if (!isOf(row, query)) continue;
    left -= 1;
    events.push([R.moment[row], [h("a", { href: hash("time", { request: nameOf(row) }), "data-request": nameOf(row) }, `request ${nameOf(row)}`),
      ` ${operationOf(row)}, ${ends(row)} `, verdictMark(row)]]);
  }
  return events.sort((a, b) => b[0] - a[0]).slice(0, 15).map(([, content]) => h("li", {}, content));
}
