// The flow map: apps by identity and places outside all apps, in three columns, with the requests between
// them.
const ROW = 34, BOX = 220, GAP = 150, TOP = 26;
const COLUMNS = ["Managed", "Unmanaged", "Outside of all apps"];

// Returns the visible boxes, each with the group that it represents. An opened group shows its members.
function visibleNodes(query) {
  const by = query.get("by") ?? D.grouping;
  const groups = Object.hasOwn(D.groups, by) ? D.groups[by] : null;
  const open = new Set((query.get("open") ?? "").split(",").filter(Boolean).map(Number));
  const shown = [], of = new Int32Array(D.nodes.length), places = new Map();
  D.order.forEach((index) => {
    const group = groups ? groups.of[index] : -1;
    const isMember = group < 0 || open.has(group) || groups.size[group] === 1;
    const key = isMember ? `n${index}` : `g${group}`;
    let found = places.get(key);
    if (found === undefined) {
      const member = D.nodes[index];
      found = shown.push({
        key, group, column: member.column, isMember, indices: [],
        text: isMember ? member.text : `${groups.names[group]} × ${groups.size[group]}`,
      }) - 1;
      places.set(key, found);
    }
    shown[found].indices.push(index);
    of[index] = found;
  });
  return { shown, of };
}

function counts(rows, of, query) {
  const edges = new Map();
  const hidden = new Set((query.get("hide") ?? "").split(","));
  eachFlow(query, rows, (from, to, verdict, operation, count) => {
    const kind = D.outcomes[verdict];
    if (hidden.has(OUTCOMES[kind]) || hidden.has(D.operations[operation])) return;
    const key = `${of[from]}-${of[to]}-${kind}`;
    edges.set(key, (edges.get(key) ?? 0) + count);
  });
  return edges;
}

function arrange(shown) {
  const heights = [0, 0, 0];
  for (const one of shown) {
    one.x = 10 + one.column * (BOX + GAP);
    one.y = TOP + heights[one.column]++ * ROW;
  }
  return TOP + Math.max(...heights, 1) * ROW + 10;
}

// Back arrows run lower and further out than forward arrows.
const isBack = (from, to) => (from.column === to.column ? from.y > to.y : from.column > to.column);

// Returns the four points of an arrow's curve.
function curve(from, to, kind) {
  const shift = 3 + kind * 3 + (isBack(from, to) ? 12 : 0);
  const y1 = from.y + shift, y2 = to.y + shift, out = from.x + BOX;
  if (from === to) return [[out, y1], [out + 40, y1 - 14], [out + 40, y1 + 26], [out, y1 + 12]];
  if (from.column === to.column) {
    const far = out + Math.min(20 + Math.abs(y2 - y1) / 4, GAP - 60) + (isBack(from, to) ? 26 : 0);
    return [[out, y1], [far, y1], [far, y2], [out, y2]];
  }
  const [start, end] = from.column < to.column ? [out, to.x] : [from.x, to.x + BOX];
  const middle = (start + end) / 2;
  return [[start, y1], [middle, y1], [middle, y2], [end, y2]];
}

const pathOf = ([a, b, c, d]) => `M${a} C${b} ${c} ${d}`;

// Returns the point at fraction `part` of a curve.
function pointAt([a, b, c, d], part) {
  const rest = 1 - part;
  return [0, 1].map((axis) => rest ** 3 * a[axis] + 3 * rest ** 2 * part * b[axis] + 3 * rest * part ** 2 * c[axis] + part ** 3 * d[axis]);
}

const PARTS = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.12, 0.88];

// Places the counts on their curves, avoiding boxes and other counts where possible.
function placeLabels(drawn) {
  const taken = [];
  const isOnBox = ([x]) => COLUMNS.some((_, column) => Math.abs(x - (10 + column * (BOX + GAP) + BOX / 2)) < BOX / 2 + 8);
  const isFree = ([x, y]) => taken.every(([otherX, otherY]) => Math.abs(x - otherX) > 34 || Math.abs(y - otherY) > 12);
  for (const edge of drawn) {
    // Labels are beside curves within a column, and on other curves.
    const aside = edge.from.column === edge.to.column ? 18 : 0;
    const places = PARTS.map((part) => pointAt(edge.curve, part)).filter((place) => !isOnBox(place)).map(([x, y]) => [x + aside, y]);
    edge.label = places.find(isFree) ?? places[0] ?? pointAt(edge.curve, 0.5);
    taken.push(edge.label);
  }
}

