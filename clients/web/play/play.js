// The playground: a document on the left, its layout on several devices on the right. The engine runs in a worker; nothing is sent.
import { Mirror } from "./scenesync.js";
import { $, h } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { Stage } from "./stage.js";

/** Milliseconds without a key before a text is laid out. */
const PAUSE = 120;
/** Milliseconds after which the engine is stopped and started again; its budget ends sooner on most machines. */
const PATIENCE = 15_000;
/** The height of a picture in CSS pixels, if it is not too wide then. */
const HEIGHT = 360;
const WIDTH = 620;

// --- The engine ----------------------------------------------------------------------------------------------------------

class Engine {
  turn = 0;
  waiting = new Map();

  constructor() { this.start(); }

  start() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.waiting.get(data.turn)?.(data);
    this.worker.onerror = (event) => this.stop(event.message || "the engine could not be loaded");
  }

  /** Answers all that wait with a fault, and starts anew. */
  stop(message) {
    this.worker.terminate();
    for (const resolve of this.waiting.values()) resolve({ fault: { code: "stopped", message } });
    this.start();
  }

  async ask(question) {
    const turn = ++this.turn;
    const timer = setTimeout(() => this.stop("the layout takes too long"), PATIENCE);
    const answer = await new Promise((resolve) => {
      this.waiting.set(turn, resolve);
      this.worker.postMessage({ turn, ...question });
    });
    clearTimeout(timer);
    this.waiting.delete(turn);
    return answer;
  }
}

const engine = new Engine();

// --- Pictures ------------------------------------------------------------------------------------------------------------

const ratio = globalThis.devicePixelRatio || 1;

function tile(picture) {
  const { device, fault, ambiguous = [], broken = [], errors = [] } = picture;
  const name = h("b", { text: device || "viewport" });
  if (fault) return h("figure", {}, h("figcaption", {}, name, h("span", { class: "warn", text: fault.message })));
  const mirror = new Mirror();
  mirror.apply({ type: "snapshot", ...picture.snapshot });
  const unit = picture.unitsPerPoint;
  const [, , units, unitsHigh] = mirror.frame(mirror.root);
  const [width, height] = [units / unit, unitsHigh / unit];
  const canvas = h("canvas", { role: "img", "aria-label": `The layout on ${device || "the viewport"}`, tabindex: "0" });
  const scale = Math.min(HEIGHT / Math.max(height, 1), WIDTH / Math.max(width, 1));
  Object.assign(canvas.style, { width: `${width * scale}px`, height: `${height * scale}px` });
  const stage = new Stage(canvas);
  const paint = () => {
    stage.camera.scale = scale;
    stage.needsAll = true;
    stage.resize(Math.max(1, Math.round(width * scale * ratio)), Math.max(1, Math.round(height * scale * ratio)), ratio);
    stage.rebuild(mirror, picture);
    stage.paint(0);
  };
  stage.wantsPaint = paint;
  paint();
  canvas.onclick = ({ offsetX, offsetY }) => {
    const number = stage.hit(offsetX / scale, offsetY / scale);
    if (number !== undefined) explain(mirror.views.get(number).id, device);
  };
  const notes = [
    ...errors, ...broken.map((id) => `${id} was given up`), ...(ambiguous.length ? [`ambiguous: ${ambiguous.slice(0, 5).join(", ")}${ambiguous.length > 5 ? " …" : ""}`] : []),
  ];
  return h("figure", { "data-device": device },
    h("figcaption", {}, name, h("span", { text: `${width} × ${height}` }), ...notes.map((text) => h("span", { class: "warn", text }))), canvas);
}

