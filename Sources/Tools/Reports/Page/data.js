// The data of the page: blocks of compressed JSON, each decompressed on first use.
const blocks = new Map();

function block(name) {
  if (!blocks.has(name)) blocks.set(name, read(name));
  return blocks.get(name);
}

async function read(name) {
  const text = document.getElementById(`data-${name}`)?.textContent;
  if (!text) return null;
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).json();
}

// Decodes a column of numbers that are stored as differences from the previous one.
function undelta(column) {
  let sum = 0;
  return Float64Array.from(column, (step) => (sum += step));
}

const OUTCOMES = ["allowed", "encrypted", "blocked"];
// The meaning of a flow: an outcome, or that managed data left the protection of policies.
const KINDS = [...OUTCOMES, "left"], LEFT = 3;
const SIGNS = ["✓", "◆", "✗", "↗"];
const KIND_WORDS = ["allowed", "encrypted", "blocked", "left the protection"];
let D; // the data shared by all views
let R; // the requests, stored by column

async function load() {
  D = await block("frame");
  if (D.live) return beginLive();
  const columns = await block("requests");
  R = {
    count: columns.number.length,
    journal: undelta(columns.journal), number: undelta(columns.number), moment: undelta(columns.moment),
    sender: Int32Array.from(columns.sender), receiver: Int32Array.from(columns.receiver),
    operation: Uint8Array.from(columns.operation), verdict: Int32Array.from(columns.verdict),
    end: Uint8Array.from(columns.end), owner: Int32Array.from(columns.owner),
    subject: Int32Array.from(columns.subject), sources: new Map(), uses: new Map(), rows: new Map(),
    left: new Set(columns.left),
    why: new Map(columns.detailed.map((row, index) => [row, columns.details[columns.detail[index]]])),
  };
  for (let row = R.count - 1; row >= 0; row--) R.rows.set(nameOf(row), row);
  for (const [row, source, certainty] of columns.lineage) {
    push(R.sources, row, [source, certainty]);
    push(R.uses, source, [row, certainty]);
  }
}

function push(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value); else map.set(key, [value]);
}

// Returns the name of a request in the page's address: its number, preceded by the journal's number if there
// are several.
const nameOf = (row) => (D.journals.length > 1 ? `${R.journal[row] + 1}.${R.number[row]}` : `${R.number[row]}`);

// Returns the row of the request in the address; undefined if the address has none.
const requestOf = (query) => R.rows.get(query.get("request"));

const outcome = (row) => D.outcomes[R.verdict[row]];

const kindOf = (row) => (R.left.has(row) ? LEFT : outcome(row));

// Calls `visit` with sender, receiver, verdict, operation, kind and count of each flow, or of each request in
// `rows`, up to the moment in the address. For a single request, also passes its row.
function eachFlow(query, rows, visit) {
  if (L && !rows) {
    for (const { from, to, verdict, operation, left, count } of L.flows.values()) {
      if (left) visit(from, to, verdict, operation, LEFT, left);
      if (left < count) visit(from, to, verdict, operation, D.outcomes[verdict], count - left);
    }
    return;
  }
  const last = rowAt(momentOf(query) + 1);
  for (let row = 0; row < last; row++) {
    if (R.sender[row] < 0 || R.receiver[row] < 0 || (rows && !rows.has(row)) || !isOf(row, query)) continue;
    visit(R.sender[row], R.receiver[row], R.verdict[row], R.operation[row], kindOf(row), 1, row);
  }
}

// Returns the rows of steps that did not meet their expectations.
async function failedRows() {
  const rows = new Set();
  for (const one of (D.views.includes("cases") && (await block("cases"))) || []) {
    for (const step of one.steps) {
      if (!step.failures.length && step.checks.every((check) => check.met)) continue;
      for (const row of rowsOf(step)) rows.add(row);
    }
  }
  return rows;
}

// Returns the requests of a step.
function rowsOf({ spans }) {
  const rows = [];
  for (const [from, end] of spans) for (let row = rowAt(from); row < R.count && R.moment[row] < end; row++) rows.push(row);
  return rows;
}

// Returns the first row whose request was decided at `moment` or later.
function rowAt(moment) {
  let low = 0, high = R.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (R.moment[middle] < moment) low = middle + 1; else high = middle;
  }
  return low;
}

// Returns the time of a request's decision.
const timeOf = (row) => (L ? R.time[row] : clock(R.moment[row]));

// Returns the time on the device's clock at a moment, and the machine's time if the journal has it.
function clock(moment) {
  const at = (list) => {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle][0] <= moment) low = middle + 1; else high = middle;
    }
    return low ? list[low - 1][1] : "";
  };
  const wall = at(D.wall);
  return at(D.clock) + (wall ? ` (really ${wall})` : "");
}
