// The layout of the flow map: boxes in columns, and arrows that run only between boxes.
//
// An arrow leaves its box at the side, runs up or down between two columns, and crosses a column only between two of
// its boxes. So no arrow crosses a box that it does not belong to. Of several devices, each has a frame around its boxes.
const TOP = 26, EDGE = 10;
const SIDES = ["managed", "unmanaged", "outside"];
const COLUMNS = ["Managed apps", "Unmanaged apps", "System and storage"];

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Places boxes in columns that fill a part of the window, `space` pixels high, with at most `most` pixels for a box.
// Returns the size of the map, the columns in use, and the frames of devices.
function arrange(boxes, flows, isNarrow, space, most) {
  const used = [0, 1, 2].filter((column) => boxes.some((one) => one.column === column));
  const bands = bandsOf(boxes);
  const rows = Math.max(1, bands.reduce((sum, band) => sum + band.rows, 0));
  const last = used.at(-1);
  // Arrows within the last column need room beside it.
  const margin = flows.some((flow) => flow.from.column === last && flow.to.column === last) ? 110 : 20;
  const width = Math.max(720, innerWidth - 50 - (isNarrow ? 430 : 0));
  const turns = turnsOf(flows, used);
  // Crowded arrows get some of the boxes' width.
  const box = clamp(width * (Math.max(...turns) > CROWD ? 0.17 : 0.21), 150, 320);
  const room = Math.max(0, width - 2 * EDGE - margin - used.length * box), all = turns.reduce((sum, count) => sum + count, 0);
  const gaps = turns.map((count) => room * (EVEN / turns.length + (1 - EVEN) * (all ? count / all : 1 / turns.length)));
  const isFramed = bands.some((band) => band.device);
  const pitch = clamp((space - (isFramed ? bands.length * (FRAME_TITLE + FRAME_SPACE) : 0)) / rows, 34, most);
  const ends = new Map();
  for (const { from, to } of flows) for (const box of [from, to]) ends.set(box, (ends.get(box) ?? 0) + 1);
  let x = EDGE;
  const columns = used.map((column, place) => {
    const left = x;
    x += box + (gaps[place] ?? 0);
    return { column, x: left, right: left + box, members: [] };
  });
  let top = TOP;
  const frames = [];
  for (const band of bands) {
    const start = top;
    if (isFramed) top += FRAME_TITLE;
    for (const { column, x, members } of columns) {
      const some = band.boxes.filter((one) => one.column === column);
      const step = (band.rows * pitch) / Math.max(1, some.length);
      some.forEach((one, index) => {
        // A box with many arrows is taller, so its arrows stay apart.
        const tall = clamp(Math.max(Math.min(pitch, step, 64) - 10, Math.min(step - 10, 6 * (ends.get(one) ?? 0))), 24, 160);
        Object.assign(one, { x, y: top + (index + 0.5) * step - tall / 2, wide: box, tall });
        members.push(one);
      });
    }
    top += band.rows * pitch;
    if (isFramed) {
      if (band.device) frames.push({ device: band.device, x: 2, y: start, width: width - 4, height: top - start + 4 });
      top += FRAME_SPACE;
    }
  }
  return { width, height: top + 30, columns, margin, frames };
}

// The number of arrows between two columns above which boxes are narrower, and the part of the space between columns that
// all gaps share evenly. The rest goes to the gaps by their arrows.
const CROWD = 30, EVEN = 0.44;

// Returns the number of arrows that run up or down in each gap between two of the used columns.
function turnsOf(flows, used) {
  const place = new Map(used.map((column, index) => [column, index]));
  const turns = used.slice(1).map(() => 0);
  for (const { from, to } of flows) {
    const [a, b] = [place.get(from.column), place.get(to.column)];
    for (let gap = Math.min(a, b); gap < Math.max(a, b, a === b ? a + 1 : 0); gap++) if (gap < turns.length) turns[gap] += 1;
  }
  return turns;
}

// The height of a frame's title, and the space below a frame.
const FRAME_TITLE = 22, FRAME_SPACE = 14;

// Returns the boxes by device, with the number of rows that each device needs.
function bandsOf(boxes) {
  return [...Map.groupBy(boxes, (one) => one.device ?? "")].map(([device, some]) => ({
    device, boxes: some, rows: Math.max(...[0, 1, 2].map((column) => some.filter((one) => one.column === column).length)),
  }));
}

