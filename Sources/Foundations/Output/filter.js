// Finds rows and columns of tables, and items of lists, by words; and answers by their kind.
const KINDS = { differs: "different", blocked: "blocked", encrypted: "encrypted", allowed: "allowed", doubt: "assumed or contested" };
const ANSWERS = "td.allowed, td.encrypted, td.blocked";

// A difference concerns all answers of its row.
function isOf(kind, cell) {
  if (kind === "differs") return cell.parentElement.querySelector(".differs") !== null;
  return kind === "doubt" ? cell.textContent.includes("?") : cell.classList.contains(kind);
}

const answers = [...document.querySelectorAll(ANSWERS)];
const items = [...document.querySelectorAll("h3 + ul > li")];
const find = h("input", { type: "search", size: 16, oninput: filter });
const chosen = h("select", { onchange: filter }, h("option", { value: "" }, "all"),
  Object.entries(KINDS).filter(([kind]) => answers.some((cell) => isOf(kind, cell))).map(([kind, title]) => h("option", { value: kind }, title)));
const found = h("span", { role: "status", class: "faint" });
document.querySelector("main").prepend(h("div", { class: "bar", role: "search" },
  h("label", {}, "Find ", find), answers.length ? h("label", {}, "Answers ", chosen) : null, found));

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = chosen.value;
  const isFiltered = words.length > 0 || kind !== "";
  const hasWords = (...texts) => words.every((word) => texts.join(" ").toLowerCase().includes(word));
  let count = 0;
  for (const table of document.querySelectorAll("main table")) {
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    const rows = [...table.tBodies[0].rows];
    // Without answers, a row matches as a whole.
    const hasAnswers = table.querySelector(ANSWERS) !== null;
    const matches = rows.map((row) => [...row.cells].map((cell, column) => column > 0 && (hasAnswers
      ? cell.matches(ANSWERS) && (!kind || isOf(kind, cell)) && hasWords(table.caption.textContent, row.cells[0].textContent, heads[column])
      : hasWords(row.textContent))));
    const isShown = heads.map((_, column) => !isFiltered || column === 0 || matches.some((row) => row[column]));
    for (const row of table.rows) [...row.cells].forEach((cell, column) => { cell.hidden = !isShown[column]; });
    rows.forEach((row, index) => {
      row.hidden = isFiltered && !matches[index].includes(true);
      [...row.cells].forEach((cell, column) => cell.classList.toggle("out", isFiltered && column > 0 && !matches[index][column]));
    });
    table.hidden = rows.every((row) => row.hidden);
    if (hasAnswers) count += matches.flat().filter(Boolean).length;
  }
  for (const item of items) item.hidden = !hasWords(item.textContent);
  found.textContent = isFiltered && answers.length ? `${count} of ${answers.length} answers` : "";
}

document.body.dataset.ready = "";
