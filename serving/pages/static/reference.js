// The reference works without this: it adds fields for values, trying calls, and one choice of language for all code.
"use strict";

const SHOWN = 20000;
const key = document.getElementById("key");

// Fields are made when an entry is first opened: all of them at once would weigh on the page.
function fieldFor(cell) {
  const { name, choices } = cell.dataset;
  const field = document.createElement(choices ? "select" : "input");
  if (choices) for (const choice of ["", ...choices.split(" ")]) field.add(new Option(choice, choice));
  field.name = name;
  field.required = "required" in cell.dataset;
  field.setAttribute("aria-label", name);
  field.autocomplete = "off";
  field.spellcheck = false;
  field.value = cell.textContent.trim();
  cell.replaceChildren(field);
}

function addressOf(entry) {
  let path = entry.dataset.path;
  const query = new URLSearchParams();
  for (const cell of entry.querySelectorAll(".example")) {
    const { name, place } = cell.dataset;
    const value = cell.firstElementChild.value.trim();
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value) query.set(name, value);
  }
  return query.size ? `${path}?${query}` : path;
}

function readable(text, type) {
  const whole = /json/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}\n… ${(whole.length - SHOWN).toLocaleString("en")} further characters` : whole;
}

async function send(entry) {
  const [status, body] = entry.querySelector(".answer").children;
  const address = addressOf(entry);
  const metered = "metered" in entry.dataset;
  const headers = metered && key.value.trim() ? { Authorization: `Bearer ${key.value.trim()}` } : {};
  entry.querySelector(".answer").hidden = false;
  status.textContent = `GET ${address} …`;
  body.textContent = "";
  try {
    const begun = performance.now();
    const answer = await fetch(address, { headers: { Accept: "application/json, */*;q=0.5", ...headers } });
    const text = await answer.text();
    const told = [`${answer.status} in ${Math.round(performance.now() - begun)} ms`];
    const [cost, left] = ["X-Credits-Cost", "X-Credits-Remaining"].map((name) => answer.headers.get(name));
    if (cost !== null) told.push(`cost ${cost}`, `${left} credits left`);
    status.textContent = `GET ${address}: ${told.join(", ")}`;
    body.textContent = readable(text, answer.headers.get("Content-Type") ?? "");
  } catch (error) {
    status.textContent = `GET ${address}: no answer came. ${error.message}`;
  }
}

function prepare(entry) {
  if (!entry.open || entry.dataset.ready) return;
  entry.dataset.ready = "yes";
  if (entry.dataset.method !== "GET") return;
  for (const cell of entry.querySelectorAll(".example")) fieldFor(cell);
}

for (const entry of document.querySelectorAll(".operation")) {
  prepare(entry);
  entry.addEventListener("toggle", () => prepare(entry));
  entry.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send(entry);
  });
}

for (const choice of document.querySelectorAll(".code input")) {
  choice.addEventListener("change", () => {
    for (const other of document.querySelectorAll(`.code input[value="${choice.value}"]`)) other.checked = true;
  });
}
