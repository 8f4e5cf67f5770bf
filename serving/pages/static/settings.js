// The page works without this: it adds copying, the choice of a call to try, and guards against a double click.
"use strict";

async function copy(source) {
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without HTTPS there is no clipboard: select the text, so that the keyboard copies it.
    const selection = window.getSelection();
    if (source.select) source.select();
    else selection.selectAllChildren(source);
    return document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(document.getElementById(button.dataset.copy));
    const said = done ? "Copied" : "Selected: press Ctrl+C";
    button.textContent = said;
    document.getElementById("copied").textContent = said;
    setTimeout(() => { button.textContent = label; }, 2500);
  });
}

for (const part of document.querySelectorAll("[data-live]")) {
  part.hidden = false;
  part.removeAttribute("data-live");
}

// In a text of law, the label of a part becomes a link to the part. Thousands of links would weigh on the page itself.
for (const part of document.querySelectorAll(".text [id]")) {
  const first = part.localName === "p" ? part.firstChild : part.nextSibling;
  const words = first?.localName === "u" ? first.firstChild : first;
  const label = words?.nodeType === Node.TEXT_NODE && /^\([^()\s]{1,12}\)/.exec(words.data);
  if (!label) continue;
  const link = document.createElement("a");
  link.href = `#${part.id}`;
  const range = document.createRange();
  range.setStart(words, 0);
  range.setEnd(words, label[0].length);
  range.surroundContents(link);
}

const call = document.querySelector("[data-call]");
call?.addEventListener("change", () => {
  for (const address of document.querySelectorAll("[data-address]")) address.textContent = call.value;
});

// A call from the page goes to where the page came from, whatever address the service is known by elsewhere.
for (const button of document.querySelectorAll("[data-run]")) {
  button.addEventListener("click", async () => {
    const [ran, shown] = ["ran", "answer"].map((id) => document.getElementById(id));
    const { pathname, search } = new URL(call.value);
    const key = document.getElementById(button.dataset.run).textContent;
    button.disabled = true;
    try {
      const answer = await fetch(pathname + search, { headers: { Authorization: `Bearer ${key}` } });
      const body = JSON.stringify(await answer.json(), null, 2);
      const left = answer.headers.get("X-Credits-Remaining");
      ran.textContent = `Answered ${answer.status}${left === null ? "" : `; ${left} credits are left`}.`;
      shown.textContent = body.length > 4000 ? `${body.slice(0, 4000)}\n…` : body;
      shown.hidden = false;
    } catch (error) {
      ran.textContent = `The call failed: ${error.message}`;
      shown.hidden = true;
    }
    button.disabled = false;
  });
}

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

document.getElementById("problems")?.focus();