// Gives each arrow its points, from the box that it leaves to the box that it enters.
function route(flows, map) {
  const place = new Map(map.columns.map(({ column }, index) => [column, index]));
  const ports = new Map(), tracks = map.columns.map(() => []);
  const port = (box, side, flow, far) => {
    const key = `${box.key} ${side}`;
    const entry = { box, side, flow, far, y: 0 };
    push(ports, key, entry);
    return entry;
  };
  for (const flow of flows) {
    const a = place.get(flow.from.column), b = place.get(flow.to.column);
    const isForward = a <= b, isSame = a === b;
    flow.out = port(flow.from, isForward ? "right" : "left", flow, flow.to.y);
    flow.in = port(flow.to, isForward && !isSame ? "left" : "right", flow, flow.from.y + (isSame ? 0.5 : 0));
  }
  for (const list of ports.values()) {
    list.sort((one, other) => one.far - other.far);
    list.forEach((entry, index) => { entry.y = entry.box.y + (entry.box.tall * (index + 1)) / (list.length + 1); });
  }
  // The columns that an arrow crosses, and the gaps in which it runs up or down.
  const crossed = new Map();
  for (const flow of flows) {
    const a = place.get(flow.from.column), b = place.get(flow.to.column);
    const step = Math.sign(b - a);
    const heights = [flow.out.y];
    for (let at = a + step; step && at !== b; at += step) heights.push(lane(map.columns[at], (flow.out.y + flow.in.y) / 2, crossed));
    heights.push(flow.in.y);
    flow.turns = heights.slice(1).map((y, index) => {
      const turn = { gap: step >= 0 ? a + index * step : a - index - 1, from: heights[index], to: y, x: 0 };
      tracks[turn.gap].push(turn);
      return turn;
    });
  }
  tracks.forEach((turns, gap) => {
    const left = map.columns[gap].right, right = map.columns[gap + 1]?.x ?? left + map.margin;
    // Arrows that go down keep to the right of those that begin below them, which avoids crossings.
    const key = (turn) => (turn.to >= turn.from ? -turn.from : turn.from);
    turns.sort((one, other) => key(one) - key(other));
    turns.forEach((turn, index) => { turn.x = left + 16 + ((right - left - 32) * (index + 1)) / (turns.length + 1); });
  });
  for (const flow of flows) {
    const isForward = place.get(flow.from.column) <= place.get(flow.to.column);
    const isSame = flow.from.column === flow.to.column;
    const start = isForward ? flow.from.x + flow.from.wide : flow.from.x;
    const end = isForward && !isSame ? flow.to.x : flow.to.x + flow.to.wide;
    const points = [[start, flow.out.y]];
    for (const turn of flow.turns) points.push([turn.x, turn.from], [turn.x, turn.to]);
    flow.points = [...points, [end, flow.in.y]];
  }
}

// Returns the height at which an arrow crosses a column: the space between two boxes that is nearest to `y`.
function lane(column, y, crossed) {
  const edges = column.members.flatMap((one) => [one.y, one.y + one.tall]);
  const spaces = [[Math.max(TOP - 8, edges[0] - 30), edges[0]]];
  for (let index = 1; index + 1 < edges.length; index += 2) spaces.push([edges[index], edges[index + 1]]);
  spaces.push([edges.at(-1), edges.at(-1) + 30]);
  const middle = ([from, to]) => (from + to) / 2;
  const space = spaces.reduce((best, one) => (Math.abs(middle(one) - y) < Math.abs(middle(best) - y) ? one : best));
  const key = `${column.column} ${space[0]}`;
  const count = (crossed.get(key) ?? 0) + 1;
  crossed.set(key, count);
  // Several arrows share a space; the first uses its middle.
  const room = (space[1] - space[0]) / 2 - 2;
  const offset = (count % 2 ? -1 : 1) * Math.floor(count / 2) * 3;
  return middle(space) + clamp(offset, -room, room);
}

const CORNER = 7;

