// The page as an application's screen: the scene alone, laid out for this window, with what people can do in it.
import { $ } from "./dom.js";
import { can, Room } from "./room.js";
import { Stage } from "./stage.js";
import { Controls } from "./controls.js";
import { Gestures } from "./gestures.js";
import { Looks } from "./looks.js";

// Behind a proxy the server may have a path of its own: whatever stands before the room.
const path = location.pathname, at = path.lastIndexOf("/"), name = decodeURIComponent(path.slice(at + 1)) || "demo";
const key = `scenesync-token ${path.slice(1, at + 1)}${name}`;
const given = new URLSearchParams(location.hash.slice(1)).get("token") ?? new URLSearchParams(location.search).get("token");
if (given !== null) {
  // A token does not stay in the address, where others may read it.
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", `${location.pathname}?app`);
}

const isDark = matchMedia("(prefers-color-scheme: dark)"), isHand = matchMedia("(pointer: coarse)");
/** What corners and bars of the device cover; undefined if they cover nothing. */
function safeArea() {
  const style = getComputedStyle(document.documentElement);
  const [top, leading, bottom, trailing] = ["top", "left", "bottom", "right"].map((side) => parseFloat(style.getPropertyValue(`--safe-${side}`)) || 0);
  return top || leading || bottom || trailing ? { top, leading, bottom, trailing } : undefined;
}
/** How far a touch keyboard reaches up. Less is a browser's bar, or rounding. */
function keyboard() {
  const { visualViewport: seen } = window, hidden = seen ? innerHeight - seen.height - seen.offsetTop : 0;
  return seen && seen.scale === 1 && hidden > 80 ? Math.round(hidden) : 0;
}
/** The window as a device to lay the scene out for. */
function ownWindow() {
  const viewport = {
    width: Math.max(1, innerWidth), height: Math.max(1, innerHeight), scale: Math.min(Math.max(devicePixelRatio || 1, 0.1), 16),
    idiom: isHand.matches && Math.min(innerWidth, innerHeight) <= 600 ? "phone" : "web", userInterfaceStyle: isDark.matches ? "dark" : "light",
  };
  const safe = safeArea(), reach = keyboard();
  if (safe) viewport.safeArea = safe;
  if (reach) viewport.keyboard = reach;
  return { name: "", columns: 0, rows: 0, viewport };
}

const room = new Room({
  url: location.origin.replace(/^http/, "ws") + path.slice(0, at), room: name, token: given ?? sessionStorage.getItem(key) ?? "", WebSocket, device: ownWindow(),
  role: "participant", capabilities: can.anim | can.keyframe | can.devices | can.events | can.insets,
});
room.wantsDocument = () => false;
const stage = new Stage($("scene"));
stage.token = given ?? sessionStorage.getItem(key) ?? "";
stage.wantsPaint = () => schedule();
stage.followsPaper = true;
const gestures = new Gestures({ place: $("controls"), stage, room, changed: () => change() });
const controls = new Controls({ place: $("controls"), stage, interactions: () => room.client.interactions, own: gestures.own, isHand: () => isHand.matches });
stage.looks = new Looks({ stage, interactionOf: (id) => room.client.interactions.get(id), valueOf: (id) => gestures.own.get(id)?.value });
document.title = name;

let isScheduled = false, isChanged = true;
function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    paint();
  });
}
/** Views look different, or can be used differently. */
function change() {
  isChanged = stage.isStale = true;
  schedule();
}

function paint() {
  if (!room.welcome || room.mirror.needsSnapshot) return;
  resize();
  if (stage.isStale) stage.rebuild(room.mirror, room.welcome);
  fit();
  const isMoving = stage.paint(room.tickNow());
  if (isChanged) controls.sync();
  else controls.arrange();
  isChanged = false;
  app.firstPicture ??= performance.now();
  if (isMoving) schedule();
}

function resize() {
  const ratio = devicePixelRatio || 1;
  return stage.resize(Math.max(1, Math.round(innerWidth * ratio)), Math.max(1, Math.round(innerHeight * ratio)), ratio);
}

/** A scene that is laid out for this window fills it; any other is shown as large as it fits. */
function fit() {
  const { mirror, camera, unit } = stage, width = mirror.width[mirror.root] / unit, height = mirror.height[mirror.root] / unit;
  const scale = room.granted?.fit === "exact" ? 1 : Math.min(4, Math.max(0.02, Math.min(innerWidth / width, innerHeight / height)));
  const x = room.granted?.fit === "exact" ? 0 : (innerWidth - width * scale) / 2, top = room.granted?.fit === "exact" ? 0 : (innerHeight - height * scale) / 2;
  const y = top - hiddenBelow(top, scale);
  if (camera.scale === scale && camera.x === x && camera.y === y) return;
  Object.assign(camera, { scale, x, y });
  stage.needsAll = true;
}

/** How far the text field in which somebody writes would reach under a keyboard that the scene does not reckon with. */
function hiddenBelow(top, scale) {
  const reach = keyboard(), field = document.activeElement?.matches('#controls [type="text"]') ? document.activeElement.dataset.view : undefined;
  const view = reach && field ? stage.mirror.view(field) : undefined, shown = view && stage.shown(view.number);
  return shown ? Math.max(0, top + (shown.y + shown.height) * scale + 8 - (innerHeight - reach)) : 0;
}

function takeColors() {
  stage.backdrop = stage.paper = isDark.matches ? "#16161e" : "#ffffff";
  change();
}

let asked;
/** The window is another one. */
function ask() {
  clearTimeout(asked);
  asked = setTimeout(() => room.watch(ownWindow()), 100);
  takeColors();
}
addEventListener("resize", ask);
window.visualViewport?.addEventListener("resize", ask);
for (const type of ["focusin", "focusout"]) $("controls").addEventListener(type, schedule);
isDark.addEventListener("change", ask);
takeColors();

room.on("structure", change);
room.on("update", schedule);
room.on("interactions", ({ changes }) => {
  gestures.told(changes);
  change();
});
room.on("device", () => {
  stage.needsAll = true;
  change();
});
let problem = "", problemTimer;
function tellStatus() {
  const { status, detail, unsaved } = room;
  const refusal = detail.startsWith("4001") ? "This room needs a link with a token." : `The server closed the connection: ${detail}`;
  const isLate = status === "live" && room.isLate, waiting = status === "waiting" ? "Offline, coming back" : isLate ? "No answer yet" : "";
  const state = status === "refused" ? refusal : waiting && unsaved ? `${waiting}: what you did last waits` : waiting;
  const text = [problem, state].filter((each) => each).join(" ");
  $("status").hidden = !text;
  $("status").textContent = text;
}
room.on("status", tellStatus);
room.on("problem", (error) => {
  problem = error.text ?? error.message;
  clearTimeout(problemTimer);
  problemTimer = setTimeout(() => {
    problem = "";
    tellStatus();
  }, 8000);
  tellStatus();
});

const app = { room, stage, controls, gestures, get isPainted() { return !isScheduled; } };
// For tests: nothing here that the page's own elements cannot do.
window.scenesync = app;
