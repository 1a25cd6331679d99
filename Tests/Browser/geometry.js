// What is wrong with the flow map on the page: arrows across boxes, counts over counts or boxes, boxes over boxes; and
// the part of the window that the map uses, in percent.
(() => {
  const frame = ({ x, y, width, height }) => ({ x, y, width, height });
  const map = document.querySelector("svg.map");
  if (!map) return null;
  const boxes = [...map.querySelectorAll(".node")].map((node) => ({ name: node.getAttribute("aria-label"), ...frame(node.querySelector("rect").getBBox()) }));
  const overlap = (a, b) => a.x < b.x + b.width - 0.1 && b.x < a.x + a.width - 0.1 && a.y < b.y + b.height - 0.1 && b.y < a.y + a.height - 0.1;
  const faults = [];
  const counts = [];
  for (const edge of map.querySelectorAll(".edge")) {
    const name = edge.getAttribute("aria-label"), path = edge.querySelector(".seen"), length = path.getTotalLength();
    for (let at = 0; at <= length; at += 3) {
      const { x, y } = path.getPointAtLength(at);
      const crossed = boxes.find((box) => overlap({ x: x - 0.2, y: y - 0.2, width: 0.4, height: 0.4 }, box));
      if (crossed && at > 1 && at < length - 1) { faults.push(`${name} crosses ${crossed.name}`); break; }
    }
    const plate = edge.querySelector(".plate");
    if (plate) counts.push({ name, ...frame(plate.getBBox()) });
  }
  const compare = (one, others) => { for (const other of others) if (overlap(one, other)) faults.push(`${one.name} covers ${other.name}`); };
  counts.forEach((count, index) => { compare(count, counts.slice(index + 1)); compare(count, boxes); });
  boxes.forEach((box, index) => compare(box, boxes.slice(index + 1)));
  const shown = map.getBoundingClientRect();
  return { faults, boxes: boxes.length, arrows: map.querySelectorAll(".edge").length, used: (100 * shown.width * Math.min(shown.height, innerHeight)) / (innerWidth * innerHeight) };
})()
