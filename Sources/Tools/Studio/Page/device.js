// Trying answers on a running device.

// Asks for something that waits for the device. Other requests of the page do not wait for it.
async function askDevice(path, body = {}) {
  const content = { policy: state.policy, revision: state.revision, panel, ...body };
  const response = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content),
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

// Returns the device's verdict in a cell, with a mark if it differs from the computed one; null if there is none.
function tried(answer) {
  if (!answer.tried) return null;
  return h("small", { class: answer.tried === answer.outcome ? "tried" : "tried differs" },
    `${answer.tried === answer.outcome ? "" : "≠ "}device: ${words(answer.tried)}`);
}

// Returns the device's verdict in words for a label; empty if there is none.
function triedWords(answer) {
  if (!answer.tried) return "";
  return `, the device ${answer.tried === answer.outcome ? "agrees" : `differs: ${answer.tried}`}`;
}

// Returns the device's name and whether it has a draft; an empty text without a device.
function deviceStatus() {
  if (!state.device) return "";
  const { name, applied } = state.device;
  return h("span", { class: "device" }, `Device ${name}`,
    applied.length ? [`: its policy ${applied.join(" and ")} is a draft `, h("button", { "data-key": "put-back", onclick: putBack }, "Put the device's policy back")] : null);
}

async function putBack(event) {
  event.target.disabled = true;
  try {
    show(await askDevice("putBack"));
    message.textContent = "the device has its policy again";
  } catch (error) {
    show(await ask("state"));
    message.textContent = error.message;
  }
}

// Replaces what an element contains. Parts that are null are left out.
function fill(element, ...parts) {
  element.replaceChildren(...parts.filter((part) => part !== null));
}

// The milliseconds after which a pending answer of the device is explained.
const PATIENCE = 5000;

// Shows that the page waits for the device, and after some seconds the possible reasons. The reasons are left out once
// the element shows anything else.
function showWaiting(element, text) {
  const note = h("p", { class: "faint" }, text);
  fill(element, note);
  setTimeout(() => {
    if (note.isConnected) note.append(` The device ${state.device.name} has not answered yet. It may be busy or suspended; the answer appears here.`);
  }, PATIENCE);
}

// Returns the part of an explanation that tries the answer of a cell on the device; null without a device.
function trying(cell) {
  if (!state.device) return null;
  const section = h("section", { class: "try", "aria-label": "On the device", "aria-live": "polite" });
  showWaiting(section, `Looking at ${state.device.name}…`);
  offer(section, cell);
  return section;
}

// Shows what a try changes with its button, or the reason why there is none.
async function offer(section, cell, replacing) {
  const heading = h("h3", {}, `On the device ${state.device.name}:`);
  try {
    const plan = await askDevice("device", { ...cell, replacing });
    const choice = plan.policies?.length > 1
      ? h("label", {}, "Replace the policy ", h("select", { onchange: (event) => offer(section, cell, event.target.value) },
        plan.policies.map((name) => h("option", { value: name, selected: name === plan.policy }, name)))) : null;
    if (plan.reason) {
      fill(section, heading, choice, h("p", {}, "It cannot be tried: ", named(plan.reason), "."));
      return;
    }
    const result = h("div", { id: "try-result" });
    fill(section, heading,
      choice,
      h("ul", { id: "try-effects" }, plan.effects.map((effect) => h("li", {}, effect)),
        plan.steps.map((step) => h("li", {}, "It then carries out ", h("code", {}, step)))),
      h("p", {}, h("button", {
        "aria-describedby": "try-effects",
        onclick: (event) => tryOut(event.target, result, { ...cell, replacing: plan.policy }),
      }, "Try it on the device")),
      result);
  } catch (error) {
    fill(section, heading, h("p", { class: "unmet" }, named(error.message)));
  }
}

async function tryOut(button, result, body) {
  button.disabled = true;
  showWaiting(result, "The device carries it out…");
  try {
    const answer = await askDevice("try", body);
    const isSame = answer.outcome === answer.computed;
    fill(result,
      h("p", { class: answer.outcome }, words(answer.outcome), isSame ? ", as computed" : ""),
      isSame && answer.rule !== answer.computedRule ? h("p", {}, "The workbench computed it by ", h("strong", {}, answer.computedRule), ".") : null,
      isSame ? null : h("p", { class: "unmet" }, `≠ The workbench computed ${answer.computed}. The device decided by other facts:`),
      h("p", {}, h("strong", {}, answer.rule), " decides", answer.text ? [": ", rich(answer.text)] : null),
      h("details", {}, h("summary", {}, "The device's report"), h("pre", { tabindex: 0 }, answer.report.join("\n"))));
  } catch (error) {
    fill(result, h("p", { class: "unmet" }, named(error.message)));
  }
  button.disabled = false;
  // The cell has the verdict now, and the header whether the device has a draft.
  const next = await answerTo("state");
  if (next) show(next);
}
