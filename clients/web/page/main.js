//# allFunctionsCalledOnLoad
// Puts the page together: reads the address, joins the room, and shares the selection between stage, tree and panels.
import { $, h, throttled, toast } from "./dom.js";
import { can, Room } from "./room.js";
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

const { joining } = globalThis;
const room = new Room(joining);
const stage = new Stage($("scene"));
stage.token = joining.token;

/** What the parts share. */
const app = {
  room, stage, joining, selection: [], hovered: undefined, isFitted: true, use: (name, body) => use(name, body),
  select(ids, adds = false) {
    const next = adds ? [...app.selection.filter((id) => !ids.includes(id)), ...ids.filter((id) => !app.selection.includes(id))] : ids;
    app.selection = next.filter((id) => room.mirror.numbers.has(id));
    room.presence.selection = app.selection.slice(0, 64);
    tellPresence();
    for (const id of ids) app.tree?.reveal(id);
    app.tree?.mark();
    room.emit("selection");
    if (app.selection.length) {
      use("overlay");
      if (isShown("right")) use("inspector");
    }
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
  /** An edit begins, or may: own changes are shown before the server answers, where that helps. */
  predict() {
    if (room.ahead) room.ahead.begin();
    else if (room.mayEdit) for (const part of ["predictor", "outbox"]) use(part);
  },
  /** Whether the picture shows what the mirror holds. */
  get isPainted() { return !isScheduled && !room.ahead?.isBusy; },
  look: (...where) => { app.people?.stop(); app.pan(...where); },
  /** The same, for what the page moves by itself. */
  pan: (...where) => { app.isFitted = false; look(...where); },
  tellPresence: () => tellPresence(),
};
const tellPresence = throttled(80, () => room.sayWhereIAm());

/** Whether a panel at a side is shown. */
const isShown = (panel) => !document.body.classList.contains(`no-${panel}`);
room.wantsDocument = () => !document.hidden && (app.selection.length > 0 || app.inspector !== undefined && isShown("right"));

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
  if (!room.welcome || room.mirror.needsSnapshot || isAwaitingDevice && room.has(can.devices)) return;
  if (!stage.dirty) resize();
  if (stage.isStale) stage.rebuild(room.mirror, room.welcome);
  else stage.mirror = room.mirror;
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
      setTimeout(welcome);
    });
  }
  if (app.overlay) app.overlay.paint();
  else app.people?.paint();
  if (isMoving) schedule();
}

/** What is around the scene comes after the first picture. */
function welcome() {
  document.body.classList.remove("loading");
  room.introduce(remembered("scenesync-name", () => `guest ${Math.ceil(Math.random() * 99)}`),
    remembered("scenesync-color", () => COLORS[Math.floor(Math.random() * COLORS.length)]));
  $("share").disabled = false;
  if (isShown("left")) use("tree");
  seekLinked();
}

/** A link may lead to a moment of the past: `#tick=1200`. */
function seekLinked() {
  const tick = new URLSearchParams(location.hash.slice(1)).get("tick");
  if (/^\d{1,15}$/.test(tick ?? "") && room.has(can.seek)) room.seek(Number(tick));
}
addEventListener("hashchange", seekLinked);

// --- What is fetched at its first use ---------------------------------------------------------------------------------

let styles;
/** The styles of what comes later; nothing is shown without them. */
const styled = () => (styles ??= new Promise((done, fail) => {
  document.head.append(h("link", { rel: "stylesheet", href: "page/tools.css", onload: done, onerror: fail }));
}));

const makers = {
  tree: () => import("./tree.js").then(({ Tree }) => { app.tree = new Tree(app); }),
  people: () => import("./people.js").then(({ People }) => { app.people = new People(app); }),
  composer: () => import("./composer.js").then(({ Composer }) => { stage.composer = new Composer(stage); }),
  overlay: () => import("./overlay.js").then(({ Overlay }) => { app.overlay = new Overlay(app, early); }),
  inspector: () => Promise.all([import("./inspector.js"), styled()]).then(([{ Inspector }]) => {
    app.inspector = new Inspector(app);
    room.requestDocument();
  }),
  predictor: () => import("./predictor.js").then(({ Predictor }) => { room.ahead = new Predictor(app); }),
  outbox: () => Promise.all([import("./outbox.js"), styled()]).then(([{ Outbox }]) => Outbox.open(app)).then((outbox) => { app.outbox = outbox; }),
  palette: () => import("./palette.js").then(({ add }) => { app.add = add; }),
  learn: () => Promise.all([import("./learn.js"), styled()]).then(([{ Learn }]) => { app.learn = new Learn(app); }),
  wall: () => Promise.all([import("./wall.js"), styled()]).then(([{ Wall }]) => { app.wall = new Wall(app); }),
  preview: () => import("./preview.js").then(({ Preview }) => { app.preview = new Preview(); }),
  recorder: () => import("./recorder.js").then(({ Recorder }) => { app.recorder = new Recorder(app); }),
  share: () => Promise.all([import("./share.js"), styled()]).then(([{ Share }]) => { app.share = new Share(app); }),
};
const parts = {};

