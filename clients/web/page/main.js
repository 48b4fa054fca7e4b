// Puts the page together: reads the address, joins the room, and shares the selection between stage, tree and panels.
import { $, h, throttled, toast } from "./dom.js";
import { EarlyWebSocket, address } from "./join.js";
import { Room } from "./room.js";
import { Stage } from "./stage.js";

const COLORS = ["#7aa2f7", "#9ece6a", "#e0af68", "#f7768e", "#bb9af7", "#7dcfff", "#ff9e64", "#73daca"];
const DEVICES = [
  ["Phone", 360, 720], ["Phone, landscape", 720, 360], ["Tablet", 768, 1024], ["Tablet, landscape", 1024, 768],
  ["Laptop", 1280, 800], ["Television", 1920, 1080], ["Terminal 80 × 24", 640, 384],
];

function remembered(key, make) {
  const value = localStorage.getItem(key) ?? make();
  localStorage.setItem(key, value);
  return value;
}

const room = new Room({ ...address, WebSocket: EarlyWebSocket });
const stage = new Stage($("scene"));

/** What the parts share. */
const app = {
  room, stage, selection: [], hovered: undefined, isFitted: true,
  select(ids, adds = false) {
    const next = adds ? [...app.selection.filter((id) => !ids.includes(id)), ...ids.filter((id) => !app.selection.includes(id))] : ids;
    app.selection = next.filter((id) => room.mirror.numbers.has(id));
    room.presence.selection = app.selection.slice(0, 64);
    tellPresence();
    for (const id of ids) app.tree?.reveal(id);
    app.tree?.mark();
    room.emit("selection");
    room.requestDocumentSoon();
    schedule();
  },
  hover(id) {
    app.hovered = id;
    schedule();
  },
  reparent(id, parent, index) { return room.send([{ op: "moveView", id, parent, index }]); },
  remove() {
    const ids = app.selection.filter((id) => id !== "root");
    if (ids.length) room.send(ids.map((id) => ({ op: "removeView", id })));
  },
  /** Selects a view as soon as there is one of that name. */
  selectSoon(id) {
    if (room.mirror.numbers.has(id)) app.select([id]);
    else app.awaited = id;
  },
  schedule: () => schedule(),
  look: (...where) => { app.isFitted = false; look(...where); },
};
const tellPresence = throttled(80, () => room.sayWhereIAm());

room.wantsDocument = () => !document.hidden && (app.selection.length > 0 || !document.body.classList.contains("no-right"));

// --- Painting ---------------------------------------------------------------------------------------------------------

let isScheduled = false;
function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    paint();
  });
}

function paint() {
  const start = performance.now();
  if (!room.welcome || room.mirror.needsSnapshot) return;
  if (!stage.dirty) resize();
  if (stage.isStale) stage.rebuild(room.mirror, room.welcome);
  if (app.isFitted) fit();
  const isMoving = stage.paint(room.tickNow());
  const sample = room.samples[room.samples.length - 1];
  room.spent += performance.now() - start;
  if (sample) sample.script = room.spent;
  app.frames?.push(room.spent);
  room.spent = 0;
  if (!app.firstPicture) {
    app.firstPicture = performance.now();
    // The browser shows it with its next frame, and what else there is to do comes after that.
    requestAnimationFrame(() => {
      performance.mark("first-picture");
      setTimeout(loadTools);
    });
  }
  app.overlay?.paint();
  if (isMoving) schedule();
}

/** What is not needed for looking comes after the first picture. */
async function loadTools() {
  document.body.classList.remove("loading");
  room.introduce(remembered("scenesync-name", () => `guest ${Math.ceil(Math.random() * 99)}`),
    remembered("scenesync-color", () => COLORS[Math.floor(Math.random() * COLORS.length)]));
  document.head.append(h("link", { rel: "stylesheet", href: "/page/tools.css" }));
  const [{ Tree }, { Overlay }, { Inspector, makePalette }, { Learn }, { Share }, { Composer }] = await Promise.all(
    [import("./tree.js"), import("./overlay.js"), import("./inspector.js"), import("./learn.js"), import("./share.js"), import("./composer.js")]);
  stage.composer = new Composer(stage);
  app.tree = new Tree(app);
  app.tree.build();
  app.overlay = new Overlay(app);
  app.learn = new Learn(app);
  app.share = new Share(app);
  app.inspector = new Inspector(app);
  makePalette(app);
  schedule();
}

/** Gives the canvas the size of its place, which empties it; whether it did. */
function resize() {
  const { clientWidth, clientHeight } = $("stage"), ratio = devicePixelRatio || 1;
  return stage.resize(Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio)), ratio);
}
// At once, as the browser is about to show the frame.
new ResizeObserver(() => { if (resize()) paint(); }).observe($("stage"));
// While the room's first answer is under way there is time to lay the page out and to look for the font.
setTimeout(() => {
  resize();
  stage.measure("0");
});

// --- The camera -------------------------------------------------------------------------------------------------------

function fit() {
  const { mirror, camera } = stage, { clientWidth, clientHeight } = $("stage");
  const width = mirror.width[mirror.root] / stage.unit, height = mirror.height[mirror.root] / stage.unit;
  const margin = Math.min(48, clientWidth * 0.04);
  const scale = Math.min(4, Math.max(0.02, Math.min((clientWidth - 2 * margin) / width, (clientHeight - 2 * margin) / height)));
  look(scale, (clientWidth - width * scale) / 2, (clientHeight - height * scale) / 2);
  app.isFitted = true;
}