async function explain(id, device) {
  const { explanation, fault } = await engine.ask({ explain: id, device });
  if (!explanation) {
    $("why").replaceChildren(h("p", { text: fault?.message ?? "Lay the document out again first." }));
    return;
  }
  const rules = (list, axis) => list.map(({ id: name, kind, rule }) => h("li", {}, `${axis}: `, h("code", { text: rule }), ` (${name ?? kind})`));
  $("why").replaceChildren(
    h("p", { text: `${id} on ${device || "the viewport"}${explanation.ambiguous ? ", which could lie elsewhere too" : ""}` }),
    h("ul", {}, ...rules(explanation.horizontal, "x"), ...rules(explanation.vertical, "y")));
}

// --- The text ------------------------------------------------------------------------------------------------------------

const source = $("source");
let faultyLine = 0;
let shown = 0;

function number() {
  const count = source.value.split("\n").length;
  const rows = Array.from({ length: count }, (_, index) => (index + 1 === faultyLine ? h("span", { class: "bad", text: `${index + 1}` }) : `${index + 1}`));
  $("lines").replaceChildren(...rows.flatMap((row) => [row, "\n"]));
  $("lines").scrollTop = source.scrollTop;
}

async function layOut() {
  const turn = ++shown;
  const answer = await engine.ask({ text: source.value });
  // A later text is on its way.
  if (turn !== shown) return;
  faultyLine = answer.fault?.line ?? 0;
  number();
  $("devices").classList.toggle("stale", Boolean(answer.fault));
  if (answer.fault) {
    const { message, line } = answer.fault;
    $("fault").textContent = line && !message.includes(`line ${line}`) ? `line ${line}: ${message}` : message;
    $("status").textContent = "not laid out";
    return;
  }
  $("fault").textContent = "";
  $("devices").replaceChildren(...answer.pictures.map(tile));
  const work = answer.pictures.reduce((sum, picture) => sum + (picture.work ?? 0), 0);
  $("status").textContent = `${answer.pictures.length} layouts in ${Math.max(1, Math.round(answer.milliseconds))} ms, ${work.toLocaleString("en")} units of work`;
}

/** Selects the faulty line and brings it into sight. */
$("fault").addEventListener("click", () => {
  if (!faultyLine) return;
  const rows = source.value.split("\n");
  const start = rows.slice(0, faultyLine - 1).reduce((sum, row) => sum + row.length + 1, 0);
  source.focus();
  source.setSelectionRange(start, start + rows[faultyLine - 1].length);
  source.scrollTop = source.scrollHeight * (faultyLine - 1) / rows.length - source.clientHeight / 2;
});

let timer;
source.addEventListener("input", () => {
  number();
  clearTimeout(timer);
  timer = setTimeout(layOut, PAUSE);
});
source.addEventListener("scroll", () => { $("lines").scrollTop = source.scrollTop; });

function take(text) {
  source.value = text;
  source.scrollTop = 0;
  faultyLine = 0;
  number();
  return layOut();
}

// --- Links ---------------------------------------------------------------------------------------------------------------

/** A text as the characters of a fragment: deflated, in base64url. Browsers send no fragment to a server. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(characters) {
  const binary = atob(characters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

$("share").addEventListener("click", async () => {
  history.replaceState(null, "", `#d=${await packed(source.value)}`);
  try {
    await navigator.clipboard.writeText(location.href);
    $("status").textContent = "the link is copied";
  } catch {
    $("status").textContent = "the link is in the address bar";
  }
});

async function fromFragment() {
  const found = /^#d=([\w-]+)$/.exec(location.hash);
  if (!found) return undefined;
  try {
    return await unpacked(found[1]);
  } catch {
    $("fault").textContent = "the link is damaged; this is an example instead";
    return undefined;
  }
}
addEventListener("hashchange", async () => {
  const text = await fromFragment();
  if (text !== undefined && text !== source.value) take(text);
});

// --- The beginning -------------------------------------------------------------------------------------------------------

const names = Object.keys(EXAMPLES);
$("examples").append(...names.map((name) => h("option", { text: name })));
$("examples").value = "holy-grail";
$("examples").addEventListener("change", ({ target }) => take(EXAMPLES[target.value]));
take((await fromFragment()) ?? EXAMPLES["holy-grail"]);