/** Fetches a part of the page at its first use, and goes on with it; what did not come is tried again at the next use. */
function use(name, body) {
  parts[name] ??= makers[name]().then(schedule);
  // A server that is silent does not fail: the part comes when it is back.
  const timer = body && setTimeout(() => toast("The server does not answer: this opens when it is back.", "bad"), 2000);
  parts[name].finally(() => clearTimeout(timer)).then(body, () => {
    delete parts[name];
    if (body) toast("This part of the page could not be fetched: try again when the server is there.", "bad");
  });
}

// Who only looks fetches little; who does something may want to show it to others.
for (const type of ["pointermove", "keydown"]) addEventListener(type, () => use("recorder"), { once: true, passive: true });
// A tool is fetched when the pointer reaches it: it is about to be used.
for (const [place, name] of [["right", "inspector"], ["palette", "palette"], ["show-learn", "learn"], ["show-wall", "wall"], ["share", "share"], ["stage", "overlay"]]) {
  for (const type of name === "inspector" ? ["pointerover"] : ["pointerover", "focusin"]) $(place).addEventListener(type, () => use(name));
}
$("look").onclick = () => use("inspector", () => $("right").focus());
$("show-learn").onclick = () => use("learn", () => app.learn.toggle());
$("show-wall").onclick = () => use("wall", () => app.wall.toggle());
$("share").onclick = () => use("share", () => app.share.open());
$("palette").onclick = ({ target }) => { if (target.matches("button")) use("palette", () => app.add(app, target.textContent)); };
stage.needsComposer = () => use("composer");
stage.wantsPaint = schedule;
if (joining.isPreview) use("preview");
// What people say is marked over the scene, and listed at the right.
room.on("annotations", () => {
  if (!room.client.annotations.size && !app.overlay) return;
  for (const part of ["overlay", "inspector"]) use(part);
  schedule();
});

/** What happens on the stage before the overlay is there waits for it, in its order: no gesture is lost. */
const early = [];
function wait(event) {
  if (app.overlay || (event.type === "pointermove" && !event.buttons)) return;
  if (event.type === "pointerdown") $("over").setPointerCapture(event.pointerId);
  early.push(event);
  use("overlay");
}
for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "dblclick", "keydown", "pointerleave"]) $("over").addEventListener(type, wait);

// A document that is dropped anywhere takes the scene's place.
const hasFile = ({ dataTransfer }) => [...dataTransfer.types].includes("Files");
document.addEventListener("dragover", (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  use("share");
});
document.addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  use("share", () => app.share.take(file));
});

// --- The canvas -------------------------------------------------------------------------------------------------------

/** What is held in the hand has no room for a picture of another screen: the scene is laid out for it, and fills it. */
const isPhone = matchMedia("(max-width: 600px) and (pointer: coarse), (max-height: 600px) and (pointer: coarse)");
/** Whether the first picture waits for that. */
let isAwaitingDevice = isPhone.matches;
/** Whether the scene is laid out for the stage as it is. */
const isOwnWindow = () => room.granted?.fit === "exact" && room.client.device?.viewport?.width !== undefined;
const isDark = matchMedia("(prefers-color-scheme: dark)");
/** The colours of what is around the scene, and under it. */
function takeColors() {
  stage.backdrop = getComputedStyle(document.body).backgroundColor;
  stage.paper = isDark.matches ? stage.backdrop : "#ffffff";
  stage.needsAll = true;
  // A frame before there is anything to show would only delay the one that shows it.
  if (app.firstPicture) schedule();
}
isDark.addEventListener("change", takeColors);

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
  takeColors();
  stage.measure("0");
});

// --- The camera -------------------------------------------------------------------------------------------------------

function fit() {
  const { mirror } = stage, { clientWidth, clientHeight } = $("stage");
  const width = mirror.width[mirror.root] / stage.unit, height = mirror.height[mirror.root] / stage.unit;
  // A scene that is laid out for the stage fills it, pixel by pixel.
  const margin = isOwnWindow() ? 0 : Math.min(48, clientWidth * 0.04);
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
  app.look(scale, x - (x - camera.x) * by, y - (y - camera.y) * by);
}

