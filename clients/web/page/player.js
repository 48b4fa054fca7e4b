// The page that plays a recording: a file that needs no server and no network. Its parts are in the file, see player.html.
import { $, h } from "./dom.js";
import { Playback, Recording } from "./recording.js";
import { Stage } from "./stage.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** Seconds for which a caption is shown. */
const CAPTION = 6;

/** A caption in words. */
const words = ({ author, text }) => `${author || "somebody"}: ${text}`;

/** Bytes as `base64` has them, unpacked. */
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer());
}

export class Player {
  speed = 1;
  isPlaying = false;

  constructor(recording) {
    this.recording = recording;
    this.tick = recording.first;
    this.stage = new Stage($("scene"));
    this.stage.followsPaper = true;
    this.stage.wantsPaint = () => this.schedule();
    this.stage.fetchFile = (path) => this.file(path);
    this.watch(0);
  }

  /** What the scene's pictures and faces are loaded from. */
  async file(path) {
    const { type, data } = this.recording.files?.[path] ?? {};
    return data === undefined ? new Response(null, { status: 404 }) : new Response(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), { headers: { "content-type": type } });
  }

  watch(index) {
    this.playback = new Playback(this.recording, this.recording.tracks[index]);
    this.stage.isStale = true;
    this.seek(this.tick);
  }

  seek(tick) {
    const { first, last } = this.recording;
    this.tick = Math.min(Math.max(tick, first), last);
    if (this.tick >= last) this.pause();
    if (this.playback.seek(this.tick)) this.stage.isStale = true;
    this.onchange?.();
    this.schedule();
  }

  play() {
    if (this.isPlaying) return;
    if (this.tick >= this.recording.last) this.seek(this.recording.first);
    this.isPlaying = true;
    this.shownAt = performance.now();
    this.onchange?.();
    this.schedule();
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onchange?.();
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame((now) => {
      this.isScheduled = false;
      if (this.isPlaying) {
        const { tick } = this;
        this.seek(tick + Math.max(0, now - this.shownAt) / 1000 * this.recording.tickRate * this.speed);
        this.shownAt = now;
      }
      this.paint();
      if (this.isPlaying) this.schedule();
    });
  }

  paint() {
    const { stage, playback: { mirror, metrics } } = this, { clientWidth, clientHeight } = $("stage"), ratio = devicePixelRatio || 1;
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches, paper = isDark ? "#16161e" : "#ffffff";
    if (stage.backdrop !== paper) Object.assign(stage, { paper, backdrop: paper, isStale: true });
    stage.resize(Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio)), ratio);
    if (stage.isStale) stage.rebuild(mirror, metrics);
    else stage.mirror = mirror;
    const width = mirror.width[mirror.root] / stage.unit, height = mirror.height[mirror.root] / stage.unit;
    const scale = Math.min(4, Math.max(0.02, Math.min((clientWidth - 32) / width, (clientHeight - 32) / height)));
    const camera = { scale, x: (clientWidth - width * scale) / 2, y: (clientHeight - height * scale) / 2 };
    if (["scale", "x", "y"].some((key) => camera[key] !== stage.camera[key])) Object.assign(stage, { camera, needsAll: true });
    stage.paint(this.tick);
  }

  /** Plays all of it on every device without showing it, and compares each hash in it. */
  verify() {
    return this.recording.tracks.map((track) => {
      const playback = new Playback(this.recording, track);
      playback.seek(Infinity);
      return { device: track.device, checked: playback.checked, wrong: playback.wrong };
    });
  }

  /** What was said last before now, for some seconds. */
  get caption() {
    const { captions = [], tickRate } = this.recording;
    return captions.findLast(({ tick }) => tick <= this.tick && this.tick - tick < CAPTION * tickRate);
  }
}

function clock(seconds) {
  const whole = Math.floor(seconds + 1e-6), two = (number) => String(number).padStart(2, "0");
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}` : `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}

function control(player) {
  const { recording } = player, { first, last, tickRate, captions = [], tracks } = recording;
  const button = $("play"), slider = $("time"), now = $("now"), caption = $("caption");
  slider.max = last - first;
  button.onclick = () => (player.isPlaying ? player.pause() : player.play());
  slider.oninput = () => player.seek(first + Number(slider.value));
  $("speed").append(...SPEEDS.map((speed) => h("option", { value: speed, text: `${speed} ×`, selected: speed === 1 })));
  $("speed").onchange = ({ target }) => { player.speed = Number(target.value); };
  $("device").append(...tracks.map(({ device }, index) => h("option", { value: index, text: device || "shared" })));
  $("device").hidden = tracks.length < 2;
  $("device").onchange = ({ target }) => player.watch(Number(target.value));
  $("captions").hidden = captions.length === 0;
  $("captions").append(...captions.map((said) => h("li", {}, h("button", { onclick: () => player.seek(said.tick) }, h("b", { text: clock((said.tick - first) / tickRate) }), ` ${words(said)}`))));
  const tell = () => {
    const at = (player.tick - first) / tickRate, said = player.caption;
    slider.value = player.tick - first;
    slider.setAttribute("aria-valuetext", `${clock(at)} of ${clock(recording.seconds)}`);
    now.textContent = `${clock(at)} / ${clock(recording.seconds)}`;
    button.textContent = player.isPlaying ? "❚❚" : "▶";
    button.setAttribute("aria-label", player.isPlaying ? "Pause" : "Play");
    const shown = said ? words(said) : "";
    if (caption.textContent !== shown) caption.textContent = shown;
    const { wrong } = player.playback;
    $("fault").hidden = wrong.length === 0;
    if (wrong.length) $("fault").textContent = `The scene at tick ${wrong[0]} is not the one that was recorded.`;
  };
  player.onchange = tell;
  tell();
  addEventListener("keydown", (event) => {
    if (event.target.closest("select, input, button") && event.key === " ") return;
    const step = (event.shiftKey ? 10 : 1) * tickRate;
    const steps = { ArrowLeft: () => player.seek(player.tick - step), ArrowRight: () => player.seek(player.tick + step), Home: () => player.seek(first), End: () => player.seek(last), " ": () => button.click() };
    if (!steps[event.key] || (event.target === slider && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    steps[event.key]();
  });
  new ResizeObserver(() => player.schedule()).observe($("stage"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => player.schedule());
}

async function open() {
  try {
    const player = new Player(new Recording(await unpack($("recording").textContent.trim())));
    control(player);
    const linked = Number(/^#tick=(\d+)$/.exec(location.hash)?.[1]);
    if (linked) player.seek(linked);
    // For tests: nothing here that the buttons cannot do, but comparing all hashes at once.
    window.player = player;
  } catch (error) {
    $("fault").hidden = false;
    $("fault").textContent = `This recording cannot be played: ${error.message}.`;
  }
}

open();