// Returns the path through points, with rounded corners.
function pathOf(points) {
  const parts = [`M${points[0]}`];
  for (let index = 1; index + 1 < points.length; index++) {
    const [before, here, after] = points.slice(index - 1, index + 2);
    const towards = (other) => {
      const far = Math.hypot(other[0] - here[0], other[1] - here[1]);
      const part = far ? Math.min(CORNER, far / 2) / far : 0;
      return [here[0] + (other[0] - here[0]) * part, here[1] + (other[1] - here[1]) * part];
    };
    parts.push(`L${towards(before)} Q${here} ${towards(after)}`);
  }
  return `${parts.join(" ")} L${points.at(-1)}`;
}

// The space at a box that the heads of arrows need.
const HEAD = 12;

// The height of a label, and its width by its text.
const LABEL_HEIGHT = 14;
const labelWidth = (text) => 8 + 7.6 * text.length;

// Places labels on their arrows where they cover no box and no other label; other arrows only if there is no other place.
// A label without such a place is left out; its text is in the arrow's title and in the table.
//
// - textsOf: Returns the texts that an arrow may have, the preferred one first. Only the last may cover other arrows.
function placeLabels(flows, map, textsOf, isRequired) {
  const taken = [];
  // The horizontal parts of arrows. A vertical one that passes behind a label stays recognisable.
  const segments = flows.flatMap((flow) => flow.points.slice(1).flatMap(([x2, y], index) => {
    const [x1, y1] = flow.points[index];
    return y1 === y ? [{ flow, left: Math.min(x1, x2), right: Math.max(x1, x2), y }] : [];
  }));
  // Short arrows come first, because they have the fewest places.
  const length = ({ points }) => points.slice(1).reduce((sum, [x, y], index) => sum + Math.abs(x - points[index][0]) + Math.abs(y - points[index][1]), 0);
  for (const flow of flows.toSorted((one, other) => length(one) - length(other))) {
    const points = candidates(flow.points), texts = textsOf(flow);
    const others = segments.filter((one) => one.flow !== flow);
    flow.label = null;
    for (const [index, text] of [...texts, texts.at(-1)].entries()) {
      const wide = labelWidth(text), isLast = index === texts.length;
      const isBeside = (x, space) => map.columns.some((column) => x + wide / 2 > column.x - space && x - wide / 2 < column.right + space);
      const isAtHead = ([x, y]) => segments.some((one) => one.left < x + wide / 2 && one.right > x - wide / 2 && Math.abs(one.y - y) < HEAD);
      // Beside an upright part, the space for heads is free where no arrow arrives.
      const isOnBox = ([x, y, isUpright]) => isBeside(x, isUpright ? 3 : HEAD) || (isUpright && isBeside(x, HEAD) && isAtHead([x, y]));
      const isFree = ([x, y]) => taken.every((other) => Math.abs(x - other.x) >= (wide + other.wide) / 2 || Math.abs(y - other.y) >= LABEL_HEIGHT);
      const isClear = ([x, y]) => !others.some((one) => one.left < x + wide / 2 && one.right > x - wide / 2 && Math.abs(one.y - y) < LABEL_HEIGHT / 2);
      // A label beside an upright part still touches it.
      const aside = points.filter(([, , isUpright]) => isUpright).flatMap(([x, y]) => [[x + wide / 2 - 8, y, true], [x - wide / 2 + 8, y, true]]);
      const places = [...points, ...aside].filter((place) => !isOnBox(place) && place[0] + wide / 2 < map.width);
      const place = places.find((one) => isFree(one) && (isLast || isClear(one))) ?? (isLast && isRequired ? places[0] ?? flow.points[1] : null);
      if (!place) continue;
      flow.label = { text, x: place[0], y: place[1], wide };
      taken.push(flow.label);
      break;
    }
  }
}

// Returns points on an arrow, on its last part first; on each part the middle first. The third member of a point is
// whether the part is upright.
function candidates(points) {
  const found = [];
  for (let index = points.length - 1; index > 0; index--) {
    const [x1, y1] = points[index - 1], [x2, y2] = points[index];
    const steps = clamp(Math.floor(Math.abs(x2 - x1) / 24 + Math.abs(y2 - y1) / (LABEL_HEIGHT / 2)), 2, MOST_PLACES);
    for (let step = 0; step < steps; step++) {
      const part = 0.5 + ((step % 2 ? 1 : -1) * Math.ceil(step / 2)) / (steps + 1);
      found.push([x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, x1 === x2]);
    }
  }
  return found;
}

// The maximum number of places for a label on one part of an arrow.
const MOST_PLACES = 30;
