// MARK: overview

// The number of cases that the first view lists, and of those the number to open if they did not pass.
const MOST_CASES = 40, MOST_OPEN = 5;

// The first view: the results of the cases, those that did not pass first and open, and the flow map.
async function showOverview(query) {
  const cases = D.views.includes("cases") ? [...(await timedCases()).entries()] : [];
  const bad = cases.filter(([, one]) => isBad(one)), good = cases.filter(([, one]) => !isBad(one));
  const heading = new Set(cases.map(([, one]) => one.suite)).size > 1 ? "h3" : null;
  const list = (title, some, rest) => (some.length ? h("section", { class: "results" }, h("h2", {}, title),
    h("div", {}, caseList(some.slice(0, MOST_CASES), query, MOST_OPEN, heading),
      some.length > MOST_CASES ? h("p", {}, h("a", { href: hash("cases", rest) }, `${number(some.length - MOST_CASES)} more cases`)) : null)) : null);
  // The height that the list of cases, the headings and the legend leave in the window.
  const space = Math.max(240, innerHeight * 0.82 - 185 - (cases.length ? 36 + Math.min(cases.length * 25, 215) : 0) - (bad.length ? 150 : 0));
  const map = D.views.includes("map") ? await drawMap(query, space, true) : null;
  return h("div", { class: "split" }, h("div", { class: "wide" },
    list("Cases that did not pass", bad, { show: "bad" }),
    list(bad.length ? "Other cases" : "Cases", good, {}),
    map ? [h("h2", {}, "Flows between apps"), map.picture,
      h("p", {}, h("a", { href: hash("map") }, "Flow map"), " groups, filters and enlarges it. Select an arrow to see the rules that decided.")] : null), await aside(query));
}

// MARK: chains

