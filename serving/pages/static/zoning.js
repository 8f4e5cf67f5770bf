// The list of zones works without this: it adds the map, the zone that is chosen, and finding one by its code.
"use strict";

const place = document.getElementById("map");
const matter = document.getElementById("zone-matter");
const title = document.getElementById("zone-title");
const links = [...document.querySelectorAll("[data-zone]")];
const byCode = new Map(links.map((link) => [link.dataset.zone, link]));
const OPACITIES = [0.3, 0.45, 0.6, 0.75];
// Pixels: of a label's letters, and across a polygon that has room for one.
const LABEL = 13;
const ROOM = 14;
let map = null;
let features = [];
let parts = [];
let chosen = "";

// What the style sheet says of the present theme.
function theme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    ink: colour("--ink"), paper: colour("--paper"), card: colour("--card"), accent: colour("--accent"),
    colours: [...Array(10).keys()].map((number) => colour(`--z${number}`)),
  };
}

// Images are drawn here, so that nothing is fetched for them: patterns of kinds, and codes as labels.
function canvasOf(width, height) {
  const ratio = Math.max(1, Math.min(3, window.devicePixelRatio));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * ratio);
  canvas.height = Math.ceil(height * ratio);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.scale(ratio, ratio);
  return { canvas, context, ratio };
}

function add(id, { canvas, context, ratio }) {
  const image = context.getImageData(0, 0, canvas.width, canvas.height);
  if (!map.hasImage(id)) map.addImage(id, image, { pixelRatio: ratio });
}

function addPattern(id, number) {
  const drawing = canvasOf(16, 16);
  const path = document.querySelector(`[data-pattern="${number}"] path`);
  if (path) {
    drawing.context.strokeStyle = theme().ink;
    drawing.context.globalAlpha = 0.55;
    drawing.context.lineWidth = 1.2;
    drawing.context.stroke(new Path2D(path.getAttribute("d")));
  }
  add(id, drawing);
}

function addLabel(id, text) {
  const font = `600 ${LABEL}px system-ui, sans-serif`;
  const probe = canvasOf(1, 1).context;
  probe.font = font;
  const drawing = canvasOf(probe.measureText(text).width + 8, LABEL + 8);
  const { ink, card } = theme();
  drawing.context.font = font;
  drawing.context.textBaseline = "middle";
  drawing.context.lineJoin = "round";
  drawing.context.lineWidth = 3.5;
  drawing.context.strokeStyle = card;
  drawing.context.strokeText(text, 4, LABEL / 2 + 4);
  drawing.context.fillStyle = ink;
  drawing.context.fillText(text, 4, LABEL / 2 + 4);
  add(id, drawing);
}

function styleOf() {
  const { ink, paper, accent, colours } = theme();
  const colour = ["match", ["get", "colour"], ...colours.flatMap((value, number) => [number, value]), colours[9]];
  const only = ["==", ["get", "zoneCode"], chosen];
  return {
    version: 8,
    sources: {
      zones: { type: "geojson", data: { type: "FeatureCollection", features } },
      parts: { type: "geojson", data: { type: "FeatureCollection", features: parts } },
    },
    layers: [
      { id: "paper", type: "background", paint: { "background-color": paper } },
      {
        id: "zones", type: "fill", source: "zones", layout: { "fill-sort-key": ["get", "order"] },
        paint: { "fill-color": colour, "fill-opacity": ["get", "opacity"] },
      },
      {
        id: "patterns", type: "fill", source: "zones", filter: [">", ["get", "pattern"], 0],
        paint: { "fill-pattern": ["concat", "pattern:", ["get", "pattern"]] },
      },
      {
        id: "edges", type: "line", source: "zones",
        paint: {
          "line-color": ink,
          "line-opacity": ["interpolate", ["linear"], ["zoom"], 9, 0.1, 14, 0.6],
          "line-width": ["interpolate", ["linear"], ["zoom"], 9, 0.3, 15, 1.2],
        },
      },
      { id: "chosen", type: "line", source: "zones", filter: only, paint: { "line-color": accent, "line-width": ["interpolate", ["linear"], ["zoom"], 11, 1.2, 15, 4] } },
      {
        id: "labels", type: "symbol", source: "parts", filter: [">=", ["zoom"], ["get", "zoom"]],
        layout: {
          "icon-image": ["concat", "label:", ["get", "zoneCode"]], "icon-padding": 6, "symbol-sort-key": ["get", "size"],
        },
      },
    ],
  };
}