function short(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

async function showMap(query) {
  const { shown, of } = visibleNodes(query);
  const rows = query.has("trail") && requestOf(query) !== undefined ? trail(requestOf(query)) : null;
  const edges = counts(rows, of, query);
  const find = (query.get("find") ?? "").toLowerCase();
  const alone = query.get("alone");
  const touched = new Set();
  const all = [...edges].map(([key, count]) => {
    const [from, to, kind] = key.split("-").map(Number);
    return { key, count, from: shown[from], to: shown[to], kind };
  }).filter((edge) => !alone || edge.from.key === alone || edge.to.key === alone);
  const drawn = L ? busiest(all) : all;
  const way = await wayOf(query, shown);
  for (const edge of [...drawn, ...way.edges]) { touched.add(edge.from); touched.add(edge.to); }
  const visible = alone || rows || query.has("busy") || query.has("journal") ? shown.filter((one) => touched.has(one)) : shown;
  const height = arrange(visible);
  const chosen = query.get("edge");
  for (const edge of [...drawn, ...way.edges]) edge.curve = curve(edge.from, edge.to, edge.kind);
  placeLabels([...way.edges, ...(drawn.length <= 60 ? drawn : [])]);
  const width = 3 * BOX + 2 * GAP + 20;
  const svg = s("svg", {
    width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": `${visible.length} apps and places, ${drawn.length} flows between them`,
  },
    s("defs", {}, [...OUTCOMES, "way"].map((word) => s("marker", { id: `head-${word}`, class: word, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
      s("path", { d: "M0 0 L8 4 L0 8 z" })))),
    COLUMNS.map((title, column) => s("text", { x: 10 + column * (BOX + GAP), y: 15, class: "faint" }, title)),
    drawn.map((edge) => drawEdge(edge, chosen, find, rows)),
    way.edges.map(drawHop),
    visible.map((one) => drawNode(one, find, query)));
  const panel = await aside(query);
  panel.append(...way.detail);
  if (chosen && !query.has("request")) panel.append(await edgeDetail(chosen, shown, of, query));
  return [
    controls(query),
    L ? null : scrubber("map", query),
    h("div", { class: "split" }, h("div", { class: "wide" },
      drawn.length < all.length ? h("p", { class: "faint" }, `The ${drawn.length} busiest of ${all.length} flows are drawn.`) : null,
      drawn.length || way.edges.length ? svg : h("p", {}, "No request has moved data between two apps, or an app and a place."),
      find && !visible.some((one) => matches(one, find)) ? h("p", {}, "Nothing has that name.") : null,
      edgeTable(all)), panel),
  ];
}

// The number of flows that a browser can draw ten times a second.
const MOST_DRAWN = 300;

function busiest(flows) {
  const kept = new Set(flows.toSorted((a, b) => b.count - a.count).slice(0, MOST_DRAWN));
  return flows.filter((flow) => kept.has(flow));
}

function controls(query) {
  const hidden = new Set((query.get("hide") ?? "").split(",").filter(Boolean));
  const toggle = (word) => {
    const next = new Set(hidden);
    if (!next.delete(word)) next.add(word);
    go("map", { hide: [...next].join(",") });
  };
  return h("div", { class: "bar" },
    field("map", "by", "Group by", [["", "what fits"], ["guest", "guest"], ["bundle", "bundle id"], ["policy", "policy"], ["team", "team"]], query),
    journalField("map", query),
    field("map", "find", "Find", "search", query),
    h("span", {}, "Show ", OUTCOMES.map((word, kind) => h("label", { class: word }, h("input", {
      type: "checkbox", checked: !hidden.has(word), "data-keep": word, onchange: () => toggle(word),
    }), `${SIGNS[kind]} ${word} `))),
    h("label", {}, h("input", { type: "checkbox", "data-keep": "busy", checked: query.has("busy"),
      onchange: (event) => go("map", { busy: event.target.checked ? 1 : null }) }), "hide who moves nothing"),
    query.has("alone") || query.has("trail") || query.has("open") || query.has("leak")
      ? h("button", { type: "button", onclick: () => go("map", { alone: null, trail: null, request: null, open: null, leak: null }) }, "Show all")
      : null);
}

// Returns whether the name of a box, or of a node that it represents, contains the text.
function matches(one, find) {
  return !find || [one.text, ...one.indices.map(node)].some((text) => text.toLowerCase().includes(find));
}

function drawNode(one, find, query) {
  const kind = ["managed", "unmanaged", "outside"][one.column];
  const isFound = matches(one, find);
  const act = () => {
    if (one.isAbsent) return;
    if (one.isMember) return go("map", { alone: query.get("alone") === one.key ? null : one.key, edge: null, request: null });
    const open = (query.get("open") ?? "").split(",").filter(Boolean);
    go("map", { open: [...open, one.group].join(",") });
  };
  return sketch("node", one.key, `${one.text} ${one.x} ${one.y} ${isFound}`, () =>
    s("g", { class: `node ${kind}${isFound ? "" : " dim"}${one.isAbsent ? " absent" : ""}`, "data-node": one.key, ...pressable(`${one.text}, ${kind}`, act) },
      s("title", {}, one.text),
      s("rect", { x: one.x, y: one.y, width: BOX, height: ROW - 10, rx: 3 }),
      s("text", { x: one.x + 8, y: one.y + 16 }, short(one.text, 29))));
}

function drawEdge(edge, chosen, find, rows) {
  const path = pathOf(edge.curve);
  const words = `${edge.count} ${OUTCOMES[edge.kind]}, ${edge.from.text} to ${edge.to.text}`;
  const isFound = matches(edge.from, find) || matches(edge.to, find);
  const name = `${edge.from.key}~${edge.to.key}~${edge.kind}`;
  const isTrail = rows !== null;
  return sketch("edge", name, [words, path, chosen === name, isFound, edge.label, isTrail].join(), () => {
    const group = s("g", {
      class: `edge ${OUTCOMES[edge.kind]}${chosen === name ? " chosen" : ""}${isFound ? "" : " dim"}${isTrail ? " trail" : ""}`,
      "data-edge": name, ...pressable(words, () => go("map", { edge: name, request: null })),
    },
      s("title", {}, words),
      s("path", { class: "hit", d: path }),
      s("path", { class: "seen", d: path, "stroke-width": Math.min(4, 1 + Math.log2(edge.count) / 3), "marker-end": `url(#head-${OUTCOMES[edge.kind]})` }));
    if (edge.label) {
      const [x, y] = edge.label;
      group.append(s("text", { x, y: y + 4, "text-anchor": "middle" }, `${SIGNS[edge.kind]}${number(edge.count)}`));
    }
    return group;
  });
}

// Returns the name of a box, followed by its column unless it is outside all apps.
const sided = (one) => (one.column === 2 ? one.text : `${one.text} (${COLUMNS[one.column].toLowerCase()})`);

// Returns the map as a table, for screen readers and for paper.
function edgeTable(drawn) {
  const summary = h("summary", {}, drawn.length === 1 ? "The flow as a table" : `The ${drawn.length} flows as a table`);
  const most = () => drawn.toSorted((a, b) => b.count - a.count || a.from.text.localeCompare(b.from.text)).slice(0, 500);
  return lazy({}, summary, () => [
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "From"), h("th", {}, "To"), h("th", {}, "Outcome"), h("th", { class: "number" }, "Requests"))),
      h("tbody", {}, most().map((edge) => h("tr", {}, h("td", {}, sided(edge.from)), h("td", {}, sided(edge.to)),
        h("td", { class: OUTCOMES[edge.kind] }, `${SIGNS[edge.kind]} ${OUTCOMES[edge.kind]}`),
        h("td", { class: "number" }, h("a", { href: hash("map", { edge: `${edge.from.key}~${edge.to.key}~${edge.kind}`, request: null }) }, edge.count)))))),
    drawn.length > 500 ? h("p", { class: "faint" }, `${drawn.length - 500} more have fewer requests.`) : null]);
}

