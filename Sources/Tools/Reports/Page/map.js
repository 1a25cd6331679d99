// The flow map: apps by identity and places outside all apps, with the requests between them.

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
        key, group, column: member.column, device: member.device, isMember, indices: [],
        text: isMember ? node(index) : `${named(groups.names[group])} × ${groups.size[group]}`,
      }) - 1;
      places.set(key, found);
    }
    shown[found].indices.push(index);
    of[index] = found;
  });
  return { shown, of };
}

// Returns the flows between boxes by kind, each with the number of its requests by operation.
//
// - failed: the rows of steps that did not meet their expectations.
function counts(rows, of, query, failed) {
  const edges = new Map();
  const hidden = new Set((query.get("hide") ?? "").split(","));
  eachFlow(query, rows, (from, to, verdict, operation, kind, count, row) => {
    if (hidden.has(KINDS[kind]) || hidden.has(D.operations[operation])) return;
    const key = `${of[from]}-${of[to]}-${kind}`;
    const edge = edges.get(key) ?? { count: 0, operations: new Map(), isFailed: false };
    edges.set(key, edge);
    edge.count += count;
    edge.operations.set(operation, (edge.operations.get(operation) ?? 0) + count);
    edge.isFailed ||= failed.has(row);
  });
  return edges;
}

