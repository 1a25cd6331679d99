// Leaks, each as a chain of boxes.
const BOX_WIDTH = 150, STRIDE = 230;

async function showLeaks(query) {
  const report = await block("leaks");
  const names = report.accounts ?? {};
  const find = (query.get("find") ?? "").toLowerCase(), owner = query.get("owner"), hop = query.get("hop");
  const owners = [...new Set(report.leaks.map((leak) => leak.owner))];
  const found = report.leaks.map((leak, index) => [leak, index]).filter(([leak]) =>
    (!owner || leak.owner === owner) && (!find || JSON.stringify(leak).toLowerCase().includes(find)));
  const map = leakMap(found.map(([leak]) => leak), hop, names);
  const shown = hop ? found.filter(([leak]) => hopsBetween(leak, names).includes(hop)) : found;
  const chosen = Number(query.get("leak") ?? -1);
  return [
    h("p", { class: "headline" }, leakHeadline(report, names)),
    report.notice ? h("p", {}, `Notice: ${report.notice}.`) : null,
    h("div", { class: "bar" },
      field("leaks", "owner", "Data of", [["", "all accounts"], ...owners.map((name) => [name, name])], query),
      field("leaks", "find", "Find", "search", query),
      h("span", { class: "faint" }, `${shown.length} of ${report.leaks.length} paths`),
      hop ? h("button", { type: "button", "data-keep": "hop", onclick: () => go("leaks", { hop: null }) }, "Show all paths") : null),
    map,
    report.query ? verdicts(report.query) : report.closing ? closing(report, names) : null,
    report.onward ? h("p", {}, `Data that has left can also reach these apps: ${report.onward.map((text) => placeOf(text, report, names)).join(", ")}.`) : null,
    report.waysOut ? waysOut(report.waysOut) : null,
    shown.length ? h("h2", {}, "Paths") : null,
    shown.slice(0, 500).map(([leak, index]) => {
      const summary = h("summary", { class: index === chosen ? "target" : null, "data-leak": index,
        onclick: () => replace({ leak: index === chosen ? null : index }) },
        `${index + 1}. ${stops(leak, names).map((stop) => stop.name).join(" → ")}`,
        h("span", { class: "faint" }, `${leak.device ? ` on a device where ${leak.device}` : ""}, ${leak.hops.length === 2 ? "1 hop" : `${leak.hops.length - 1} hops`}`));
      return lazy({ open: index === chosen || shown.length === 1 }, summary, () => [chain(leak, names), hops(leak),
        D.views.includes("map") ? h("p", {}, h("a", { href: hash("map", { leak: index }) }, "On the map")) : null]);
    }),
    shown.length > 500 ? h("p", { class: "faint" }, `${shown.length - 500} more; a search shows fewer.`) : null,
    h("h2", {}, "Extent of the search"),
    h("p", {}, `${report.search.states} states, ${report.search.moves} moves, paths of up to ${report.search.depth} ${report.search.depth === 1 ? "hop" : "hops"}, ${report.search.behaviour} apps. Searched: ${report.search.searched}.`),
    h("p", {}, `Not searched: ${report.search.notSearched}.`),
  ];
}

// Returns the answer of the search in words.
function leakHeadline({ leaks, query, closing }, names) {
  if (query) {
    const reached = query.verdicts.filter((one) => one.reached).map((one) => one.app);
    return reached.length ? `Org data can reach ${reached.join(", ")}.` : `Org data cannot reach ${query.verdicts.map((one) => one.app).join(", ")}.`;
  }
  if (!leaks.length) return "No leak was found: org data stays with managed accounts.";
  const places = new Set(leaks.map((leak) => sinkOf(leak, names))).size;
  const start = `Org data can reach ${places === 1 ? "1 unprotected place" : `${places} unprotected places`}.`;
  if (!closing) return start;
  const { changes, rest } = closing;
  if (!changes.length) return `${start} No setting stops that.`;
  const left = new Set(rest.map((one) => one.place)).size;
  return `${start} ${changes.length === 1 ? "1 change of a setting stops" : `${changes.length} changes of settings stop`} ${left ? `all but ${left} of these leaks` : "all of these leaks"}.`;
}