// Each feature learns from the list how it is drawn.
function dressed(feature, order) {
  const link = byCode.get(feature.properties.zoneCode);
  const kind = link?.closest("[data-colour]");
  return {
    type: "Feature",
    geometry: feature.geometry,
    properties: {
      ...feature.properties,
      order,
      colour: Number(kind?.dataset.colour ?? 9),
      pattern: Number(kind?.dataset.pattern ?? 0),
      opacity: OPACITIES[Number(link?.dataset.shade ?? 0)],
    },
  };
}

// The area within a ring, in square degrees.
function spread(ring) {
  let sum = 0;
  for (let at = 1; at < ring.length; at += 1) {
    sum += ring[at - 1][0] * ring[at][1] - ring[at][0] * ring[at - 1][1];
  }
  return Math.abs(sum) / 2;
}

// Every polygon by itself, with the zoom from which it is large enough for its label. Larger ones have smaller sizes.
function split(feature) {
  const { type, coordinates } = feature.geometry;
  const { zoneCode } = feature.properties;
  return (type === "Polygon" ? [coordinates] : coordinates).map((polygon) => {
    const width = Math.sqrt(Math.max(spread(polygon[0]), 1e-12));
    const zoom = Math.log2((ROOM * 360) / (512 * width));
    return {
      type: "Feature", geometry: { type: "Polygon", coordinates: polygon }, properties: { zoneCode, zoom: Math.min(zoom, 17), size: zoom },
    };
  });
}

// The largest polygon of a zone has its label however small it is drawn, where no other label is in the way.
function labelled(polygons) {
  const largest = new Map();
  for (const { properties } of polygons) {
    const before = largest.get(properties.zoneCode);
    if (!before || properties.size < before.size) largest.set(properties.zoneCode, properties);
  }
  for (const properties of largest.values()) properties.zoom = 0;
  return polygons;
}

function boundsOf(code) {
  const bounds = new maplibregl.LngLatBounds();
  const walk = (entry) => {
    if (typeof entry[0] === "number") bounds.extend(entry);
    else for (const part of entry) walk(part);
  };
  for (const feature of features) if (feature.properties.zoneCode === code) walk(feature.geometry.coordinates);
  return bounds;
}

async function firstLines(link) {
  const answer = await fetch(link.dataset.lines);
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const article = document.importNode(page.getElementById("provision"), true);
  article.removeAttribute("id");
  return article;
}

function line(tag, text, kind) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function leading(address, text, kind) {
  const paragraph = line("p", "", kind);
  const link = line("a", text);
  link.href = address;
  paragraph.append(link);
  return paragraph;
}

// What is known of one zone: its provision and the provision's first lines, or why there is none.
function describe(zone, link, heading) {
  const part = document.createElement("div");
  if (heading) part.append(line("h3", heading));
  if (zone.zoneName && zone.zoneName !== zone.zoneCode) part.append(line("p", zone.zoneName));
  if (zone.link !== "linked") {
    part.append(line("p", "This zone leads to no provision that is held here.", "warning"));
    if (zone.citation) part.append(line("p", `Placeholder: ${zone.citation}`, "law"));
  } else {
    part.append(leading(link?.href ?? "", zone.citation, "law"));
  }
  if (zone.reason) part.append(line("p", zone.reason, "hint"));
  if (zone.link === "linked" && link) {
    const waiting = line("p", "Reading the first lines …", "hint");
    part.append(waiting);
    firstLines(link).then(
      (article) => waiting.replaceWith(article),
      () => { waiting.textContent = "The first lines could not be read just now."; },
    );
  }
  return part;
}

// A click on the map also leads to the exact answer: what is drawn here is simplified.
function show(zones, at) {
  title.textContent = zones.length === 1 ? zones[0].zoneCode : zones.map((zone) => zone.zoneCode).join(" and ");
  const several = zones.length > 1;
  matter.replaceChildren(
    ...zones.map((zone) => describe(zone, byCode.get(zone.zoneCode), several ? zone.zoneCode : "")),
  );
  if (at) matter.prepend(exactly(at));
  mark(zones[0].zoneCode);
}

