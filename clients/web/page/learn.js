// The drawer below: the past, what the update cycle did, what the network took, and the ops that gestures sent.
import { $, color, h } from "./dom.js";
import { can } from "./room.js";
import { show } from "./rules.js";

const PASSES = [
  ["ops", "Ops", "--dim"], ["updateConstraints", "Update constraints", "--warn"], ["solve", "Solve", "--bad"], ["layout", "Layout", "--accent"], ["display", "Display", "--good"],
];
/** Which pass a line of a trace belongs to. */
const passOf = (event) => (event.startsWith("updateConstraints") || event.startsWith("setNeedsUpdate") ? "updateConstraints"
  : event.startsWith("layoutSubviews") ? "layout" : event.startsWith("draw") || event.startsWith("setNeedsDisplay") ? "display" : event.startsWith("setNeedsLayout") ? "solve" : "ops");
/** When own changes are shown before the server answers. */
const SETTINGS = [["auto", "when it is far"], ["on", "always"], ["off", "never"]];
const bytes = (count) => (count < 1000 ? `${Math.round(count)} B` : count < 1e6 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`);

export class Learn {
  traces = [];

  constructor(app) {
    this.app = app;
    const { room } = app;
    this.element = $("learn");
    this.body = h("div", { id: "learn-body", role: "tabpanel" });
    this.tabs = [["time", "Time line"], ["passes", "Passes"], ["network", "Network"], ["ops", "Ops"]].map(([id, name]) => h("button", { role: "tab", id: `tab-${id}`, "aria-selected": "false", "aria-controls": "learn-body", tabindex: -1, text: name, onclick: () => this.open(id) }));
    this.element.replaceChildren(h("div", { class: "tabs", role: "tablist", "aria-label": "Learn", onkeydown: (event) => this.key(event) }, ...this.tabs), this.body);
    room.on("update", () => this.live());
    room.on("trace", (message) => this.traced(message));
    room.on("ops", () => { if (this.current === "ops") this.ops(); });
    room.on("status", () => {
      // Each connection has to ask for it.
      if (room.status !== "live") this.isWatching = undefined;
      else if (this.isOpen) this.watch(this.current === "passes");
      this.live();
    });
    setInterval(() => this.live(), 500);
  }

  get isOpen() { return !this.element.hidden; }

  toggle() {
    this.element.hidden = this.isOpen;
    $("show-learn").setAttribute("aria-expanded", String(this.isOpen));
    if (this.isOpen) this.open(this.current ?? "time");
    else this.watch(false);
  }

  /** Shows a tab, which the method of its name fills. */
  open(id) {
    this.current = id;
    for (const tab of this.tabs) {
      const isCurrent = tab.id === `tab-${id}`;
      tab.setAttribute("aria-selected", String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
    }
    this.body.setAttribute("aria-labelledby", `tab-${id}`);
    this.watch(id === "passes");
    this[id]();
  }

  key(event) {
    const at = this.tabs.indexOf(document.activeElement), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    next.click();
    next.focus();
  }

  /** Asks for the trace only while it is shown: it costs. */
  watch(enabled) {
    const { room } = this.app;
    if (this.isWatching === enabled || !room.has(can.trace) || room.status !== "live") return;
    this.isWatching = enabled;
    room.client.sendMessage({ type: "trace", enabled, watch: [] });
  }

  live() {
    if (!this.isOpen) return;
    if (this.current === "network") this.network();
    else if (this.current === "time") this.showTick();
  }

  // --- Time ----------------------------------------------------------------------------------------------------------

  time() {
    const { room } = this.app;
    this.range = h("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Tick", oninput: ({ target }) => this.scrub(Number(target.value)) });
    this.where = h("output", { class: "pill" });
    const speed = h("select", { "aria-label": "Speed" }, ...[[0.25, "¼ ×"], [1, "1 ×"], [4, "4 ×"], [16, "16 ×"]].map(([value, text]) => h("option", { value, text, selected: value === 1 })));
    this.body.replaceChildren(h("div", { class: "line" },
      h("button", { text: "▶ Play from here", onclick: () => room.seek(this.range.value, Number(speed.value)) }), speed,
      h("button", { text: "❚❚", "aria-label": "Pause", onclick: () => room.seek(Number(room.mirror.tick), 0) }), this.where,
      h("span", { class: "grow" }), h("button", { class: "main", text: "Live", onclick: () => { room.live(); this.showTick(); } })), this.range,
    h("p", { class: "note", text: "The past is yours alone: the others go on, and the server rebuilds each tick from its journal." }));
    this.range.disabled = !room.has(can.seek);
    this.showTick();
  }

  scrub(tick) {
    clearTimeout(this.scrubTimer);
    this.where.textContent = `tick ${tick}`;
    this.scrubTimer = setTimeout(() => this.app.room.seek(tick, 0), 60);
  }

  showTick() {
    const { room } = this.app, tick = Number(room.mirror.tick);
    if (!this.range?.isConnected || !room.welcome) return;
    const elapsed = (performance.now() - (this.knownAt ?? 0)) * room.welcome.tickRate / 1000;
    if (!room.isPast) [this.known, this.knownAt] = [Math.round(room.tickNow()), performance.now()];
    this.range.max = Math.round((this.known ?? tick) + (room.isPast ? elapsed : 0));
    if (document.activeElement !== this.range || !room.isPast) this.range.value = room.isPast ? tick : this.range.max;
    this.where.textContent = room.isPast ? `tick ${tick} of ${this.range.max}` : `live, tick ${tick}`;
  }

  // --- Passes --------------------------------------------------------------------------------------------------------

  traced(message) {
    const counts = Object.fromEntries(PASSES.map(([name]) => [name, 0]));
    for (const event of message.events) counts[passOf(event)]++;
    this.traces.push({ ...message, counts });
    if (this.traces.length > 240) this.traces.shift();
    if (this.isOpen && this.current === "passes") this.drawPasses();
  }

  passes() {
    this.strip = h("canvas", { class: "chart", role: "img", "aria-label": "What each tick's passes took", onpointermove: (event) => this.pick(event) });
    this.events = h("ol", { class: "events", tabindex: 0, "aria-label": "What was called and marked" });
    this.picked = undefined;
    this.body.replaceChildren(h("div", { class: "split" }, h("div", {}, this.strip, h("p", { class: "legend" }, ...PASSES.flatMap(([, name, shade]) => {
      const mark = h("i", { "aria-hidden": "true" });
      mark.style.background = `var(${shade})`;
      return [mark, `${name}  `];
    }))), this.events));
    this.drawPasses();
  }

  pick(event) {
    const box = this.strip.getBoundingClientRect(), at = Math.floor((event.clientX - box.left) / 6), shown = this.shown();
    this.picked = shown[at] ?? this.picked;
    this.drawPasses();
  }

  shown() { return this.traces.slice(-Math.floor(this.strip.clientWidth / 6)); }

  /** A column for each tick that did something; as high as the passes took, or as many calls as they made. */
  drawPasses() {
    const g = this.context(this.strip), { clientHeight: height } = this.strip, shown = this.shown();
    const amounts = (trace) => PASSES.map(([name]) => (trace.durations ? Number(trace.durations[name] ?? 0) : trace.counts[name]));
    const most = Math.max(1, ...shown.map((trace) => amounts(trace).reduce((sum, value) => sum + value, 0)));
    shown.forEach((trace, index) => {
      let y = height;
      amounts(trace).forEach((amount, pass) => {
        const tall = amount / most * (height - 4);
        y -= tall;
        g.fillStyle = color(PASSES[pass][2]);
        g.fillRect(index * 6, y, 5, tall);
      });
      if (trace === this.picked) g.strokeRect(index * 6 - 0.5, 0.5, 6, height - 1);
    });
    const trace = this.picked ?? shown[shown.length - 1];
    if (!trace) {
      this.events.replaceChildren(h("li", { text: "Nothing yet: change something, and see which views are asked to lay out." }));
      return;
    }
    const durations = trace.durations ? PASSES.map(([name, title]) => `${title} ${show(Number(trace.durations[name] ?? 0) / 1000)} µs`).join(" · ") : "";
    this.events.replaceChildren(h("li", {}, h("b", { text: `tick ${trace.tick}` }), ` ${durations}`), ...trace.events.slice(0, 200).map((event) => h("li", { class: passOf(event), text: event })));
  }

  // --- Network -------------------------------------------------------------------------------------------------------

  network() {
    const { room } = this.app, { samples } = room, now = performance.now();
    if (!this.chart?.isConnected) {
      this.chart = h("canvas", { class: "chart", role: "img", "aria-label": "Bytes of each frame" });
      this.numbers = h("dl", { class: "facts wide" });
      const setting = localStorage.getItem("scenesync-predict") ?? "auto";
      const choice = h("select", { id: "predict", onchange: ({ target }) => this.predict(target.value) }, ...SETTINGS.map(([value, text]) => h("option", { value, text, selected: value === setting })));
      this.body.replaceChildren(h("div", { class: "split" }, h("div", {}, this.chart, h("p", { class: "note", text: "Bytes of each frame, the newest on the right" })),
        h("div", { class: "scrolls" }, this.numbers, h("label", { class: "line" }, "Show own changes before the server answers", choice))));
    }
    const recent = samples.filter(({ at }) => now - at < 5000), sum = recent.reduce((total, each) => total + each.bytes, 0);
    const script = recent.map((each) => each.script ?? 0).sort((a, b) => a - b);
    const facts = [
      ["Received", `${bytes(sum / 5)} a second`], ["Frames", `${show(recent.length / 5)} a second`], ["Bytes a frame", recent.length ? bytes(sum / recent.length) : "–"],
      ["Round trip", room.roundTrip === undefined ? "–" : `${room.roundTrip.toFixed(1)} ms`], ["Caught up", `${room.catchUps} times`],
      ["Script a frame, 95 %", script.length ? `${script[Math.floor(script.length * 0.95)].toFixed(1)} ms` : "–"],
    ];
    facts.push(...this.prediction());
    this.numbers.replaceChildren(...facts.flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]));
    const g = this.context(this.chart), { clientWidth: width, clientHeight: height } = this.chart, shown = samples.slice(-Math.floor(width / 3));
    const most = Math.max(32, ...shown.map((each) => Math.min(each.bytes, 4000)));
    g.fillStyle = color("--accent");
    shown.forEach((each, index) => {
      const tall = Math.max(1, Math.min(1, each.bytes / most) * (height - 2));
      g.fillRect(width - (shown.length - index) * 3, height - tall, 2, tall);
    });
  }

  predict(setting) {
    localStorage.setItem("scenesync-predict", setting);
    this.app.room.ahead?.set(setting);
  }

  /** What became of own changes that were shown before the server answered. */
  prediction() {
    const { ahead } = this.app.room;
    if (!ahead) return [["Shown ahead", "with the first change"]];
    const { predicted, settled, wrong, worst, refused, compared, divergences, refusalsDiffering, opened, opening, remade, traps } = ahead.figures, facts = [["Shown ahead", ahead.state]];
    if (!opened) return facts;
    return [...facts,
      ["Predicted", `${predicted} steps, ${settled} answered, ${refused} refused`],
      ["Seen wrong", `${wrong} of ${compared} compared${wrong ? `, by ${show(worst)} points at most` : ""}`],
      ["Replica", `opened ${opened} times, last in ${opening.toFixed(0)} ms, ${remade} times because of the server`],
      ["Differences", `${divergences} of the state, ${refusalsDiffering} of refusals, ${traps} faults`],
    ];
  }

  /** A cleared context in CSS pixels. */
  context(canvas) {
    const ratio = devicePixelRatio || 1;
    Object.assign(canvas, { width: canvas.clientWidth * ratio, height: canvas.clientHeight * ratio });
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    g.strokeStyle = color("--text");
    return g;
  }

  // --- Ops -----------------------------------------------------------------------------------------------------------

  ops() {
    const entries = this.app.room.log.slice(-60).reverse();
    this.body.replaceChildren(entries.length ? h("ol", { class: "events", tabindex: 0, "aria-label": "Ops that were sent, newest first" }, ...entries.map(({ ops, result, took }) => {
      const answer = result === undefined ? "…" : result.outcome === "committed" ? `committed at tick ${result.tick}, ${took.toFixed(0)} ms` : `refused: ${result.code}`;
      return h("li", { class: result?.outcome === "refused" ? "bad" : "" }, h("code", { text: JSON.stringify(ops.length === 1 ? ops[0] : ops).slice(0, 2000) }), h("span", { class: "note", text: `  ${answer}` }));
    })) : h("p", { class: "note", text: "Drag something: every op that it sends appears here, as you could send it with scenesync apply." }));
  }
}