// The maximum number of arrows on the map of all leaks.
const MOST_LEAK_ARROWS = 150;

// Returns all leaks as a map: an arrow counts the paths that it is a part of.
function leakMap(leaks, chosen, names) {
  const boxes = new Map(), arrows = new Map();
  for (const leak of leaks) {
    const list = stops(leak, names), last = leak.hops.at(-1);
    list.forEach((stop, index) => {
      const column = index < list.length - 1 ? 0 : last.to || last.action === "retyped" ? 1 : 2;
      const box = boxes.get(stop.name) ?? { key: stop.name, text: stop.name, column, isMember: true, indices: [] };
      box.column = Math.max(box.column, column);
      boxes.set(stop.name, box);
    });
    for (const key of new Set(hopsBetween(leak, names))) arrows.set(key, (arrows.get(key) ?? 0) + 1);
  }
  if (!arrows.size) return null;
  const drawn = [...arrows].sort((a, b) => b[1] - a[1]).slice(0, MOST_LEAK_ARROWS).map(([key, count]) => {
    const [from, to] = key.split(" → ");
    return { key, count, kind: 0, from: boxes.get(from), to: boxes.get(to) };
  });
  const touched = new Set(drawn.flatMap(({ from, to }) => [from, to]));
  const visible = [...boxes.values()].filter((one) => touched.has(one));
  const map = arrange(visible, drawn, false, Math.max(240, innerHeight - 300), 60);
  route(drawn, map);
  placeLabels(drawn, map, (arrow) => [number(arrow.count)], false);
  return h("div", {},
    s("svg", { width: map.width, height: map.height, viewBox: `0 0 ${map.width} ${map.height}`, role: "group", class: "map", "aria-label": `${visible.length} apps and places, ${drawn.length} ways of data between them` },
      heads(["way"]),
      map.columns.map(({ column, x }) => s("text", { x, y: 15, class: "faint" }, COLUMNS[column])),
      drawn.map((arrow) => drawLeak(arrow, chosen)),
      visible.map((one) => drawNode(one, "", null))),
    h("p", { class: "faint" }, "Numbers count paths. Select an arrow to list its paths.",
      drawn.length < arrows.size ? ` The map shows ${drawn.length} of ${arrows.size} arrows: those of the most paths.` : null));
}

// Returns the arrows of a leak on the map of all leaks, each as `from → to`.
function hopsBetween(leak, names) {
  const list = stops(leak, names).map((stop) => stop.name.replaceAll(" → ", " "));
  return list.slice(1).map((name, index) => `${list[index]} → ${name}`);
}

function drawLeak(arrow, chosen) {
  const path = pathOf(arrow.points), words = `${arrow.count} ${arrow.count === 1 ? "path" : "paths"}, ${arrow.from.text} to ${arrow.to.text}`;
  return s("g", { class: `edge leak${chosen === arrow.key ? " chosen" : ""}`, "data-edge": arrow.key, ...pressable(words, () => go("leaks", { hop: chosen === arrow.key ? null : arrow.key })) },
    s("title", {}, words), s("path", { class: "hit", d: path }),
    s("path", { class: "seen", d: path, "stroke-width": Math.min(4, 1.4 + Math.log2(arrow.count) / 3), "marker-end": "url(#head-way)" }),
    labelOf(arrow));
}

function verdicts(query) {
  return h("section", {}, h("h2", {}, "Can data reach these apps?"),
    h("ul", { class: "plain" }, query.verdicts.map((one) => h("li", {}, `${one.app}: ${one.reached ? "REACHED" : "NOT REACHED"}`))),
    query.notFollowed.length ? h("p", {}, `Not searched: the further use of data by ${query.notFollowed.map((name) => D.channels[name] ?? name).join(", ")}.`) : null);
}