function short(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

// Returns the flow map of an address as a picture, with what it shows. Boxes without flows are left out if `isShort`.
//
// - space: the height in pixels that the boxes may use.
async function drawMap(query, space, isShort = false) {
  const { shown, of } = visibleNodes(query);
  const rows = query.has("trail") && requestOf(query) !== undefined ? trail(requestOf(query)) : null;
  const edges = counts(rows, of, query, await failedRows());
  const find = (query.get("find") ?? "").toLowerCase();
  const alone = query.get("alone");
  const touched = new Set();
  const all = [...edges].map(([key, edge]) => {
    const [from, to, kind] = key.split("-").map(Number);
    return { ...edge, key, from: shown[from], to: shown[to], kind };
  }).filter((edge) => !alone || edge.from.key === alone || edge.to.key === alone);
  const drawn = busiest(all, isShort ? MOST_SHORT : MOST_DRAWN);
  const way = await wayOf(query, shown);
  for (const edge of [...drawn, ...way.edges]) { touched.add(edge.from); touched.add(edge.to); }
  const isTouched = isShort || alone || rows || query.has("busy") || query.has("journal");
  const visible = isTouched ? shown.filter((one) => touched.has(one)) : shown;
  const chosen = query.get("edge");
  const flows = [...way.edges, ...drawn];
  const map = arrange(visible, flows, chosen || query.has("request") || query.has("leak"), space, isShort ? 100 : Infinity);
  route(flows, map);
  placeLabels(way.edges, map, (hop) => [String(hop.number)], true);
  if (drawn.length <= MOST_COUNTED) placeLabels(drawn, map, labelsOf, false);
  const selected = selectionOf(query, drawn, shown, of);
  const svg = s("svg", {
    ...(isShort ? { width: map.width, height: map.height, class: "map" } : { ...zoom.size(map), ...zoom.gestures() }),
    viewBox: `0 0 ${map.width} ${map.height}`, role: "group",
    "aria-label": `${visible.length} apps and places, ${drawn.length} flows between them`,
  },
    heads([...KINDS, "way"]),
    map.columns.map(({ column, x }) => s("text", { x, y: 15, class: "faint" }, COLUMNS[column])),
    map.frames.map(drawFrame),
    drawn.map((edge) => drawEdge(edge, chosen, find, rows, selected)),
    way.edges.map(drawHop),
    visible.map((one) => drawNode(one, find, one.isAbsent ? null : () => openNode(one, query), selected && ![...selected].some(({ from, to }) => from === one || to === one))));
  const isEmpty = !flows.length;
  const picture = isEmpty ? h("p", {}, "No request moved data between two apps, or between an app and a place.") : [
    drawn.length < all.length ? h("p", { class: "faint" }, `The map shows ${number(drawn.length)} of ${number(all.length)} flows: those by which managed data left the protection of policies first, then the busiest. ${isShort ? "Flow map has the others." : "The table below has the others."}`) : null,
    isShort ? svg : zoom.framed(svg), legend(drawn, visible)];
  return { picture, shown, of, visible, all, way, chosen, find, isEmpty };
}

// Returns the arrowheads of a map, by the class of their arrows.
const heads = (words) => s("defs", {}, words.map((word) => s("marker", { id: `head-${word}`, class: word, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
  s("path", { d: "M0 0 L8 4 L0 8 z" }))));

async function showMap(query) {
  const { picture, shown, of, visible, all, way, chosen, find, isEmpty } = await drawMap(query, innerHeight - 275);
  const panel = await aside(query);
  panel.append(...way.detail);
  if (chosen && !query.has("request")) panel.append(await edgeDetail(chosen, shown, of, query));
  const bar = controls(query);
  if (!isEmpty) bar.append(zoom.buttons());
  return [
    bar,
    L ? null : scrubber("map", query),
    h("div", { class: "split" }, h("div", { class: "wide" }, picture,
      find && !visible.some((one) => matches(one, find)) ? h("p", {}, "No app or place has that name.") : null,
      edgeTable(all)), panel),
  ];
}

// The maximum number of flows on the map, which a browser can draw ten times a second, and on the map of the first view,
// on which a reader can follow each arrow.
const MOST_DRAWN = 300, MOST_SHORT = 48;

// The number of flows up to which each shows its count.
const MOST_COUNTED = 120;

// Returns the texts of an arrow's label: the number of requests with their operations, and only the number.
function labelsOf(edge) {
  const start = `${edge.isFailed ? "! " : ""}${SIGNS[edge.kind]}${number(edge.count)}`;
  const names = operationsOf(edge);
  return [names.length < 3 ? `${start} ${names.join(", ")}` : null, `${start} ${names[0]}${names.length > 1 ? " …" : ""}`, start].filter(Boolean);
}

// Returns the names of an arrow's operations, the most frequent one first.
const operationsOf = ({ operations }) => [...operations].sort((a, b) => b[1] - a[1]).map(([operation]) => wordsOf(D.operations[operation]));

// Returns the selected arrows: the one in the address, or that of the request in the address. Null if all are alike.
function selectionOf(query, drawn, shown, of) {
  const row = requestOf(query);
  const isSelected = query.has("edge") && !query.has("request") ? (edge) => nameOfEdge(edge) === query.get("edge")
    : row !== undefined && !query.has("trail") ? (edge) => edge.from === shown[of[R.sender[row]]] && edge.to === shown[of[R.receiver[row]]] && edge.kind === kindOf(row)
      : null;
  const found = isSelected ? drawn.filter(isSelected) : [];
  return found.length ? new Set(found) : null;
}

const nameOfEdge = (edge) => `${edge.from.key}~${edge.to.key}~${edge.kind}`;

// Returns a device's frame with its name.
const drawFrame = ({ device, x, y, width, height }) => s("g", { class: "frame", "data-frame": device },
  s("rect", { x, y, width, height, rx: 6 }), s("text", { x: x + 8, y: y + 15 }, device));

// Returns the meaning of the signs, lines, numbers and borders that the map has.
function legend(drawn, boxes) {
  const lines = ["solid green", "dotted yellow", "dashed grey", "solid red"];
  const words = ["allowed, and the data stayed protected or was not managed", "arrived encrypted", "blocked", "managed data left the protection of policies"];
  const borders = [[0, "Managed apps have a thick border"], [1, "unmanaged apps a dashed one"]].filter(([column]) => boxes.some((one) => one.column === column)).map(([, text]) => text).join(", ");
  return h("p", { class: "faint" }, KINDS.map((kind, index) => (drawn.some((edge) => edge.kind === index)
    ? [h("span", { class: kind }, `${SIGNS[index]} ${words[index]}`), `: ${lines[index]} arrow. `] : null)),
    drawn.some((edge) => edge.isFailed) ? [h("strong", { class: "failed" }, "! not as expected"), ": thick red arrow. "] : null,
    "Numbers count requests. ", borders ? `${borders.replace(/^u/, "U")}.` : null, boxes.some((one) => one.device) ? " Frames are devices." : null);
}

// The enlargement of the map and its visible part, which stay while the map is drawn again. The enlarged map scrolls in
// its frame, so the browser paints only what comes into view.
const zoom = {
  scale: 1, left: 0, top: 0,
  size(map) { return { width: map.width * this.scale, height: map.height * this.scale, class: this.scale > 1 ? "map enlarged" : "map" }; },
  framed(svg) { return h("div", { class: "map-frame", onscroll: (event) => { this.left = event.currentTarget.scrollLeft; this.top = event.currentTarget.scrollTop; } }, svg); },
  // Shows the map `factor` times as large, with the point at `x` and `y` of the frame where it was.
  by(factor, frame = document.querySelector(".map-frame"), x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
    const svg = frame.firstElementChild, map = svg.viewBox.baseVal;
    const scale = clamp(this.scale * factor, 1, 12), real = scale / this.scale;
    const [left, top] = [(frame.scrollLeft + x) * real - x, (frame.scrollTop + y) * real - y];
    this.scale = scale;
    for (const [name, value] of Object.entries(this.size(map))) svg.setAttribute(name, value);
    frame.scrollTo(left, top);
  },
  fit() { this.by(1 / this.scale); },
  // Shows the same part in a new frame.
  restore() { document.querySelector(".map-frame")?.scrollTo(this.left, this.top); },
  buttons() {
    const button = (text, label, act) => h("button", { type: "button", "aria-label": label, "data-keep": `zoom-${text}`, onclick: act }, text);
    return h("span", { class: "zoom" },
      button("+", "Zoom in", () => this.by(1.5)),
      button("−", "Zoom out", () => this.by(1 / 1.5)),
      button("Fit", "Show the whole map", () => this.fit()));
  },
  // Ctrl and the wheel zoom; dragging moves the map.
  gestures() {
    let from = null;
    return {
      onwheel: (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const frame = event.currentTarget.parentElement, place = frame.getBoundingClientRect();
        this.by(event.deltaY < 0 ? 1.2 : 1 / 1.2, frame, event.clientX - place.x, event.clientY - place.y);
      },
      onpointerdown: (event) => { if (this.scale > 1 && event.pointerType === "mouse") from = [event.clientX, event.clientY]; },
      onpointermove: (event) => {
        if (!from || !event.buttons) return;
        event.currentTarget.parentElement.scrollBy(from[0] - event.clientX, from[1] - event.clientY);
        from = [event.clientX, event.clientY];
      },
      onpointerup: () => { from = null; },
    };
  },
};

// Returns the flows to draw: those by which managed data left the protection of policies, then the busiest.
function busiest(flows, most) {
  if (flows.length <= most) return flows;
  const isEscape = ({ kind }) => kind === LEFT;
  const kept = new Set(flows.toSorted((a, b) => isEscape(b) - isEscape(a) || b.count - a.count).slice(0, most));
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
    h("span", {}, "Show ", KINDS.map((word, kind) => h("label", { class: word }, h("input", {
      type: "checkbox", checked: !hidden.has(word), "data-keep": word, onchange: () => toggle(word),
    }), `${SIGNS[kind]} ${KIND_WORDS[kind]} `))),
    h("label", {}, h("input", { type: "checkbox", "data-keep": "busy", checked: query.has("busy"),
      onchange: (event) => go("map", { busy: event.target.checked ? 1 : null }) }), "hide apps without flows"),
    query.has("alone") || query.has("trail") || query.has("open") || query.has("leak")
      ? h("button", { type: "button", onclick: () => go("map", { alone: null, trail: null, request: null, open: null, leak: null }) }, "Show all")
      : null);
}

// Returns whether the name of a box, or of a node that it represents, contains the text.
function matches(one, find) {
  return !find || [one.text, ...one.indices.map(node), ...one.indices.map(bundleOf)].some((text) => text.toLowerCase().includes(find));
}

// Shows only the flows of a box, or the members of a group.
function openNode(one, query) {
  if (one.isMember) return go("map", { alone: query.get("alone") === one.key ? null : one.key, edge: null, request: null });
  const open = (query.get("open") ?? "").split(",").filter(Boolean);
  go("map", { open: [...open, one.group].join(",") });
}

// - act: the action of a click; null for none.
// - isAside: whether other boxes are selected.
function drawNode(one, find, act, isAside = false) {
  const kind = SIDES[one.column];
  const isFound = matches(one, find);
  const [name, account] = one.isMember ? one.text.split(" · ") : [one.text];
  const isTwoLines = account && one.tall >= 38;
  const room = Math.floor((one.wide - (one.column === 2 ? 20 : 44)) / 7);
  return sketch("node", one.key, `${one.text} ${one.x} ${one.y} ${one.wide} ${one.tall} ${isFound} ${isAside}`, () =>
    s("g", { class: `node ${kind}${isFound ? "" : " dim"}${isAside ? " aside" : ""}${one.isAbsent ? " absent" : ""}`, "data-node": one.key, ...(act ? pressable(`${one.text}, ${kind}`, act) : { role: "img", "aria-label": `${one.text}, ${kind}` }) },
      s("title", {}, one.column === 2 || !one.indices.length ? one.text : `${one.text} (${bundleOf(one.indices[0])})`),
      s("rect", { x: one.x, y: one.y, width: one.wide, height: one.tall, rx: 4 }),
      one.column === 2 ? null : glyph(name, one.x + 17, one.y + one.tall / 2),
      s("text", { class: "name", x: one.x + (one.column === 2 ? 10 : 33), y: one.y + one.tall / 2 + (isTwoLines ? -3 : 4) }, short(isTwoLines ? name : one.text, room)),
      isTwoLines ? s("text", { class: "account faint", x: one.x + 33, y: one.y + one.tall / 2 + 13 }, short(account, room)) : null));
}

// Returns an app's initial in a disc of its colour.
const glyph = (name, x, y) => [
  s("circle", { class: "glyph", cx: x, cy: y, r: 9, fill: `hsl(${hue(name)} 60% 30%)` }),
  s("text", { class: "glyph", x, y: y + 4, "text-anchor": "middle" }, initial(name))];

// Returns the first letter or digit of a name, or of the last part of a bundle id.
const initial = (name) => (/[\p{L}\p{N}]/u.exec(lastPart(name))?.[0] ?? "?").toUpperCase();

// Returns the last part of a bundle id, such as `mail` of com.contoso.mail; any other name as it is.
const lastPart = (name) => (/^[\w-]+(\.[\w-]+)+( × \d+)?$/.test(name) ? name.split(".").at(-1) : name);

// Returns the hue of an app. Instances of one app, such as mail-1 and mail-2, have the same.
function hue(name) {
  let sum = 0;
  for (const character of lastPart(name).replace(/( × |-)?\d+$/, "").toLowerCase()) sum = (sum * 31 + character.codePointAt(0)) % 360;
  return sum;
}

function drawEdge(edge, chosen, find, rows, selected) {
  const path = pathOf(edge.points);
  const words = `${edge.count} ${KIND_WORDS[edge.kind]}${edge.isFailed ? ", not as expected" : ""}, ${edge.from.text} to ${edge.to.text}: ${operationsOf(edge).join(", ")}`;
  const isFound = matches(edge.from, find) || matches(edge.to, find);
  const name = nameOfEdge(edge);
  const classes = [KINDS[edge.kind], chosen === name && "chosen", edge.isFailed && "failed", !isFound && "dim", selected && !selected.has(edge) && "aside", rows && "trail"].filter(Boolean).join(" ");
  return sketch("edge", name, [words, path, classes, edge.label?.text, edge.label?.x, edge.label?.y].join(), () => s("g", {
    class: `edge ${classes}`, "data-edge": name, ...pressable(words, () => go("map", { edge: name, request: null })),
  },
    s("title", {}, words),
    s("path", { class: "hit", d: path }),
    s("path", { class: "seen", d: path, "stroke-width": Math.min(4, 1.4 + Math.log2(edge.count) / 3), "marker-end": `url(#head-${KINDS[edge.kind]})` }),
    labelOf(edge)));
}

// Returns the text on an arrow; nothing if it has no place.
function labelOf({ label }) {
  if (!label) return [];
  const { text, x, y, wide } = label;
  return [s("rect", { class: "plate", x: x - wide / 2, y: y - LABEL_HEIGHT / 2, width: wide, height: LABEL_HEIGHT, rx: 3 }),
    s("text", { x, y: y + 4, "text-anchor": "middle" }, text)];
}

// Returns the name of a box, followed by its column unless it is outside all apps.
const sided = (one) => (one.column === 2 ? one.text : `${one.text} (${SIDES[one.column]})`);

// Returns the map as a table, for screen readers and for paper.
function edgeTable(drawn) {
  const summary = h("summary", {}, drawn.length === 1 ? "The flow as a table" : `The ${drawn.length} flows as a table`);
  const most = () => drawn.toSorted((a, b) => b.count - a.count || a.from.text.localeCompare(b.from.text)).slice(0, 500);
  return lazy({}, summary, () => [
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "From"), h("th", {}, "To"), h("th", {}, "Operations"), h("th", {}, "Outcome"), h("th", { class: "number" }, "Requests"))),
      h("tbody", {}, most().map((edge) => h("tr", {}, h("td", {}, sided(edge.from)), h("td", {}, sided(edge.to)),
        h("td", {}, operationsOf(edge).join(", ")),
        h("td", { class: KINDS[edge.kind] }, `${SIGNS[edge.kind]} ${KIND_WORDS[edge.kind]}${edge.isFailed ? ", not as expected" : ""}`),
        h("td", { class: "number" }, h("a", { href: hash("map", { edge: nameOfEdge(edge), request: null }) }, edge.count)))))),
    drawn.length > 500 ? h("p", { class: "faint" }, `${drawn.length - 500} more have fewer requests.`) : null]);
}

