/** A replica of a scene for `Prediction`, on the engine of the package autolayout. */
import type { Content, Rectangle } from "./scenesync.js";

/** What a view looks like. */
export interface ViewRecord {
  parent?: string;
  frame: Rectangle;
  content: Content;
  children: string[];
}
export interface Patch {
  frames: [id: string, from: Rectangle, to: Rectangle][];
  contents: [id: string, from: Content, to: Content][];
  added: [id: string, record: ViewRecord][];
  removed: string[];
  children: [id: string, from: string[], to: string[]][];
}

/** What views look like, by their ids, from the picture of a scene. */
export function recordsOf(picture: { snapshot: object }): Map<string, ViewRecord>;
/** What leads from one set of records to another. */
export function difference(before: Map<string, ViewRecord>, after: Map<string, ViewRecord>): Patch;

/** A scene beside the server's. `Scene` is the one of the package autolayout. */
export class Replica {
  constructor(Scene: unknown);
  open(question: { document: object; since?: object[][] }): Promise<{ records: Map<string, ViewRecord>; hash: string; unitsPerPoint: number }>;
  apply(question: { ops: object[]; atomic?: boolean }): { patch?: Patch; refusal?: { code: string; message: string } };
  /** Repeats records of the server; answers with what own ops change of its state, and whether the state hash differs. */
  follow(question: { start: boolean; author: string; tick: number; text: string; state?: { hash: string } }): Promise<{
    overlay: Patch; differs: boolean; compared: number; worst: number;
  }>;
  /** Has ops wait behind all others, or gives what waits already other ops or its sequence. */
  put(question: { key: number; ops: object[]; atomic?: boolean; sequence?: number }): { overlay: Patch; refusal?: { code: string; message: string } };
  /** Something does not wait any more. */
  drop(question: { key: number }): { overlay: Patch };
  explain(question: { views: string[]; document?: boolean }): { views: object[]; document?: object };
  hash(): { hash: string; work: number };
  close(): object;
}

/** Answers the questions that come to a worker, one after the other. `load` fetches the engine. */
export function serveReplica(
  worker: { addEventListener: (type: "message", listener: (event: { data: any }) => void) => void; postMessage: (answer: object) => void },
  engine: { Scene: unknown; load: () => Promise<unknown> },
): void;
