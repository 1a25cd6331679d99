// The flow map: three columns of apps by identity and of places outside, and the requests between them.
const ROW = 34, BOX = 220, GAP = 150, TOP = 26;
const COLUMNS = ["Managed", "Unmanaged", "Outside of all apps"];

// The nodes that are shown, each with the group that it stands for; a group that was opened shows its members.
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

// Whether the request is in the journal, or case, that is shown alone.
const isOf = (row, query) => !query.has("journal") || R.journal[row] === Number(query.get("journal"));

function counts(rows, of, query) {
  const edges = new Map();
  const hidden = new Set((query.get("hide") ?? "").split(","));
  const last = rowAt(momentOf(query) + 1);
  for (let row = 0; row < last; row++) {
    if (R.sender[row] < 0 || R.receiver[row] < 0 || (rows && !rows.has(row)) || !isOf(row, query)) continue;
    const kind = outcome(row);
    if (hidden.has(OUTCOMES[kind]) || hidden.has(D.operations[R.operation[row]])) continue;
    const key = `${of[R.sender[row]]}-${of[R.receiver[row]]}-${kind}`;
    edges.set(key, (edges.get(key) ?? 0) + 1);
  }
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

function curve(from, to, kind) {
  const y1 = from.y + 8 + kind * 5, y2 = to.y + 8 + kind * 5;
  if (from === to) return `M${from.x + BOX} ${y1} c40 -14 40 26 0 12`;
  if (from.column === to.column) {
    const out = from.x + BOX, far = out + Math.min(20 + Math.abs(y2 - y1) / 4, GAP - 30);
    return `M${out} ${y1} C${far} ${y1} ${far} ${y2} ${out} ${y2}`;
  }
  const [start, end] = from.column < to.column ? [from.x + BOX, to.x] : [from.x, to.x + BOX];
  const middle = (start + end) / 2;
  return `M${start} ${y1} C${middle} ${y1} ${middle} ${y2} ${end} ${y2}`;
}

// Where the number of an arrow stands: above its middle.
function middle(from, to, kind) {
  const y = (from.y + to.y) / 2 + 6 + kind * 5;
  if (from === to) return [from.x + BOX + 40, from.y + 6 + kind * 5];
  if (from.column === to.column) return [from.x + BOX + 24 + Math.abs(from.y - to.y) / 6, y + 6];
  return [(from.x + to.x + BOX) / 2, y - 2];
}

function short(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

async function showMap(query) {
  const { shown, of } = visibleNodes(query);
  const rows = query.has("trail") && R.number[query.get("request")] !== undefined ? trail(Number(query.get("request"))) : null;
  const edges = counts(rows, of, query);
  const find = (query.get("find") ?? "").toLowerCase();
  const alone = query.get("alone");
  const touched = new Set();
  const drawn = [...edges].map(([key, count]) => {
    const [from, to, kind] = key.split("-").map(Number);
    return { key, count, from: shown[from], to: shown[to], kind };
  }).filter((edge) => !alone || edge.from.key === alone || edge.to.key === alone);
  for (const edge of drawn) { touched.add(edge.from); touched.add(edge.to); }
  const visible = alone || rows || query.has("busy") || query.has("journal") ? shown.filter((one) => touched.has(one)) : shown;
  const height = arrange(visible);
  const chosen = query.get("edge");
  const labelled = drawn.length <= 60;
  const svg = s("svg", {
    width: 3 * BOX + 2 * GAP + 20, height, role: "group",
    "aria-label": `${visible.length} apps and places, ${drawn.length} flows between them`,
  },
    s("defs", {}, OUTCOMES.map((word) => s("marker", { id: `head-${word}`, class: word, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
      s("path", { d: "M0 0 L8 4 L0 8 z" })))),
    COLUMNS.map((title, column) => s("text", { x: 10 + column * (BOX + GAP), y: 15, class: "faint" }, title)),
    drawn.map((edge) => drawEdge(edge, chosen, labelled, find, rows)),
    visible.map((one) => drawNode(one, find, query)));
  const panel = await aside(query);
  if (chosen && !query.has("request")) panel.append(await edgeDetail(chosen, shown, of, query));
  return [
    controls(query),
    scrubber("map", query),
    h("div", { class: "split" }, h("div", { class: "wide" },
      drawn.length ? svg : h("p", {}, "No request moved data between two of these."), edgeTable(drawn)), panel),
  ];
}

function controls(query) {
  const hidden = new Set((query.get("hide") ?? "").split(",").filter(Boolean));
  const toggle = (word) => {
    const next = new Set(hidden);
    if (!next.delete(word)) next.add(word);
    go("map", { hide: [...next].join(",") });
  };
  return h("div", { class: "bar" },
    field("map", "by", "Group by", [["", "as it is"], ["guest", "nothing"], ["bundle", "bundle id"], ["policy", "policy"]], query),
    D.journals.length > 1 ? field("map", "journal", "Of", [["", "all"], ...D.journals.map((name, index) => [String(index), name])], query) : null,
    field("map", "find", "Find", "search", query),
    h("span", {}, "Show ", OUTCOMES.map((word, kind) => h("label", { class: word }, h("input", {
      type: "checkbox", checked: !hidden.has(word), "data-keep": word, onchange: () => toggle(word),
    }), `${SIGNS[kind]} ${word} `))),
    h("label", {}, h("input", { type: "checkbox", "data-keep": "busy", checked: query.has("busy"),
      onchange: (event) => go("map", { busy: event.target.checked ? 1 : null }) }), "only who takes part"),
    query.has("alone") || query.has("trail") || query.has("open")
      ? h("button", { type: "button", onclick: () => go("map", { alone: null, trail: null, request: null, open: null }) }, "Show all")
      : null);
}

function drawNode(one, find, query) {
  const kind = ["managed", "unmanaged", "outside"][one.column];
  const isFound = !find || one.text.toLowerCase().includes(find);
  const act = () => {
    if (one.isMember) return go("map", { alone: query.get("alone") === one.key ? null : one.key, edge: null, request: null });
    const open = (query.get("open") ?? "").split(",").filter(Boolean);
    go("map", { open: [...open, one.group].join(",") });
  };
  return s("g", { class: `node ${kind}${isFound ? "" : " dim"}`, "data-node": one.key, ...pressable(`${one.text}, ${kind}`, act) },
    s("title", {}, one.text),
    s("rect", { x: one.x, y: one.y, width: BOX, height: ROW - 10, rx: 3 }),
    s("text", { x: one.x + 8, y: one.y + 16 }, short(one.text, 29)));
}

function drawEdge(edge, chosen, labelled, find, rows) {
  const path = curve(edge.from, edge.to, edge.kind);
  const words = `${edge.count} ${OUTCOMES[edge.kind]}, ${edge.from.text} to ${edge.to.text}`;
  const isFound = !find || `${edge.from.text} ${edge.to.text}`.toLowerCase().includes(find);
  const name = `${edge.from.key}~${edge.to.key}~${edge.kind}`;
  const group = s("g", {
    class: `edge ${OUTCOMES[edge.kind]}${chosen === name ? " chosen" : ""}${isFound ? "" : " dim"}${rows ? " trail" : ""}`,
    "data-edge": name, ...pressable(words, () => go("map", { edge: name, request: null })),
  },
    s("title", {}, words),
    s("path", { class: "hit", d: path }),
    s("path", { class: "seen", d: path, "stroke-width": Math.min(4, 1 + Math.log2(edge.count) / 3), "marker-end": `url(#head-${OUTCOMES[edge.kind]})` }));
  if (labelled) {
    const [x, y] = middle(edge.from, edge.to, edge.kind);
    group.append(s("text", { x, y, "text-anchor": "middle" }, `${SIGNS[edge.kind]}${edge.count}`));
  }
  return group;
}

// The same as a table, for those who do not see the picture, and for paper.
function edgeTable(drawn) {
  const most = drawn.toSorted((a, b) => b.count - a.count || a.from.text.localeCompare(b.from.text)).slice(0, 500);
  return h("details", {}, h("summary", {}, `The ${drawn.length} flows as a table`),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "From"), h("th", {}, "To"), h("th", {}, "Outcome"), h("th", { class: "number" }, "Requests"))),
      h("tbody", {}, most.map((edge) => h("tr", {}, h("td", {}, edge.from.text), h("td", {}, edge.to.text),
        h("td", { class: OUTCOMES[edge.kind] }, `${SIGNS[edge.kind]} ${OUTCOMES[edge.kind]}`),
        h("td", { class: "number" }, h("a", { href: hash("map", { edge: `${edge.from.key}~${edge.to.key}~${edge.kind}`, request: null }) }, edge.count)))))),
    drawn.length > 500 ? h("p", { class: "faint" }, `${drawn.length - 500} more have fewer requests.`) : null);
}

