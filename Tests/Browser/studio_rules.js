// Returns what a page does against our rules of accessibility, one sentence for each element.
() => {
  const problems = [];
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const describe = (element) => {
    const key = element.id ? `#${element.id}` : element.dataset.key ? `[${element.dataset.key}]` : "";
    return `<${element.localName}>${key} ${JSON.stringify((element.textContent ?? "").trim().slice(0, 40))}`;
  };
  const all = [...document.querySelectorAll("*")].filter(isVisible);
  // A modal dialog hides the rest from assistive technology.
  const dialog = document.querySelector("dialog[open]");
  const scope = dialog ? all.filter((element) => dialog.contains(element)) : all;

  // Names: of controls, tables, lists that stand for something, and dialogs.
  const byIds = (ids) => ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  const name = (element) =>
    element.getAttribute("aria-label") || (element.hasAttribute("aria-labelledby") && byIds(element.getAttribute("aria-labelledby")))
    || [...(element.labels ?? [])].map((label) => label.textContent).join(" ")
    || (["INPUT", "SELECT", "TEXTAREA", "FIELDSET", "DIALOG"].includes(element.tagName) ? "" : element.textContent);
  for (const element of scope) {
    if (!element.matches("button, input, select, textarea, summary, fieldset, dialog, a[href], [role=tab], [role=tablist], [role=tabpanel], section")) continue;
    if (!name(element).trim()) problems.push(`${describe(element)} has no name`);
  }
  for (const table of scope.filter((element) => element.localName === "table")) {
    for (const head of table.querySelectorAll("th")) if (!head.scope) problems.push(`${describe(head)} has no scope`);
  }

  // References and order.
  const ids = all.map((element) => element.id).filter(Boolean);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) problems.push(`the id ${id} is not unique`);
  for (const element of all) {
    for (const attribute of ["for", "aria-controls", "aria-labelledby", "aria-describedby"]) {
      for (const id of (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean)) {
        if (!document.getElementById(id)) problems.push(`${describe(element)} refers to ${id}, which does not exist`);
      }
    }
    if (element.tabIndex > 0) problems.push(`${describe(element)} changes the order of focus`);
  }
  const levels = scope.filter((element) => /^h[1-6]$/.test(element.localName)).map((element) => Number(element.localName[1]));
  levels.forEach((level, index) => {
    if (index && level > levels[index - 1] + 1) problems.push(`a heading of level ${level} follows one of level ${levels[index - 1]}`);
  });
  if (!document.documentElement.lang) problems.push("the page has no language");

  // Contrast of text: 4.5, or 3 if it is large (WCAG 2.2, 1.4.3).
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, bottom) => top.slice(0, 3).map((value, index) => value * top[3] + bottom[index] * (1 - top[3]));
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba("Canvas").slice(0, 3));
  };
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  for (const element of scope) {
    if (!isText(element) || element.matches(":disabled, option, script, style, title") || element.closest(":disabled")) continue;
    const style = getComputedStyle(element);
    const [below, color] = [background(element), rgba(style.color)];
    const [light, dark] = [luminance(below), luminance(over(color, below))].sort((one, other) => other - one);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least) problems.push(`${describe(element)} has a contrast of ${ratio.toFixed(2)}`);
  }
  return [...new Set(problems)];
}
