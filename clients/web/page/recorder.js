// Keeps what the server said in the last minute or two, so that it can be taken away as a page that plays it (player.html).
import { encode } from "./scenesync.js";
import { write } from "./recording.js";
import { SET } from "./symbols.js";

/** What the scene consists of; other messages are about people. */
const STATE = new Set(["snapshot", "frame", "select", "tree", "content", "anim", "keyframe"]);
/** Milliseconds that a recording begins before its end, and after which what is kept begins anew. */
const MINUTE = 60000;
/** Where so much came in a minute, less is kept. */
const BYTES = 16e6;
const MODULES = ["dom", "faces", "player", "recording", "scenesync", "shapes", "stage", "symbols"];

/** The messages from which a mirror becomes like another, as the server sends them to one that joins. */
export function stateOf(mirror) {
  const views = [], faces = { files: [], styles: [], views: [] }, looks = { looks: [], views: [] }, symbols = [], charts = [];
  for (const { number, id, parent, content: { face, look, ...content } } of mirror.preorder()) {
    views.push({ number, id, parent, content, frame: mirror.frame(number) });
    if (face) {
      const { files, ...style } = face;
      faces.files = files;
      faces.views.push({ number, style: faces.styles.push(style) });
    }
    if (look) {
      const { symbol, chart, ...rest } = look, place = looks.looks.push(rest);
      looks.views.push({ number, look: place });
      if (symbol) symbols.push({ look: place, ...symbol });
      if (chart) {
        const { heights, ...drawn } = chart;
        charts.push({ look: place, ...drawn, values: heights.map((height) => ({ height: Math.round(height * 10000) })) });
      }
    }
  }
  const snapshot = { type: "snapshot", epoch: mirror.epoch, tick: mirror.tick, chunkIndex: 0, chunkCount: 1, deflated: false, stateHash: mirror.stateHash, views };
  if (faces.views.length) snapshot.faces = faces;
  if (looks.views.length) snapshot.looks = looks;
  if (symbols.length) snapshot.symbols = { symbols };
  if (charts.length) snapshot.charts = { charts };
  const messages = [snapshot];
  for (let index = 0; index < mirror.ring.length; index++) {
    const slot = (mirror.nextSlot + index) % mirror.ring.length, selection = mirror.ring[slot];
    if (selection) messages.push({ type: "select", slot, selection: { mask: selection.mask, numbers: selection.numbers }, deltas: mirror.lastDeltas[slot] });
  }
  return messages.map((message) => encode(message, "server"));
}

const base64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
};
async function compressed(bytes, format) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream(format))).arrayBuffer());
}

export class Recorder {
  /** The stretches of time that are kept, the last one up to now: each begins with the whole scene. */
  stretches = [];
  waiting = [];

  constructor(app) {
    this.app = app;
    const { room } = app;
    room.client.ondata = (data) => { this.data = data; };
    room.on("message", (message) => this.take(message));
    room.on("update", () => this.close());
    this.begin();
  }

  /** A message came; it is applied after this. */
  take(message) {
    if (message.type === "welcome" || message.type === "snapshot") this.isCut = true;
    if (!STATE.has(message.type)) return;
    this.waiting.push(typeof this.data === "string" ? encode(message, "server") : new Uint8Array(this.data));
  }

  /** The messages of a tick have come. */
  close() {
    const { mirror } = this.app.room.client, messages = this.waiting.splice(0), last = this.stretches.at(-1), now = performance.now();
    if (!last || this.isCut || this.app.room.isPast || now - last.startedAt > MINUTE || last.bytes > BYTES) return this.begin();
    last.moments.push({ tick: Number(mirror.tick), messages });
    last.bytes += messages.reduce((sum, { length }) => sum + length, 0);
  }

  /** Keeps the scene as it is, and what comes from now on. What was kept a stretch ago goes. */
  begin() {
    const { room } = this.app, { mirror } = room.client;
    this.waiting.length = 0;
    if (!room.welcome || mirror.needsSnapshot || mirror.isWithinTick || room.isPast) {
      // Continues once the scene is whole.
      this.stretches.length = 0;
      return;
    }
    if (this.isCut) this.stretches.length = 0;
    this.isCut = false;
    const { unitsPerPoint, cell, scale } = room.welcome;
    this.stretches = [...this.stretches.slice(-1), {
      startedAt: performance.now(), bytes: 0,
      moments: [{ tick: Number(mirror.tick), begins: true, metrics: { unitsPerPoint, cell, scale }, hash: mirror.stateHash, messages: stateOf(mirror) }],
    }];
  }

  /** What was said in it, at the ticks of the room. */
  captions(first) {
    const { room } = this.app, now = room.tickNow(), { tickRate } = room.welcome;
    const said = [...room.client.annotations].filter(([key]) => key.startsWith("comment ")).map(([, { text, time, author }]) => ({
      tick: Math.round(now - (Date.now() - time) / 1000 * tickRate), author: author?.name || author?.subject || "somebody", text,
    }));
    return said.filter(({ tick }) => tick >= first && tick <= now).sort((one, other) => one.tick - other.tick);
  }

  /** What is kept as a recording's bytes; a minute, or what there is of it. */
  async recording() {
    const { room, stage } = this.app, last = Math.ceil(room.tickNow()), wanted = last - MINUTE / 1000 * room.welcome.tickRate;
    const moments = this.stretches.flatMap((stretch) => stretch.moments).map((moment) => ({ ...moment }));
    if (!moments.length) return undefined;
    // The end is checked too.
    moments[moments.length - 1].hash = room.client.mirror.stateHash;
    const first = Math.min(Math.max(wanted, moments[0].tick), moments.at(-1).tick), begin = moments.findLastIndex(({ begins, tick }) => begins && tick <= first);
    const paths = new Set();
    for (const { content: { look, face } } of room.client.mirror.preorder()) {
      if (look?.image) paths.add(`blobs/${look.image.hash}`);
      if (look?.symbol) paths.add(SET);
      for (const { hash } of face?.files ?? []) paths.add(`fonts/${hash}`);
    }
    const files = {}, headers = stage.token ? { authorization: `Bearer ${stage.token}` } : {};
    for (const path of paths) {
      const answer = await fetch(path, { headers }).catch(() => undefined);
      if (answer?.ok) files[path] = { type: answer.headers.get("content-type"), data: base64(new Uint8Array(await answer.arrayBuffer())) };
    }
    const kept = moments.slice(Math.max(0, begin)), from = kept[0].tick;
    const header = { room: room.room, tickRate: room.welcome.tickRate, first: from, last: Math.max(last, kept.at(-1).tick), captions: this.captions(from), files };
    return write(header, [{ device: room.client.device?.name ?? "", moments: kept }]);
  }

  /** The page that plays it. */
  async page() {
    const bytes = await this.recording();
    if (!bytes) return undefined;
    const get = async (name) => {
      const answer = await fetch(`page/${name}`);
      if (!answer.ok) throw new Error(`${name} could not be fetched`);
      return answer.text();
    };
    const files = {};
    for (const name of MODULES) files[name] = base64(await compressed(new TextEncoder().encode(await get(`${name}.js`)), "gzip"));
    const parts = { title: `${this.app.room.room}, recorded with SceneSync`, files: JSON.stringify(files), recording: base64(await compressed(bytes, "deflate-raw")) };
    return (await get("player.html")).replaceAll(/\{\{(\w+)\}\}/g, (all, name) => parts[name]);
  }
}