// Returns the rules that decided the requests of an edge, each with its requests.
async function edgeDetail(name, shown, of, query) {
  const [from, to, kind] = name.split("~");
  const verdicts = await block("verdicts");
  const source = shown.find((one) => one.key === from), target = shown.find((one) => one.key === to);
  if (!source || !target) return h("p", {}, "These two are not on the map as it is.");
  const byVerdict = new Map();
  eachFlow(query, null, (from, to, index, operation, count, row) => {
    if (D.outcomes[index] !== Number(kind) || shown[of[from]] !== source || shown[of[to]] !== target) return;
    const some = byVerdict.get(index) ?? { index, count: 0, rows: [] };
    byVerdict.set(index, some);
    some.count += count;
    if (row !== undefined) some.rows.push(row);
  });
  // A live page has only the latest requests.
  if (L) R.verdict.forEach((index, row) => { if (shown[of[R.sender[row]]] === source && shown[of[R.receiver[row]]] === target) byVerdict.get(index)?.rows.unshift(row); });
  const all = [...byVerdict.values()].sort((a, b) => b.count - a.count);
  return h("section", { "aria-label": "A flow" },
    h("a", { class: "close", href: hash("map", { edge: null }) }, "Close"),
    h("h2", {}, `${source.text} → ${target.text}`),
    h("p", { class: OUTCOMES[kind] }, `${SIGNS[kind]} ${OUTCOMES[kind]}`),
    all.length ? null : h("p", {}, "No request between these two ended so."),
    all.slice(0, 20).map(({ index, count, rows }) => {
      const verdict = verdicts[index];
      const reason = verdict.reasons.find((one) => one.rule === verdict.decidedBy) ?? verdict.reasons[0];
      return h("section", {}, h("h3", {}, `${number(count)} × ${verdict.decidedBy}`),
        h("p", {}, reason?.text ?? ""),
        reason?.setting ? h("p", {}, `${reason.label ?? reason.setting}: ${reason.value ?? ""} `, reason.source ? place(reason.source) : null) : null,
        h("p", {}, rows.slice(0, 40).map((row) => [h("a", { href: hash("map", { request: nameOf(row) }) }, nameOf(row)), " "]),
          count > Math.min(40, rows.length) ? `and ${number(count - Math.min(40, rows.length))} more` : null));
    }));
}
