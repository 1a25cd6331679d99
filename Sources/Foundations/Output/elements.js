// Elements of pages. Data is inserted only as text, never as HTML.
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(9)) {
    if (child === null || child === undefined) continue;
    if (typeof child === "string" && !WITHOUT_BREAKS.has(name)) element.append(...breakable(child)); else element.append(child);
  }
  return element;
}

// The elements whose text is not broken, or not shown.
const WITHOUT_BREAKS = new Set(["option", "pre", "textarea", "title"]);

// The places in a long word where a line may end: before capitals, points and `@`, and after `/`, `:`, `_` and `-`.
const BREAKS = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?=[.@])|(?<=[/:_-])/u;

// The longest part of a word that a line keeps together, in characters.
const LONGEST_PART = 40;

// Returns the nodes of a text whose long words may be broken between their parts, such as `sendManagedAppsToManaged`.
function breakable(text) {
  return text.split(/(\S{13,})/).flatMap((word, index) => {
    if (index % 2 === 0) return word ? [word] : [];
    const parts = word.split(BREAKS).flatMap((part) => {
      const characters = part.length > LONGEST_PART ? [...part] : [];
      if (characters.length <= LONGEST_PART) return [part];
      return characters.flatMap((_, at) => (at % LONGEST_PART ? [] : [characters.slice(at, at + LONGEST_PART).join("")]));
    });
    return parts.flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));
  });
}

// Returns the nodes of a text in which backticks enclose names and values.
function rich(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}