// Chains of data: a map of all of them, and a tree for each origin with the rule that allowed each hop.
async function showFlows(query) {
  const cases = await block("flows");
  const isOne = cases.length === 1, hasOneSuite = new Set(cases.map((one) => one.suite)).size === 1;
  const rows = cases.flatMap((one) => [
    isOne ? null : h("tr", {}, h("th", { colspan: 2, scope: "rowgroup" },
      h("h2", {}, hasOneSuite || !one.suite ? one.name : `${one.suite}: ${one.name}`),
      one.name === one.place ? null : h("small", {}, one.place))),
    one.trees.length ? null : h("tr", {}, h("td", { colspan: 2 }, "No such data moved.")),
    one.trees.map((tree) => [h("tr", {}, h("th", { colspan: 2, scope: "rowgroup", class: "origin" }, tree.title)), tree.rows.map((row) => hopRow(row, query))])]);
  const map = R.count ? await drawMap(query, Math.max(240, innerHeight - 400), true) : null;
  return h("div", { class: "split" }, h("div", { class: "wide" }, map && !map.isEmpty ? map.picture : null,
    h("table", { class: "chains" }, h("thead", {}, h("tr", {}, ["Hop", "Allowed by"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, rows))), await aside(query));
}

// Returns a hop as a row of the table; it leads to the hop's request.
function hopRow({ depth, text, marks, row, seen, rule, source, certainty, why }, query) {
  const shown = row === undefined ? text
    : h("a", { href: hash("flows", { request: nameOf(row) }), "data-request": nameOf(row) }, text);
  const cell = h("td", {}, shown,
    marks.map((mark) => [" ", h("strong", { class: mark === "unmanaged" ? "left" : mark }, mark)]), seen ? h("small", {}, "see above") : null);
  cell.style.paddingLeft = `${depth * 1.2 + 0.5}em`;
  return h("tr", { class: row !== undefined && row === requestOf(query) ? "chosen" : null }, cell,
    h("td", {}, rule ? [rule, source ? [", ", place(source)] : null, certainty, h("small", {}, why)] : null));
}

// MARK: requests

async function showRequests(query) {
  const strings = await block("strings");
  const find = (query.get("find") ?? "").toLowerCase(), wanted = query.get("outcome"), operation = query.get("operation");
  const texts = D.nodes.map((one) => one.text.toLowerCase());
  const rules = D.rules.map((one) => one.toLowerCase());
  const rows = [];
  let fresh = 0;
  for (let row = 0; row < R.count; row++) {
    if (!isOf(row, query)) continue;
    if (L?.held && R.number[row] > L.held) { fresh += 1; continue; }
    if (wanted && OUTCOMES[outcome(row)] !== wanted) continue;
    if (operation && D.operations[R.operation[row]] !== operation) continue;
    if (find && !(texts[R.sender[row]]?.includes(find) || texts[R.receiver[row]]?.includes(find)
      || rules[R.verdict[row]].includes(find) || R.why.get(row)?.toLowerCase().includes(find) || strings[R.subject[row]]?.toLowerCase().includes(find))) continue;
    rows.push(row);
  }
  if (L) rows.reverse(); // latest first
  const size = 200, pages = Math.max(1, Math.ceil(rows.length / size));
  const chosen = requestOf(query);
  const there = chosen === undefined ? -1 : rows.indexOf(chosen);
  // Without a page in the address, show the page with the chosen request.
  const wantedPage = query.has("page") || there < 0 ? Number(query.get("page") ?? 1) : Math.floor(there / size) + 1;
  const page = Math.min(Math.max(1, Math.trunc(wantedPage) || 1), pages);
  const some = rows.slice((page - 1) * size, page * size);
  const used = [...new Set(R.operation)].map((index) => D.operations[index]).sort();
  return [
    h("div", { class: "bar" },
      field("requests", "find", "Find", "search", query),
      field("requests", "outcome", "Outcome", [["", "any"], ...OUTCOMES.map((word) => [word, word])], query),
      journalField("requests", query),
      field("requests", "operation", "Operation", [["", "any"], ...used.map((word) => [word, wordsOf(word)])], query),
      h("span", { class: "faint" }, L ? `${number(rows.length)} of the latest ${number(R.count)}` : `${rows.length} of ${R.count}`),
      fresh ? h("button", { type: "button", "data-keep": "fresh", onclick: () => { L.held = null; refresh(); } }, `${number(fresh)} new`) : null,
      page > 1 ? h("a", { href: hash("requests", { page: page - 1 }) }, "Previous") : null,
      pages > 1 ? h("span", {}, `page ${page} of ${pages}`) : null,
      page < pages ? h("a", { href: hash("requests", { page: page + 1 }) }, "Next") : null),
    h("div", { class: "split" },
      h("div", { class: "wide", ...(L ? held() : {}) }, h("table", { class: "requests" },
        h("thead", {}, h("tr", {}, ["Request", "Operation", "From", "To", "Outcome", "Decided by"].map((title) => h("th", {}, title)),
          h("th", { class: "roomy" }, "End"), L ? h("th", { class: "roomy" }, "Seen at") : null, D.journals.length > 1 ? h("th", { class: "roomy" }, "In") : null)),
        h("tbody", {}, some.map((row) => h("tr", { class: row === chosen ? "chosen" : null, },
          h("td", { class: "number" }, h("a", { href: hash("requests", { request: nameOf(row), page: null }), "data-request": nameOf(row) }, nameOf(row))),
          h("td", { class: "whole" }, operationOf(row)), h("td", {}, node(R.sender[row])), h("td", {}, node(R.receiver[row]) || h("span", { class: "faint" }, strings[R.subject[row]] ?? "")),
          h("td", { class: "whole" }, verdictMark(row)), h("td", {}, D.rules[R.verdict[row]]),
          h("td", { class: "roomy whole" }, D.ends[R.end[row]], R.why.has(row) ? h("div", { class: "faint" }, rich(R.why.get(row))) : null), L ? h("td", { class: "roomy whole" }, R.seen[row]) : null,
          D.journals.length > 1 ? h("td", { class: "roomy faint", title: D.journals[R.journal[row]] }, short(D.journals[R.journal[row]], 40)) : null))))),
      await aside(query)),
  ];
}

// Returns attributes that keep the rows of a live page in place while the user points at them or has scrolled
// down.
function held() {
  const hold = (event) => {
    const isRead = event.currentTarget.matches(":hover") || event.currentTarget.scrollTop > 0;
    L.held = isRead ? L.held ?? R.number.at(-1) : null;
  };
  return { onpointerenter: hold, onpointerleave: hold, onscroll: hold };
}

// MARK: cases

const CASE_SIGNS = { passed: "✓", failed: "✗", errored: "!", notRun: "–" };

async function showCases(query) {
  const cases = await timedCases();
  const wanted = query.get("show"), find = (query.get("find") ?? "").toLowerCase();
  // The names of a case, and the rules that decided its requests.
  const textOf = (one) => [one.suite, one.criterion, one.name, ...one.steps.flatMap(rowsOf).map((row) => D.rules[R.verdict[row]])].join(" ").toLowerCase();
  const some = [...cases.entries()].filter(([, one]) =>
    (!wanted || one.outcome === wanted || (wanted === "bad" && isBad(one))) && (!find || textOf(one).includes(find)));
  const list = caseList(some, query, cases.length < 50 ? 50 : 0);
  return [
    h("div", { class: "bar" },
      field("cases", "show", "Show", [["", "all cases"], ["bad", "those that did not pass"], ["failed", "failed"], ["errored", "errored"]], query),
      field("cases", "find", "Find", "search", query),
      h("span", { class: "faint" }, `${number(some.length)} of ${number(cases.length)}`)),
    h("div", { class: "split" }, h("div", { class: "wide" }, list.length ? list : h("p", {}, "No case.")), await aside(query)),
  ];
}

// Returns cases with their numbers as lists of details by suite.
//
// - mostOpen: the number of cases to open of those that did not pass.
// - heading: the element of a suite's name; null for none.
function caseList(cases, query, mostOpen, heading = "h2") {
  const chosen = query.has("case") ? Number(query.get("case")) : -1;
  let bad = 0;
  return [...Map.groupBy(cases, ([, one]) => one.suite)].map(([suite, some]) => h("section", {}, heading ? h(heading, {}, suite) : null, some.map(([index, one]) => {
    const words = `${CASE_SIGNS[one.outcome]} ${one.words}${one.ended ? "" : ", not ended"} `;
    const remark = one.why ? `: ${one.why}` : one.expectsNothing ? " (expects nothing)" : null;
    const summary = h("summary", { class: index === chosen ? "target" : null, "data-case": index,
      onclick: () => replace({ case: index === chosen ? null : index }) },
      h("span", { class: one.outcome }, words), h("span", { class: "name" }, one.criterion ? `${one.criterion} ` : "", one.name, remark ? h("span", { class: "faint" }, rich(remark)) : null),
      one.milliseconds === null ? null : h("span", { class: "faint" }, durationOf(one.milliseconds)));
    const isOpen = index === chosen || (isBad(one) && ++bad <= mostOpen);
    return lazy({ open: isOpen }, summary, () => caseSteps(one, index, requestOf(query)));
  })));
}

// Returns the cases with their durations; null for an unknown one.
async function timedCases() {
  const durations = await block("durations");
  return (await block("cases")).map((one, index) => ({ ...one, milliseconds: durations[index] }));
}

// Returns a duration in real time, such as `0.24 s` or `2 min 5 s`.
function durationOf(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

const isBad = (one) => one.outcome !== "passed" && one.outcome !== "notRun";

function caseSteps(one, index, chosen) {
  // With several devices, each has its own journal.
  const links = one.journals.map((journal) => h("p", {}, one.journals.length > 1 ? `${D.journals[journal]}: ` : null,
    h("a", { href: hash("map", { journal }) }, "Its flow map"), " · ",
    h("a", { href: hash("requests", { journal }) }, "its requests"), " · ", h("a", { href: hash("time", { journal }) }, "its time")));
  return h("div", {}, D.journals.length > 1 ? links : null, h("ol", {}, one.steps.map((step) => {
    const rows = rowsOf(step);
    const place = one.file && step.line ? [" ", h("a", { class: "faint", href: hash("files", { file: one.file, line: step.line }) }, `line ${step.line}`)] : null;
    return h("li", {}, rich(step.text), place,
      h("ul", { class: "plain" },
        rows.slice(0, 30).map((row) => h("li", { class: row === chosen ? "chosen" : null },
          h("a", { href: hash("cases", { case: index, request: nameOf(row) }), "data-request": nameOf(row) }, operationOf(row)),
          ` ${ends(row)} `, verdictMark(row), ` by ${D.rules[R.verdict[row]]}, ${D.ends[R.end[row]]}`, R.why.has(row) ? [": ", rich(R.why.get(row))] : null)),
        rows.length > 30 ? h("li", { class: "faint" }, `${rows.length - 30} more requests`) : null,
        step.checks.map((check) => h("li", { class: check.met ? "passed" : "failed" },
          check.met ? "✓" : "✗", " expected ", rich(check.expected), check.met ? null : [", found ", rich(check.found)])),
        step.failures.map((why) => h("li", { class: "errored" }, "! ", rich(why)))));
  }), one.output.length ? h("li", {}, "What guests wrote", h("pre", { tabindex: 0 }, one.output.map(([guest, text]) => `${guest}: ${text}\n`))) : null));
}

// MARK: files

let firstFile = null;

async function showFiles(query) {
  const files = await block("files");
  // A live page receives files later. The default file stays, even if others precede it in the list.
  if (!D.files.includes(firstFile)) firstFile = D.files[0];
  const name = query.get("file") ?? firstFile;
  const line = Number(query.get("line") ?? 0);
  const text = D.files.includes(name) ? files[name] : undefined;
  // The list includes the selected file, even if the page does not have it.
  const names = name === undefined || D.files.includes(name) ? D.files : [name, ...D.files];
  return [
    h("div", { class: "bar" }, field("files", "file", "File", names.map((file) => [file, file]), new URLSearchParams({ file: name ?? "" }))),
    text === undefined ? h("p", {}, "The page does not have this file.")
      : h("pre", { tabindex: 0, role: "region", "aria-label": name }, text.split("\n").map((content, index) =>
        h("span", { class: index + 1 === line ? "line marked" : "line", "data-n": index + 1 }, document.createTextNode(content || " ")))),
  ];
}

addEventListener("hashchange", show);
load().then(show).catch((error) => {
  document.querySelector("main").replaceChildren(h("p", { role: "alert" }, `The data of this page cannot be read: ${error.message}`));
});
