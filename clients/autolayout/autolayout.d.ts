/** Auto Layout by SceneSync's engine, compiled for WebAssembly. */
import type { Op, SceneDocument } from "./document.js";

export * from "./document.js";

/** A frame in points of the superview's coordinates. */
export type Frame = [x: number, y: number, width: number, height: number];
/** Frames by the ids of views. `root` is the viewport. */
export type Frames = Record<string, Frame>;

/** Units of work of a call that names no other budget: a few seconds of a slow machine. */
export const BUDGET: number;

/** Something was refused. The scene is as it was before the call. */
export class LayoutError extends Error {
  /** Why, for programs: `bad-op`, `bad-value`, `bad-rule`, `unknown-view`, `duplicate-id`, `limit`, `closed` and others. SPEC.md, 11. */
  readonly code: string;
  /** The place of the op in its list, from 0. */
  readonly opIndex?: number;
  /** Where the fault stands in the text, from 1. */
  readonly line?: number;
  readonly column?: number;
  /** Where it stands in the tree, such as `views[3].hugging`. */
  readonly path?: string;
  /** The name of what is wrong. */
  readonly id?: string;
}
/** Required constraints contradict one another: `code` is `unsatisfiable`. */
export class ConflictError extends LayoutError {
  /** The constraints that do not go together, with their lines in a document that was opened as text. */
  readonly constraints: { id: string; line?: number }[];
}
/**
 * A call takes more work than its budget: `code` is `too-expensive`. `Scene.open` gives no scene then; any other call leaves one that
 * cannot be used any more, which is to be disposed of.
 */
export class BudgetError extends LayoutError {}
/** The engine itself failed, which is a fault of ours. No scene of its instance can be used any more; `Scene.open` gets a new one. */
export class EngineFailure extends Error {}

/** An instance of the engine with memory of its own. */
export interface Engine {
  /** Bytes of memory that the instance has taken; they never become fewer. */
  readonly memoryBytes: number;
}

/**
 * Loads the engine; without a source once for all scenes, from `engine.wasm` beside the module. `Scene.open` does so by itself: call it
 * to load the engine early, or from elsewhere, for all scenes that are opened later.
 */
export function load(source?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<Engine>;

/** Units of work, the same on every machine and on the server. */
export interface Work {
  budget?: number;
}

export interface Answer {
  /** Units of work of the call. */
  work: number;
  /** Why a layout did not come to rest, in sentences. */
  errors?: string[];
}

export interface Applied extends Answer {
  /** What a `layoutIfNeeded` of the ops laid out. */
  frames?: Frames;
  /** Constraints that went with their views. */
  removedConstraints?: string[];
  /** The ops that were refused; never of an atomic list, which throws. */
  refusals?: { code: string; op: number; message: string; conflicting: string[] }[];
}

export interface Report {
  frames: Frames;
  /** Views that could lie elsewhere too. */
  ambiguous: string[];
  /** Constraints that were given up, where the viewport allows that. */
  broken: string[];
  /** False if the budget did not suffice to find all ambiguous views. */
  isWhole?: boolean;
}

export interface Influence {
  /** The constraint's id; none for what a view itself asks for. */
  id?: string;
  kind: string;
  rule: string;
}

export interface Explanation {
  id: string;
  ambiguous: boolean;
  needsUpdateConstraints: boolean;
  needsLayout: boolean;
  needsDisplay: boolean;
  /** The constraints that name the view. */
  constraints: string[];
  /** What decides its place and width. */
  horizontal: Influence[];
  /** What decides its place and height. */
  vertical: Influence[];
  /** Constraints that were given up, and what they contradict. */
  broken: { id: string; conflicts: string[] }[];
}

/** A document brought to life: ops in, frames out. Every method but `dispose` throws `LayoutError` after `dispose`. */
export class Scene {
  private constructor();
  /**
   * Lays a document out.
   *
   * @param document As an object or as its text, which has lines to name.
   * @throws {ConflictError | BudgetError | LayoutError} for a document that is refused.
   */
  static open(
    document: SceneDocument | string, options?: Work & { device?: string; engine?: Engine | Promise<Engine> },
  ): Promise<Scene>;
  /** The scene of a record of the kind `snapshot`, which a server tells those who follow it: SPEC.md, section 20. */
  static restore(record: object | string, options?: Work & { engine?: Engine | Promise<Engine> }): Promise<Scene>;
  /** Another scene with the same state; where a layout is ambiguous, it may lay views out otherwise. */
  fork(options?: Work): Scene;
  /** Repeats further records of the server of a restored scene, up to the cycle of a tick: then it is equal to the server's. */
  follow(records: readonly object[] | string, tick: number | bigint, options?: Work): Answer;
  /** What the first layout took. */
  readonly opened: Answer;
  /** Applies an op or a list of ops, by default whole or not at all; the layout follows at the next tick. */
  apply(ops: Op | readonly Op[] | string, options?: Work & { atomic?: boolean }): Applied;
  /** Lays out what is pending, and moves animations on by a tick (1/60 s) each, 10,000 at most; `isPending` if another would change something. */
  tick(count?: number, options?: Work): Answer & { isPending: boolean };
  /** The frames of all views, where animations end. */
  frames(): Frames;
  /** The same with what is ambiguous and what was given up. */
  report(options?: Work): Report;
  /** The frames to draw at this tick that differ from the last call's, and the views that are gone since; at first all. */
  changed(): { frames: Frames; removed: string[] };
  /**
   * What is drawn at this tick, lines of text and colours too: a `snapshot` message of SPEC.md, whose frames are in units of `unitsPerPoint`.
   * With `isSettled` views that move are where they will be.
   */
  picture(options?: { isSettled?: boolean }): { unitsPerPoint: number; scale: number; cell: [number, number]; snapshot: Record<string, unknown> };
  /** Why a view is where it is. */
  explain(view: string, options?: Work): Explanation;
  /** The scene as a document, which `open` reads again. */
  document(): SceneDocument;
  /** 16 hexadecimal digits that are equal for equal scenes, here and on a server, and the units of work so far. */
  hash(): { hash: string; work: number };
  /** Frees the scene. */
  dispose(): void;
}