// The rules that decided the requests of an edge, each with its requests.
async function edgeDetail(name, shown, of, query) {
  const [from, to, kind] = name.split("~");
  const verdicts = await block("verdicts");
  const source = shown.find((one) => one.key === from), target = shown.find((one) => one.key === to);
  if (!source || !target) return h("p", {}, "These two are not on the map as it is.");
  const last = rowAt(momentOf(query) + 1);
  const byVerdict = new Map();
  for (let row = 0; row < last; row++) {
    if (R.sender[row] < 0 || R.receiver[row] < 0 || outcome(row) !== Number(kind) || !isOf(row, query)) continue;
    if (shown[of[R.sender[row]]] === source && shown[of[R.receiver[row]]] === target) push(byVerdict, R.verdict[row], row);
  }
  const all = [...byVerdict].sort((a, b) => b[1].length - a[1].length);
  return h("section", { "aria-label": "A flow" },
    h("h2", {}, `${source.text} → ${target.text}`),
    h("p", { class: OUTCOMES[kind] }, `${SIGNS[kind]} ${OUTCOMES[kind]}`),
    all.length ? null : h("p", {}, "No request between these two ended so."),
    all.slice(0, 20).map(([index, rows]) => {
      const verdict = verdicts[index];
      const reason = verdict.reasons.find((one) => one.rule === verdict.decidedBy) ?? verdict.reasons[0];
      return h("section", {}, h("h3", {}, `${rows.length} × ${verdict.decidedBy}`),
        h("p", {}, reason?.text ?? ""),
        reason?.setting ? h("p", {}, `${reason.label ?? reason.setting}: ${reason.value ?? ""} `, reason.source ? place(reason.source) : null) : null,
        h("p", {}, rows.slice(0, 40).map((row) => [h("a", { href: hash("map", { request: row }) }, `${R.number[row]}`), " "]),
          rows.length > 40 ? `and ${rows.length - 40} more` : null));
    }));
}