function showNone(at) {
  title.textContent = "No zone is drawn here";
  matter.replaceChildren(
    exactly(at), line("p", "It is a street or water, or belongs to another government, or lies outside of this map."),
  );
  mark("");
}

function exactly(at) {
  const { lat, lng } = at.wrap();
  const point = `${lat.toFixed(6)}, ${lng.toFixed(6)}`;
  return leading(place.dataset.points + encodeURIComponent(point), `Exactly at ${point}`, "hint");
}

function mark(code) {
  chosen = code;
  for (const link of links) link.toggleAttribute("aria-current", false);
  const link = byCode.get(code);
  if (link) {
    link.setAttribute("aria-current", "true");
    link.closest("details").open = true;
  }
  if (map?.getLayer("chosen")) map.setFilter("chosen", ["==", ["get", "zoneCode"], code]);
}

function choose(link) {
  const code = link.dataset.zone;
  const found = features.find((feature) => feature.properties.zoneCode === code);
  if (!found) return;
  show([found.properties]);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  map?.fitBounds(boundsOf(code), { padding: 40, maxZoom: 15, animate: !still });
  const section = document.getElementById("zone");
  if (section.getBoundingClientRect().bottom > window.innerHeight || section.getBoundingClientRect().top < 0) {
    (window.innerWidth < 900 ? place : section).scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  }
}

function zonesAt(point) {
  const seen = new Map();
  for (const found of map.queryRenderedFeatures(point, { layers: ["zones"] })) {
    if (!seen.has(found.properties.zoneCode)) seen.set(found.properties.zoneCode, found.properties);
  }
  return [...seen.values()];
}

function begin() {
  const bounds = place.dataset.bounds.split(",").map(Number);
  map = new maplibregl.Map({
    container: place, style: styleOf(), bounds, fitBoundsOptions: { padding: 24 }, attributionControl: false,
    // A finger that scrolls the page past the map does not move the map.
    cooperativeGestures: window.matchMedia("(pointer: coarse)").matches,
    locale: { "Map.Title": "Map of the zones; the list beside it says the same" },
  });
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new maplibregl.ScaleControl({ unit: "imperial" }), "bottom-left");
  map.on("styleimagemissing", ({ id }) => {
    const [kind, ...rest] = id.split(":");
    if (kind === "pattern") addPattern(id, rest.join(":"));
    else addLabel(id, rest.join(":"));
  });
  map.on("click", ({ point, lngLat }) => {
    const zones = zonesAt(point);
    if (zones.length) show(zones, lngLat);
    else showNone(lngLat);
  });
  map.on("mousemove", ({ point }) => {
    map.getCanvas().style.cursor = zonesAt(point).length ? "pointer" : "";
  });
  map.once("idle", () => { place.dataset.drawn = "yes"; });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    map.setStyle(styleOf(), { diff: false });
  });
  document.getElementById("no-map").hidden = true;
}

function find(text) {
  const wanted = text.trim().toLowerCase();
  let count = 0;
  for (const link of links) {
    const hit = !wanted || link.textContent.toLowerCase().includes(wanted);
    link.parentElement.hidden = !hit;
    count += hit;
  }
  for (const kind of document.querySelectorAll(".kinds")) {
    const hits = kind.querySelectorAll("li:not([hidden])").length;
    kind.hidden = !hits;
    if (wanted && hits && hits <= 20) kind.open = true;
  }
  document.getElementById("found").textContent = wanted ? `${count} found` : "";
}

for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || !features.length) return;
    event.preventDefault();
    choose(link);
  });
}
const field = document.getElementById("find-zone");
field?.addEventListener("input", () => find(field.value));

fetch(place.dataset.source)
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
  .then((layer) => {
    features = layer.features.map(dressed);
    parts = labelled(features.flatMap(split));
    begin();
  })
  .catch((error) => {
    place.hidden = true;
    document.getElementById("zone").hidden = !features.length;
    document.getElementById("no-map").textContent = "The map could not be drawn here; the list of zones says the same.";
    document.getElementById("no-map").hidden = false;
    console.warn(error);
  });