// Returns the rules that decided the requests of an edge, each with its requests.
async function edgeDetail(name, shown, of, query) {
  const [from, to, kind] = name.split("~");
  const verdicts = await block("verdicts");
  const source = shown.find((one) => one.key === from), target = shown.find((one) => one.key === to);
  if (!source || !target) return h("p", {}, "These two are not on the map as it is.");
  const byVerdict = new Map();
  eachFlow(query, null, (from, to, index, operation, flowKind, count, row) => {
    if (flowKind !== Number(kind) || shown[of[from]] !== source || shown[of[to]] !== target) return;
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
    h("p", { class: KINDS[kind] }, Number(kind) === LEFT ? `${SIGNS[LEFT]} Managed data left the protection of policies.` : `${SIGNS[kind]} ${OUTCOMES[kind]}`),
    all.length ? null : h("p", {}, "No request between these two ended so."),
    all.slice(0, 20).map(({ index, count, rows }) => {
      const verdict = verdicts[index];
      const reason = verdict.reasons.find((one) => one.rule === verdict.decidedBy) ?? verdict.reasons[0];
      return h("section", {}, h("h3", {}, `${number(count)} × ${verdict.decidedBy} (${standing(verdict)})`),
        h("p", {}, reason?.text ?? ""),
        reason?.setting ? h("p", {}, `${reason.label ?? reason.setting}: ${reason.value ?? ""} `, reason.source ? place(reason.source) : null) : null,
        h("p", {}, rows.slice(0, 40).map((row) => [h("a", { href: hash("map", { request: nameOf(row) }) }, nameOf(row)), " "]),
          count > Math.min(40, rows.length) ? `and ${number(count - Math.min(40, rows.length))} more` : null));
    }));
}
