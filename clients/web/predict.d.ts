/** Own changes before the server answers. */
import type { Mirror, Op, Records, Rectangle, Result } from "./scenesync.js";

export interface Fault {
  code: string;
  message: string;
  /** The replica is of no use any more. */
  isFatal?: boolean;
}

/** Answers the questions of `replica.js`, one after the other. */
export interface ReplicaPort {
  ask(question: object): Promise<any>;
}

/** A replica in a worker whose script calls `serveReplica`. */
export class WorkerReplica implements ReplicaPort {
  constructor(worker: Worker);
  ask(question: object): Promise<any>;
  /** Ends the worker: what it was asked, and is asked, has this fault. */
  end(message?: string): void;
}

/** Ops of one request, with members of the owner's. */
export interface Entry {
  ops: Op[];
  /** Whether they are applied whole or not at all; true by default. */
  atomic?: boolean;
  /** Whether the server may have it. */
  isSent?: boolean;
  /** Whether the replica cannot follow it, such as an undo or an animation. */
  isForeign?: boolean;
  /** The `clientSequence` under which it was sent; needed where the replica follows. */
  sequence?: number;
}

/** What was predicted and how it came out. */
export interface Figures {
  /** Steps of the replica that were shown. */
  predicted: number;
  /** Those that the server has answered, and how many of these it refused. */
  settled: number;
  refused: number;
  /** Answers whose tick was the mirror's, so that the frames could be compared. */
  compared: number;
  /** Those that differed from what was shown by more than a point, and by how many points at most. */
  wrong: number;
  worst: number;
  /** State hashes, and refusals, in which replica and server differed. */
  divergences: number;
  refusalsDiffering: number;
  /** How often a replica was opened, and the milliseconds of the last time. */
  opened: number;
  opening: number;
  /** Faults of the engine. */
  traps: number;
  /** Milliseconds of the last step. */
  step?: number;
}

export class Prediction {
  constructor(options: {
    replica: ReplicaPort;
    /** The mirror. */
    truth: () => Mirror;
    /** Units of a point, from `welcome`. */
    unit: () => number;
    /** `shown` may be another; with `isStructural` not in frames alone. */
    changed: (isStructural: boolean) => void;
    failed?: (fault: Fault) => void;
  });
  /** The mirror, or a copy with what own ops without a result still change. Never the mirror itself is changed. */
  readonly shown: Mirror;
  /** Entries without a result. */
  readonly entries: Entry[];
  readonly figures: Figures;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  /**
   * Begins anew with a document of the server (`inspect`), and applies to it what has no result. `hash` and `expected`, frames by ids in
   * units, are of the same state; `since` are lists of ops that were committed later. Resolves to why the replica is of no use.
   */
  open(document: object, state: { hash?: string; expected: Map<string, Rectangle>; since?: Op[][] }): Promise<string | undefined>;
  /**
   * Repeats what the server told of its scene (`follow`), a message `records` as a whole: from the first one with `start` on, the replica knows
   * what others do, and `open` and `compare` are of no use. Resolves to whether it is equal to the server's scene; where it is not, the server
   * is to be asked to begin anew.
   */
  follow(records: Records): Promise<boolean | undefined>;
  readonly isFollowing: boolean;
  /** Frees the replica: nothing is predicted until the next `open`. */
  close(): void;
  /** Adds an entry, behind all others. */
  add(entry: Entry): Promise<void>;
  /** Gives an entry that was not sent other ops, which set no less than the ones before. */
  change(entry: Partial<Entry>, ops: Op[]): Promise<void>;
  /** Sends an entry of `change` as another, behind all others. */
  replace(old: Partial<Entry>, entry: Entry): void;
  /** Takes an entry back that will not be sent; the replica is to be opened anew. */
  remove(entry: Entry): void;
  /** The server has decided an entry; says whether the replica has to begin anew. */
  decided(entry: Entry, result: Result): boolean;
  /** The mirror has changed: call it from `onupdate`. */
  heard(): void;
  /** Compares the state hashes while nothing waits; undefined if something came up. */
  compare(): Promise<boolean | undefined>;
  /**
   * What holds views, as an inspection has it, and the document, with all own ops; undefined without a replica. `known` is the document if
   * no op has changed it: writing a large one takes long.
   */
  explain(views: string[], known?: object): Promise<{ views: object[]; document: object } | undefined>;
}