function closing(report, names) {
  const found = report.closing;
  return h("section", {}, h("h2", {}, found.changes.length ? "Changes that stop the leaks" : "No setting stops the leaks"),
    h("ul", { class: "plain" }, found.changes.map((change) => h("li", {}, rich(change)))),
    found.notOffered?.length ? h("p", {}, `Not in the admin centre: ${found.notOffered.join("; ")}`) : null,
    found.alsoCloses?.length ? [h("h3", {}, "Transfers within the organisation that they also stop"),
      h("ul", { class: "plain" }, found.alsoCloses.map((sentence) => h("li", {}, sentence)))] : null,
    found.rest.length ? [h("h3", {}, "Still reached"),
      h("p", {}, [...new Set(found.rest.map((one) => placeOf(one.place, report, names)))].join(", "))] : null);
}

// Returns the open ways out, by the changes that close them.
function waysOut({ open, encrypted, blocked, assumed, groups }) {
  const title = (way) => way.only ? `${way.title} (in ${way.only.map((name) => named(name)).join(", ")})` : way.title;
  return h("section", {}, h("h2", {}, "Ways out, by the change that closes them"),
    h("p", {}, `${open} of ${open + encrypted + blocked} ways out ${open === 1 ? "is" : "are"} open, ${encrypted} encrypted, ${blocked} blocked.`),
    h("ul", { class: "plain" }, groups.map(({ closing, ways }) =>
      h("li", {}, rich(closing.join(" or ") || "No setting alone"), ": ", ways.map(title).join("; ")))),
    assumed.length ? h("p", {}, "Assumed on the device: ", rich(assumed.join(", ")), ".") : null);
}

// Returns the name of an app that acts for an account. `names` maps accounts to UPNs.
function titled(app, identity, names) {
  if (!identity) return named(app);
  return `${named(app)} · ${{ unset: "no account", unknown: "unknown account" }[identity] ?? names[identity] ?? identity}`;
}

// Returns the name of a place in a report, such as `mail as anna`.
function placeOf(text, report, names) {
  const leak = report.leaks.find((one) => one.place === text);
  if (leak) return sinkOf(leak, names);
  const [, app, identity] = /^(.*) as (.*)$/.exec(text) ?? [];
  return app ? titled(app, identity, names) : named(text);
}

// Returns the display name of a storage location, with its account if known. `names` maps accounts to UPNs.
function titleOfLocation(location, account, names = {}) {
  const title = D.locations[location] ?? location;
  return account && account !== "unset" && account !== "unknown" ? `${title} of ${names[account] ?? account}` : title;
}

// Returns the endpoint of a leak. `names` maps accounts to UPNs.
function sinkOf(leak, names) {
  const last = leak.hops.at(-1);
  if (last.to) return titled(last.to, last.toIdentity, names);
  if (last.action === "retyped") return titled(last.app, last.identity, names);
  return last.location ? titleOfLocation(last.location, last.account, names) : leak.place;
}

// Returns the successive holders of the data, each with the hop by which it got the data.
function stops(leak, names, who = titled) {
  const list = [];
  const add = (name, way) => { if (list.at(-1)?.name !== name) list.push({ name, way }); };
  for (const hop of leak.hops) {
    if (hop.action === "signIns") continue;
    add(who(hop.app, hop.identity, names), hop.action === "retyped" ? "retyped" : "");
    if (hop.extension) list.push({ name: named(hop.extension), way: "share", isExtension: true });
    if (hop.to) list.push({ name: who(hop.to, hop.toIdentity, names), way: hop.action });
  }
  const last = leak.hops.at(-1);
  if (!last.to && last.action !== "retyped") list.push({ name: sinkOf(leak, names), way: last.action, place: last.location ?? last.action });
  return list;
}