$("stage").addEventListener("wheel", (event) => {
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) return zoom(Math.exp(-event.deltaY / 200), event.offsetX, event.offsetY);
  return app.look(stage.camera.scale, stage.camera.x - event.deltaX, stage.camera.y - event.deltaY);
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
room.on("diagnostics", () => {
  const { ambiguous, broken, feedbackLoop } = room.diagnostics;
  app.tree?.mark();
  // Problems are reported without being asked for.
  if (ambiguous.length + broken.length + feedbackLoop.length && isShown("right")) use("inspector");
});
room.on("refused", ({ code, message, conflicting }) => {
  toast(conflicting?.length ? `Refused: ${message}` : `Refused (${code}): ${message}`, "bad");
});
// The first change may come from a panel.
room.on("ops", () => { if (room.work.size) app.predict(); });
room.on("problem", (error) => toast(error.text ?? error.message, "bad"));
room.on("status", () => {
  const { status, detail, welcome } = room, pill = $("status");
  if (status === "waiting" || status === "refused") document.body.classList.remove("loading");
  const texts = {
    connecting: "connecting", live: room.isPast ? "the past" : welcome?.role === "editor" ? "live" : "live, viewing",
    waiting: "offline, coming back", refused: "refused",
  };
  const isLate = status === "live" && room.isLate, said = isLate && room.isSilent ? "no answer" : texts[status];
  const unsaved = room.unsaved + room.left, isWaiting = unsaved > 0 && (isLate || status === "waiting");
  pill.textContent = isWaiting ? `${said}, ${unsaved} unsaved` : said;
  pill.className = `pill ${isLate ? "waiting" : room.isPast && status === "live" ? "past" : status}`;
  for (const button of [$("undo"), $("redo"), $("device"), ...$("palette").querySelectorAll("button")]) button.disabled = !room.mayEdit;
  $("notice").textContent = status === "refused" ? `The server closed the connection: ${detail}` : "";
  if (status === "refused" && detail.startsWith("4001")) $("notice").textContent = "This room needs a link with a token.";
});
room.on("people", () => {
  if (room.people.size) use("people");
  app.people?.update();
  schedule();
});

// --- The header -------------------------------------------------------------------------------------------------------

$("room").textContent = joining.room;
document.title = `${joining.room} · SceneSync`;
$("undo").onclick = () => room.undo();
$("redo").onclick = () => room.undo("redo");
// Each person looks at the scene on a device of their own choice; it changes nothing for the others.
const ownWindow = () => ({
  viewport: {
    width: Math.max(1, $("stage").clientWidth), height: Math.max(1, $("stage").clientHeight),
    scale: Math.min(Math.max(devicePixelRatio || 1, 0.1), 16), idiom: isPhone.matches ? "phone" : "web",
    userInterfaceStyle: isDark.matches ? "dark" : "light",
  },
});
room.on("device", ({ names, fit, reason }) => {
  if (isAwaitingDevice && !room.client.device) return void watchOn("own window");
  isAwaitingDevice = false;
  const watch = $("watch"), value = room.client.device?.name || (isOwnWindow() ? "own window" : "");
  watch.hidden = names.length === 0 && !isPhone.matches;
  watch.replaceChildren(
    h("option", { value: "", text: "Shared" }), h("option", { value: "own window", text: "This window" }),
    ...names.map((name) => h("option", { value: name, text: name })));
  watch.value = fit === "main" ? "" : value;
  if (fit !== "exact") $("notice").textContent = reason;
  tellPresence();
  app.isFitted = true;
  schedule();
});
function watchOn(value) {
  $("notice").textContent = "";
  room.watch(value === "" ? {} : value === "own window" ? ownWindow() : { name: value });
}
$("watch").onchange = ({ target }) => watchOn(target.value);
let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  if (isOwnWindow()) resized = setTimeout(() => watchOn("own window"), 100);
});
$("device").append(h("option", { value: "", text: "Viewport" }), ...DEVICES.map(([name, width, height]) =>
  h("option", { value: `${width} ${height}`, text: `${name}  ${width} × ${height}` })));
$("device").onchange = ({ target }) => {
  const [width, height] = target.value.split(" ").map(Number);
  if (width) room.send([{ op: "setViewport", width, height }]);
  app.isFitted = true;
  target.value = "";
};
for (const [panel, name] of [["left", "tree"], ["right", "inspector"]]) {
  const button = $(`show-${panel}`), show = (isNow) => {
    document.body.classList.toggle(`no-${panel}`, !isNow);
    button.setAttribute("aria-expanded", String(isNow));
  };
  show(innerWidth > 900);
  button.onclick = () => {
    show(!isShown(panel));
    if (isShown(panel)) use(name);
    room.requestDocumentSoon();
  };
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

// An earlier page may have left changes that the server has not answered.
if (localStorage.getItem(`scenesync-outbox ${joining.url}/${joining.room}`)) use("outbox");

// For measurements and tests: nothing here that the page's own buttons cannot do.
window.scenesync = app;
