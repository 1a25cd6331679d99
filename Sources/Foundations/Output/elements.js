// Elements of pages. Data is inserted only as text, never as HTML.
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(9)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

// Returns the nodes of a text in which backticks enclose names and values.
function rich(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}
