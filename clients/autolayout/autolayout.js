// Auto Layout by SceneSync's engine, compiled for WebAssembly. See README.md.

/** Units of work of a call that names no other budget: a few seconds of a slow machine. */
export const BUDGET = 50_000_000;

/** Something was refused. The scene is as it was, unless `code` says that it is no use any more. */
export class LayoutError extends Error {
  /** @param {any} error the engine's answer */
  constructor(error) {
    super(error.message);
    this.name = new.target.name;
    this.code = error.code;
    this.opIndex = error.op;
    this.line = error.line;
    this.column = error.column;
    this.path = error.path;
    this.id = error.id;
  }
}

/** Required constraints contradict one another. */
export class ConflictError extends LayoutError {
  constructor(error) {
    super(error);
    this.constraints = error.conflicting.map((id) => ({ id, line: error.lines?.[id] }));
  }
}

/** A call takes more work than its budget. The scene cannot be used any more: dispose of it, and open it again. */
export class BudgetError extends LayoutError {}

/** The engine itself failed. No scene of its instance can be used any more. */
export class EngineFailure extends Error {
  constructor(cause) {
    super(`the layout engine failed: ${cause.message}`, { cause });
    this.name = "EngineFailure";
  }
}

function failure(error) {
  if (error.code === "unsatisfiable") return new ConflictError(error);
  if (error.code === "too-expensive") return new BudgetError(error);
  return new LayoutError(error);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One instance of the module, with memory of its own. */
class Engine {
  #exports;
  #failure;

  constructor(instance) {
    this.#exports = instance.exports;
  }

  /** Calls a function of the module. Strings are passed as UTF-8, each as an address and a length. */
  call(name, ...values) {
    if (this.#failure) throw this.#failure;
    try {
      const parameters = values.flatMap((value) => (typeof value === "string" ? this.#write(value) : [value]));
      return this.#exports[name](...parameters);
    } catch (error) {
      // A trap leaves the memory of the instance as it was in the middle of something.
      this.#failure = new EngineFailure(error);
      throw this.#failure;
    }
  }

  /** The answer of the last call. */
  get answer() {
    const address = this.call("engine_output");
    const count = this.call("engine_outputCount");
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, count));
  }

  /** Bytes of memory that the instance has taken; they never become fewer. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  #write(text) {
    const bytes = encoder.encode(text);
    const address = this.#exports.engine_allocate(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  }
}

/** Reads the module's file: beside this one, where nothing else is named. */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source ?? "engine.wasm", import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

let shared;

/**
 * Loads the engine, once for all scenes. `Scene.open` does so by itself; call it before to load the engine from elsewhere, or early.
 * After an engine failure the next call loads a new instance.
 */
export async function load(source) {
  if (source === undefined && shared) return shared;
  const loading = compile(source).then(async (module) => new Engine(await WebAssembly.instantiate(module, {})));
  shared = loading;
  try {
    await loading;
  } catch (error) {
    if (shared === loading) shared = undefined;
    throw error;
  }
  return loading;
}

/** A member that asks for real fonts. Within a JSON string its quotation marks would stand behind backslashes. */
const FACES = /"typography"\s*:\s*"faces"/;

/** A document or ops as text. Real fonts are refused: measured on the grid, the frames would silently differ from a server's. */
function text(value) {
  const source = typeof value === "string" ? value : JSON.stringify(value);
  const found = FACES.exec(source);
  if (!found) return source;
  throw new LayoutError({
    code: "bad-value",
    message: 'text is measured on the grid alone here: "typography": "faces" needs a server',
    line: typeof value === "string" ? source.slice(0, found.index).split("\n").length : undefined,
  });
}

/** A document brought to life: ops in, frames out. */
export class Scene {
  #engine;
  #handle;

  constructor(engine, handle, answer) {
    this.#engine = engine;
    this.#handle = handle;
    /** What the first layout took, and why it did not come to rest if it did not. */
    this.opened = answer;
  }

  /** Lays a document out. */
  static async open(document, { device = "", budget = BUDGET, engine } = {}) {
    return Scene.#make(await (engine ?? load()), "engine_open", text(document), device, budget);
  }

  /** The scene of a record of the kind `snapshot`, which a server tells those who follow it (SPEC.md, section 20). */
  static async restore(record, { budget = BUDGET, engine } = {}) {
    return Scene.#make(await (engine ?? load()), "engine_restore", text(record), budget);
  }

  static #make(instance, name, ...values) {
    let handle;
    try {
      handle = instance.call(name, ...values);
    } catch (error) {
      // The next scene gets an instance of its own.
      if (error instanceof EngineFailure) shared = undefined;
      throw error;
    }
    const answer = JSON.parse(instance.answer);
    if (handle === 0) throw failure(answer.error);
    return new Scene(instance, handle, answer);
  }

  /** Another scene with the same state. Where a layout is ambiguous, it may lay views out otherwise. */
  fork({ budget = BUDGET } = {}) {
    if (this.#handle === 0) throw new LayoutError({ code: "closed", message: "the scene is closed" });
    return Scene.#make(this.#engine, "engine_fork", this.#handle, budget);
  }

  /** Repeats further records of the server of a restored scene, up to the cycle of a tick: then it is equal to the server's. */
  follow(records, tick, { budget = BUDGET } = {}) {
    return this.#ask("engine_follow", text(records), Number(tick), budget);
  }

  /** Applies an op, or a list of ops; the layout follows at the next tick. */
  apply(ops, { atomic = true, budget = BUDGET } = {}) {
    return this.#ask("engine_apply", text(ops), atomic ? 1 : 0, budget);
  }

  /** Lays out what is pending, and moves animations on. */
  tick(count = 1, { budget = BUDGET } = {}) {
    return this.#ask("engine_tick", count, budget);
  }

  /** The frames of all views in their superviews' coordinates: `[x, y, width, height]` by id. */
  frames() {
    return this.report().frames;
  }

  /** The same with what is ambiguous and what was broken, as `scenesync layout --format json` prints it. */
  report({ budget = BUDGET } = {}) {
    return this.#ask("engine_frames", budget);
  }

  /** What is to be drawn otherwise than at the last call; at first everything. */
  changed() {
    return this.#ask("engine_changed");
  }

  /**
   * What is drawn at this tick: kinds, colours and lines of text too, as a server's clients get them. With `isSettled` views that move are
   * where they will be.
   */
  picture({ isSettled = false } = {}) {
    return this.#ask("engine_picture", isSettled ? 1 : 0);
  }

  /** Why a view is where it is. */
  explain(view, { budget = BUDGET } = {}) {
    const answer = this.#ask("engine_explain", view, budget);
    const found = answer.views.find((state) => state.id === view);
    if (!found) throw new LayoutError({ code: "unknown-view", message: `there is no view "${view}"` });
    return { ...found, broken: answer.broken };
  }

  /** The scene as a document, which `open` reads again. */
  document() {
    return this.#ask("engine_document");
  }

  /** One number, in hexadecimal digits, that is equal for equal scenes, here and on a server; and all work so far. */
  hash() {
    return this.#ask("engine_hash");
  }

  /** Frees what the scene holds. */
  dispose() {
    if (this.#handle === 0) return;
    const handle = this.#handle;
    this.#handle = 0;
    try {
      this.#engine.call("engine_close", handle);
    } catch (error) {
      // An instance that failed has nothing to free.
      if (!(error instanceof EngineFailure)) throw error;
    }
  }

  #ask(name, ...values) {
    if (this.#handle === 0) throw new LayoutError({ code: "closed", message: "the scene is closed" });
    try {
      this.#engine.call(name, this.#handle, ...values);
    } catch (error) {
      if (error instanceof EngineFailure) shared = undefined;
      throw error;
    }
    const answer = JSON.parse(this.#engine.answer);
    if (answer.error) throw failure(answer.error);
    return answer;
  }
}

if (Symbol.dispose) Scene.prototype[Symbol.dispose] = Scene.prototype.dispose;