function chain(leak, names) {
  const list = stops(leak, names);
  return s("svg", { width: list.length * STRIDE, height: 48, role: "img", "aria-label": list.map((stop) => stop.name).join(", then ") },
    list.map((stop, index) => {
      const x = 8 + index * STRIDE;
      const arrow = [s("path", { class: "seen", d: `M${x - STRIDE + BOX_WIDTH + 3} 30 L${x - 6} 30 m-6 -4 l6 4 l-6 4` }),
        s("text", { x: x - STRIDE + BOX_WIDTH + 4, y: 12, class: "faint" }, short(D.channels[stop.way] ?? stop.way, 13))];
      return s("g", { class: `node ${index === list.length - 1 ? "unmanaged" : "managed"}` },
        index ? s("g", { class: "edge allowed" }, arrow) : null,
        s("title", {}, stop.name),
        s("rect", { x, y: 18, width: BOX_WIDTH, height: 24, rx: 3 }),
        s("text", { x: x + 6, y: 34 }, short(stop.name, 20)));
    }));
}

// Returns the leak in the map's address: its hops as arrows between boxes, and its description. Boxes that
// the run did not have are added to `shown`.
async function wayOf(query, shown) {
  const report = query.has("leak") && D.views.includes("leaks") ? await block("leaks") : null;
  const leak = report?.leaks[Number(query.get("leak"))];
  if (!leak) return { edges: [], detail: [] };
  const names = report.accounts ?? {};
  const boxes = stops(leak, names, boxOf).map((stop, index, all) => {
    const found = shown.find((one) => one.isAbsent ? one.text === stop.name : one.indices.some((at) => isNamed(node(at), stop)));
    if (found) return found;
    const isSink = index === all.length - 1;
    const column = !isSink ? 0 : leak.hops.at(-1).to ? 1 : 2;
    return shown[shown.push({ key: `w${index}`, group: -1, column, isMember: true, isAbsent: true, indices: [], text: stop.name }) - 1];
  });
  const edges = boxes.slice(1).map((to, index) => ({ from: boxes[index], to, kind: 0, number: index + 1 })).filter(({ from, to }) => from !== to);
  return { edges, detail: [h("section", { "aria-label": "A leak" },
    h("a", { class: "close", href: hash("map", { leak: null }) }, "Close"),
    h("h2", {}, `Data of ${leak.owner} reaches ${sinkOf(leak, names)}`),
    h("p", {}, h("a", { href: hash("leaks", { leak: query.get("leak") }) }, "All leaks")), hops(leak))] };
}

const isNamed = (text, stop) => text === stop.name || text === stop.place || (stop.isExtension && text.startsWith(`${stop.name} · `));

// Returns the name of an app's box on the map of a run, where accounts are named by UPN.
function boxOf(app, identity, accounts) {
  return identity === "unset" ? named(app) : titled(app, identity, accounts);
}

function drawHop(edge) {
  const words = `hop ${edge.number}, ${edge.from.text} to ${edge.to.text}`;
  const { x, y } = edge.label;
  return s("g", { class: "edge way", role: "img", "aria-label": words }, s("title", {}, words),
    s("path", { class: "seen", d: pathOf(edge.points), "marker-end": "url(#head-way)" }),
    s("circle", { cx: x, cy: y, r: 9 }), s("text", { x, y: y + 4, "text-anchor": "middle" }, edge.number));
}

function hops(leak) {
  return h("ol", {}, leak.hops.map((hop) => h("li", {}, hop.text,
    [hop.saving, hop.verdict].filter(Boolean).map((verdict) => {
      const reason = verdict.reasons.find((one) => one.rule === verdict.decidedBy) ?? verdict.reasons[0];
      return h("div", { class: "faint" }, `${verdict.decidedBy} (${standing(verdict)})`, reason?.setting ? `, ${reason.label ?? reason.setting}: ${reason.value ?? ""}` : null,
        reason?.source ? [" · ", place(reason.source)] : null,
        verdict.changes?.length ? h("ul", { class: "plain" }, verdict.changes.map((change) => h("li", {}, rich(change)))) : null);
    }))));
}