function look(scale, x, y) {
  const { camera } = stage;
  if (camera.scale === scale && camera.x === x && camera.y === y) return;
  Object.assign(camera, { scale, x, y });
  stage.needsAll = true;
  $("fit").textContent = `${Math.round(scale * 100)} %`;
  schedule();
}

/** Zooms about a place of the stage, by default its middle. */
function zoom(factor, x = $("stage").clientWidth / 2, y = $("stage").clientHeight / 2) {
  const { camera } = stage, scale = Math.min(16, Math.max(0.05, camera.scale * factor)), by = scale / camera.scale;
  app.isFitted = false;
  look(scale, x - (x - camera.x) * by, y - (y - camera.y) * by);
}

$("stage").addEventListener("wheel", (event) => {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) return zoom(Math.exp(-event.deltaY / 200), event.offsetX, event.offsetY);
  app.isFitted = false;
  return look(stage.camera.scale, stage.camera.x - event.deltaX, stage.camera.y - event.deltaY);
}, { passive: false });
$("in").onclick = () => zoom(1.25);
$("out").onclick = () => zoom(0.8);
$("fit").onclick = () => { app.isFitted = true; schedule(); };

// --- What the room says -----------------------------------------------------------------------------------------------

const buildTree = throttled(120, () => app.tree?.build());
room.on("structure", () => {
  stage.isStale = true;
  if (app.selection.some((id) => !room.mirror.numbers.has(id))) app.select(app.selection);
  if (app.awaited !== undefined && room.mirror.numbers.has(app.awaited)) {
    app.select([app.awaited]);
    app.awaited = undefined;
  }
  buildTree();
  schedule();
});
// The first picture does not wait for the browser's next frame.
room.on("update", () => (app.firstPicture ? schedule() : paint()));
room.on("document", schedule);
room.on("diagnostics", () => app.tree?.mark());
room.on("refused", ({ code, message, conflicting }) => {
  toast(conflicting?.length ? `Refused: ${message}` : `Refused (${code}): ${message}`, "bad");
});
room.on("problem", (error) => toast(error.text ?? error.message, "bad"));
room.on("status", (detail) => {
  const { status, welcome } = room, pill = $("status");
  if (status === "waiting" || status === "refused") document.body.classList.remove("loading");
  const texts = {
    connecting: "connecting", live: room.isPast ? "the past" : welcome?.role === "editor" ? "live" : "live, viewing",
    waiting: "offline, coming back", refused: "refused",
  };
  pill.textContent = texts[status];
  pill.className = `pill ${room.isPast && status === "live" ? "past" : status}`;
  for (const id of ["undo", "redo"]) $(id).disabled = !room.mayEdit;
  $("device").disabled = !room.mayEdit;
  $("notice").textContent = status === "refused" ? `The server closed the connection: ${detail}` : "";
  if (status === "refused" && detail.startsWith("4001")) $("notice").textContent = "This room needs a link with a token.";
});
room.on("people", () => {
  $("people").replaceChildren(...[...room.people.values()].slice(0, 8).map((person) => {
    const badge = h("span", { class: "person", role: "listitem", title: person.name, "aria-label": person.name, text: [...person.name][0]?.toUpperCase() ?? "?" });
    badge.style.background = person.color ?? "#7aa2f7";
    badge.style.color = "#10121c";
    return badge;
  }));
  schedule();
});

// --- The header -------------------------------------------------------------------------------------------------------

$("room").textContent = address.room;
document.title = `${address.room} · SceneSync`;
$("undo").onclick = () => room.undo();
$("redo").onclick = () => room.undo("redo");
$("device").append(h("option", { value: "", text: "Viewport" }), ...DEVICES.map(([name, width, height]) =>
  h("option", { value: `${width} ${height}`, text: `${name}  ${width} × ${height}` })));
$("device").onchange = ({ target }) => {
  const [width, height] = target.value.split(" ").map(Number);
  if (width) room.send([{ op: "setViewport", width, height }]);
  app.isFitted = true;
  target.value = "";
};
for (const [button, panel] of [["show-left", "left"], ["show-right", "right"]]) {
  const show = (isShown) => {
    document.body.classList.toggle(`no-${panel}`, !isShown);
    $(button).setAttribute("aria-expanded", String(isShown));
  };
  show(innerWidth > 900);
  $(button).addEventListener("click", () => room.requestDocumentSoon());
  $(button).onclick = () => show(document.body.classList.contains(`no-${panel}`));
}

addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase(), isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && key === "z") room.undo(event.shiftKey ? "redo" : "undo");
  else if (isCommand && key === "y") room.undo("redo");
  else if (isCommand) return;
  else if (key === "f") { app.isFitted = true; schedule(); }
  else if (key === "escape") app.select([]);
  else if (key === "delete" || key === "backspace") app.remove();
  else if (key === "+" || key === "=") zoom(1.25);
  else if (key === "-") zoom(0.8);
  else return;
  event.preventDefault();
});

// For measurements and tests: nothing here that the page's own buttons cannot do.
window.scenesync = app;
