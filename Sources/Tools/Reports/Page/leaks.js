// Leaks, each as a chain of boxes.
const BOX_WIDTH = 150, STRIDE = 230;

async function showLeaks(query) {
  const report = await block("leaks");
  const find = (query.get("find") ?? "").toLowerCase(), owner = query.get("owner");
  const owners = [...new Set(report.leaks.map((leak) => leak.owner))];
  const shown = report.leaks.map((leak, index) => [leak, index]).filter(([leak]) =>
    (!owner || leak.owner === owner) && (!find || JSON.stringify(leak).toLowerCase().includes(find)));
  const chosen = Number(query.get("leak") ?? -1);
  return [
    h("div", { class: "bar" },
      field("leaks", "owner", "Data of", [["", "all accounts"], ...owners.map((name) => [name, name])], query),
      field("leaks", "find", "Find", "search", query),
      h("span", { class: "faint" }, `${shown.length} of ${report.leaks.length}`)),
    report.notice ? h("p", {}, `Notice: ${report.notice}.`) : null,
    report.query ? verdicts(report.query) : report.closing ? closing(report.closing) : h("p", {}, report.leaks.length ? null : "No leak."),
    report.onward ? h("p", {}, `Once out, data can reach these apps: ${report.onward.join(", ")}.`) : null,
    shown.slice(0, 500).map(([leak, index]) => {
      const summary = h("summary", { class: index === chosen ? "target" : null, "data-leak": index,
        onclick: () => replace({ leak: index === chosen ? null : index }) },
        `${index + 1}. data of ${leak.owner} reach ${sinkOf(leak)}`,
        h("span", { class: "faint" }, `${leak.device ? ` where ${leak.device}` : ""}, ${leak.hops.length === 2 ? "1 hop" : `${leak.hops.length - 1} hops`}`));
      return lazy({ open: index === chosen || shown.length === 1 }, summary, () => [chain(leak), hops(leak),
        D.views.includes("map") ? h("p", {}, h("a", { href: hash("map", { leak: index }) }, "On the map")) : null]);
    }),
    shown.length > 500 ? h("p", { class: "faint" }, `${shown.length - 500} more; a search shows fewer.`) : null,
    h("h2", {}, "Extent of the search"),
    h("p", {}, `${report.search.states} states, ${report.search.moves} moves, paths of up to ${report.search.depth} ${report.search.depth === 1 ? "hop" : "hops"}, ${report.search.behaviour} apps. Searched: ${report.search.searched}.`),
    h("p", {}, `Not searched: ${report.search.notSearched}.`),
  ];
}

function verdicts(query) {
  return h("section", {}, h("h2", {}, "Can data reach these apps?"),
    h("ul", { class: "plain" }, query.verdicts.map((one) => h("li", {}, `${one.app}: ${one.reached ? "REACHED" : "NOT REACHED"}`))),
    query.notFollowed.length ? h("p", {}, `Not searched: the further use of data by ${query.notFollowed.map((name) => D.channels[name] ?? name).join(", ")}.`) : null);
}

function closing(found) {
  return h("section", {}, h("h2", {}, found.changes.length ? "Changes that stop the leaks" : "No setting stops the leaks"),
    h("ul", { class: "plain" }, found.changes.map((change) => h("li", {}, rich(change)))),
    found.notOffered?.length ? h("p", {}, `Not in the admin centre: ${found.notOffered.join("; ")}`) : null,
    found.alsoCloses?.length ? [h("h3", {}, "Transfers within the organisation that they also stop"),
      h("ul", { class: "plain" }, found.alsoCloses.map((sentence) => h("li", {}, sentence)))] : null,
    found.rest.length ? [h("h3", {}, "Still reached"),
      h("p", {}, [...new Set(found.rest.map((one) => one.place))].join(", "))] : null);
}

const titled = (app, identity) => (identity ? `${app} · ${identity}` : app);

// Returns the display name of a storage location, with its account if known. `names` maps accounts to UPNs.
function titleOfLocation(location, account, names = {}) {
  const title = D.locations[location] ?? location;
  return account && account !== "unset" && account !== "unknown" ? `${title} of ${names[account] ?? account}` : title;
}

// Returns the endpoint of a leak. `names` maps accounts to UPNs.
function sinkOf(leak, names) {
  const last = leak.hops.at(-1);
  return last.to || !last.location ? leak.place : titleOfLocation(last.location, last.account, names);
}

// Returns the successive holders of the data, each with the hop by which it got the data.
function stops(leak, who = titled, names = {}) {
  const list = [];
  const add = (name, way) => { if (list.at(-1)?.name !== name) list.push({ name, way }); };
  for (const hop of leak.hops) {
    if (hop.action === "signIns") continue;
    add(who(hop.app, hop.identity), hop.action === "retyped" ? "retyped" : "");
    if (hop.extension) list.push({ name: hop.extension, way: "share", isExtension: true });
    if (hop.to) list.push({ name: who(hop.to, hop.toIdentity), way: hop.action });
  }
  const last = leak.hops.at(-1);
  if (!last.to && last.action !== "retyped") list.push({ name: sinkOf(leak, names), way: last.action, place: last.location ?? last.action });
  return list;
}

function chain(leak) {
  const list = stops(leak);
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
  const boxes = stops(leak, (app, identity) => boxOf(app, identity, names), names).map((stop, index, all) => {
    const found = shown.find((one) => one.isAbsent ? one.text === stop.name : one.indices.some((at) => isNamed(node(at), stop)));
    if (found) return found;
    const isSink = index === all.length - 1;
    const column = !isSink ? 0 : leak.hops.at(-1).to ? 1 : 2;
    return shown[shown.push({ key: `w${index}`, group: -1, column, isMember: true, isAbsent: true, indices: [], text: stop.name }) - 1];
  });
  const edges = boxes.slice(1).map((to, index) => ({ from: boxes[index], to, kind: 0, number: index + 1 })).filter(({ from, to }) => from !== to);
  return { edges, detail: [h("section", { "aria-label": "A leak" },
    h("a", { class: "close", href: hash("map", { leak: null }) }, "Close"),
    h("h2", {}, `Data of ${leak.owner} reach ${sinkOf(leak)}`),
    h("p", {}, h("a", { href: hash("leaks", { leak: query.get("leak") }) }, "All leaks")), hops(leak))] };
}

const isNamed = (text, stop) => text === stop.name || text === stop.place || (stop.isExtension && text.startsWith(`${stop.name} · `));

// Returns the name of an app's box on the map of a run, where accounts are named by UPN.
function boxOf(app, identity, accounts) {
  if (!identity || identity === "unset") return app;
  return `${app} · ${identity === "unknown" ? "unknown account" : accounts[identity] ?? identity}`;
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
      return h("div", { class: "faint" }, verdict.decidedBy, reason?.setting ? `, ${reason.label ?? reason.setting}: ${reason.value ?? ""}` : null,
        reason?.source ? [" · ", place(reason.source)] : null,
        verdict.changes?.length ? h("ul", { class: "plain" }, verdict.changes.map((change) => h("li", {}, rich(change)))) : null);
    }))));
}
