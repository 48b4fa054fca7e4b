import { limits, MirrorError } from "./errors.js";
import { bitCount } from "./bytes.js";
import { hashPrefix, HashSum } from "./hash.js";

// --- The mirror (SPEC section 9) -------------------------------------------------------------------------------------

/** How far an animation is at a time; both within 0…1. */
export function curveProgress(curve, time) {
  if (time <= 0) return 0;
  if (time >= 1) return 1;
  if (curve === "linear") return time;
  const [x1, x2] = { easeIn: [0.42, 1], easeOut: [0, 0.58], easeInOut: [0.42, 0.58] }[curve];
  let low = 0, high = 1;
  for (let step = 0; step < 60; step++) {
    const t = (low + high) / 2, s = 1 - t;
    if (3 * s * s * t * x1 + 3 * s * t * t * x2 + t * t * t < time) low = t;
    else high = t;
  }
  const t = (low + high) / 2;
  return 3 * (1 - t) * t * t + t * t * t;
}

/**
 * A copy of the scene. Views are told apart by number or by id; frames are in typed arrays, so that a frame diff costs
 * a few nanoseconds a view. The state hash is computed on request, about once a second.
 */
export class Mirror {
  /** Whether the owner calls `verify` some time after a snapshot, so that it can be shown first; the next message does it at the latest. */
  verifiesLater = false;

  constructor() {
    this.needsSnapshot = true;
    this.expectedHash = undefined;
    this.epoch = 0;
    this.tick = 0;
    this.chunks = [];
    /** How far scroll views can be scrolled beyond their content, in units: top, left, bottom, right, by their ids (SPEC AREA-17). */
    this.insets = new Map();
    /** Whether messages of a tick have come whose frame has not: no tick names this state. */
    this.isWithinTick = false;
    this.clear();
  }

  /** Prepares for a new connection: empties the ring; the first frame that fits leads into its epoch (SPEC CONN-30). */
  continueIn(epoch) {
    this.forgetSelections();
    this.insets.clear();
    this.announcedEpoch = epoch;
  }

  clear() {
    this.insets.clear();
    this.views = new Map();
    this.numbers = new Map();
    this.root = undefined;
    this.animations = [];
    this.x = new Int32Array(64);
    this.y = new Int32Array(64);
    this.width = new Int32Array(64);
    this.height = new Int32Array(64);
    this.isThere = new Uint8Array(64);
    /** Whether the parts of a view's hash that do not change with its frame are in `prefixes`, four for each view. */
    this.isHashed = new Uint8Array(64);
    this.prefixes = new Uint16Array(256);
    this.forgetSelections();
  }

  forgetSelections() {
    this.ring = Array(64).fill(undefined);
    this.lastDeltas = Array(64).fill(undefined);
    this.nextSlot = 0;
  }

  /** How many views there are. */
  get size() { return this.views.size; }

  /** The view of an id: number, id, parent (a number), children (numbers), content. Its frame: `frame(number)`. */
  view(id) { return this.views.get(this.numbers.get(id)); }

  /** x, y, width and height in the superview, in units. */
  frame(number) { return [this.x[number], this.y[number], this.width[number], this.height[number]]; }

  /** The frame, or where a view is on the way to it while animations move it. */
  shownFrame(number, tick = this.tick) {
    let frame = this.frame(number);
    for (const animation of this.animations) {
      const delta = animation.deltas.get(number);
      if (!delta) continue;
      const share = 1 - curveProgress(animation.curve, Math.max(0, tick - animation.start) / animation.duration);
      frame = frame.map((value, side) => value - delta[side] * share);
    }
    return frame.map((value) => Math.floor(value + 0.5));
  }

  /** Where a view stands in the root's coordinates; scrolled containers count. */
  absoluteFrame(number) {
    let [x, y, width, height] = this.frame(number);
    for (let view = this.views.get(this.views.get(number).parent); view; view = this.views.get(view.parent)) {
      x += this.x[view.number] - view.content.contentOffset[0];
      y += this.y[view.number] - view.content.contentOffset[1];
    }
    return [x, y, width, height];
  }

  /** A point of the root, in units, as a place in a view, which is the same on every device. */
  placeIn(number, [pointX, pointY]) {
    const [x, y, width, height] = this.absoluteFrame(number), share = (distance, extent) => (extent > 0 ? Math.min(Math.max(distance / extent, 0), 1) : 0);
    return { view: this.views.get(number).id, fraction: [share(pointX - x, width), share(pointY - y, height)] };
  }

  /** The point of the root, in units, at a place; undefined where the view is not there, or not on show. */
  pointOf({ view: id, fraction }) {
    const number = this.numbers.get(id);
    if (number === undefined) return undefined;
    for (let view = this.views.get(number); view; view = this.views.get(view.parent)) if (view.content.hidden) return undefined;
    const [x, y, width, height] = this.absoluteFrame(number), [across, down] = fraction.map((share) => Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1));
    return [x + across * width, y + down * height];
  }

  /** All views, superviews before subviews, siblings in their order. */
  preorder() {
    const result = [], stack = this.root === undefined ? [] : [this.root];
    while (stack.length) {
      const view = this.views.get(stack.pop());
      result.push(view);
      for (let index = view.children.length - 1; index >= 0; index--) stack.push(view.children[index]);
    }
    return result;
  }

  /** 16 hexadecimal digits. */
  get stateHash() {
    const sum = new HashSum(), { x, y, width, height, isHashed, prefixes } = this;
    for (const { number, id, parent, content } of this.views.values()) {
      if (!isHashed[number]) {
        hashPrefix(id, this.views.get(parent)?.id ?? "", content, prefixes, 4 * number);
        isHashed[number] = 1;
      }
      sum.add(prefixes, 4 * number, x[number], y[number], width[number], height[number]);
    }
    return sum.text;
  }

  /** Compares the state with the hash of the snapshot that it came from, if that was not done. Throws MirrorError. */
  verify() {
    const { expectedHash } = this;
    this.expectedHash = undefined;
    if (expectedHash === undefined || expectedHash === this.stateHash) return;
    this.needsSnapshot = true;
    throw new MirrorError("hash-mismatch");
  }

  /** The insets of a view: top, left, bottom, right, in units. */
  inset(id) { return this.insets.get(id) ?? [0, 0, 0, 0]; }

  takeInsets({ whole, changes }) {
    if (whole) this.insets.clear();
    for (const { id, inset } of changes) {
      if (inset.every((edge) => edge === 0)) this.insets.delete(id);
      else this.insets.set(id, inset);
    }
  }

  /** Applies a message that is about state, or the insets of scroll views; returns whether it was. Throws MirrorError. */
  apply(message) {
    if (message.type === "insets") {
      this.takeInsets(message);
      return true;
    }
    const apply = appliers[message.type];
    if (!apply) return false;
    if (message.type === "snapshot") {
      apply(this, message);
      return true;
    }
    if (this.needsSnapshot) throw new MirrorError("no-snapshot");
    this.verify();
    this.needsSnapshot = true;
    apply(this, message);
    this.needsSnapshot = false;
    return true;
  }

  require(number) {
    const view = this.views.get(number);
    if (!view) throw new MirrorError("unknown-view", number);
    return view;
  }

  store(selection, deltas, slot) {
    this.ring[slot] = selection;
    this.lastDeltas[slot] = deltas;
    this.nextSlot = (slot + 1) % 64;
  }

  setFrame(number, frame) {
    this.x[number] = frame[0];
    this.y[number] = frame[1];
    this.width[number] = frame[2];
    this.height[number] = frame[3];
  }

  makeRoom(number) {
    if (number < this.isThere.length) return;
    for (const name of ["x", "y", "width", "height", "isThere", "isHashed", "prefixes"]) {
      const larger = new this[name].constructor(2 * (number + 1) * (name === "prefixes" ? 4 : 1));
      larger.set(this[name]);
      this[name] = larger;
    }
  }

  /** Moves views by the same deltas; the whole cost of a frame. */
  shift(mask, numbers, deltas) {
    const { isThere } = this, sides = [this.x, this.y, this.width, this.height];
    for (let index = 0; index < numbers.length; index++) {
      if (!isThere[numbers[index]]) throw new MirrorError("unknown-view", numbers[index]);
    }
    for (let side = 0, at = 0; side < 4; side++) {
      if (!((mask >> side) & 1)) continue;
      const column = sides[side], delta = deltas[at++];
      for (let index = 0; index < numbers.length; index++) column[numbers[index]] += delta;
    }
  }

  /** Applies a body; `note` hears how groups and rows moved each view. */
  applyBody(body, note) {
    let budget = this.views.size;
    for (const group of body.groups) {
      let selection = group, { deltas } = group;
      if (group.slot !== undefined) {
        selection = this.ring[group.slot];
        if (!selection || bitCount(selection.mask) !== deltas.length) throw new MirrorError("unknown-slot", group.slot);
        if (body.citesDifferences) {
          const last = this.lastDeltas[group.slot];
          deltas = deltas.map((delta, index) => (delta + last[index]) | 0);
        }
        this.lastDeltas[group.slot] = deltas;
      } else if (group.stores) this.store(group, deltas, this.nextSlot);
      budget -= selection.numbers.length;
      if (budget < 0) throw new MirrorError("too-many-changes");
      this.shift(selection.mask, selection.numbers, deltas);
      if (note) for (const each of selection.numbers) note(each, spread(selection.mask, deltas));
    }
    if (body.rows.length + body.absoluteRows.length > budget) throw new MirrorError("too-many-changes");
    for (const row of body.rows) {
      this.shift(row.mask, [row.number], row.deltas);
      note?.(row.number, spread(row.mask, row.deltas));
    }
    for (const { number, mask, values } of body.absoluteRows) {
      this.require(number);
      const next = spread(mask, values);
      this.setFrame(number, this.frame(number).map((value, side) => ((mask >> side) & 1 ? next[side] : value)));
    }
  }

  insert(view, index) {
    if (this.views.has(view.number)) throw new MirrorError("duplicate-number", view.number);
    if (this.numbers.has(view.id)) throw new MirrorError("duplicate-id", view.id);
    if (view.parent === undefined) {
      if (this.root !== undefined) throw new MirrorError("misplaced-root");
      this.root = view.number;
    } else this.insertChild(view.number, this.require(view.parent), index);
    const { number, id, parent, content, frame } = view;
    this.views.set(number, { number, id, parent, content, children: [] });
    this.numbers.set(id, number);
    this.makeRoom(number);
    this.isThere[number] = 1;
    this.isHashed[number] = 0;
    this.setFrame(number, frame);
  }

  insertChild(number, parent, index = parent.children.length) {
    if (index > parent.children.length) throw new MirrorError("invalid-index", index);
    if (index === parent.children.length) parent.children.push(number);
    else parent.children.splice(index, 0, number);
  }

  takeChild(view) {
    if (view.parent === undefined) throw new MirrorError("misplaced-root");
    const { children } = this.views.get(view.parent);
    children.splice(children.indexOf(view.number), 1);
  }
}

function spread(mask, values) {
  let at = 0;
  return [0, 1, 2, 3].map((side) => ((mask >> side) & 1 ? values[at++] : 0));
}

/** A tick so many later; undefined beyond 64 bits. As elsewhere a number, or digits above 2^53. */
function later(tick, distance) {
  if (typeof tick === "number" && typeof distance === "number" && tick + distance <= Number.MAX_SAFE_INTEGER) return tick + distance;
  const sum = BigInt(tick) + BigInt(distance);
  return sum >> 64n ? undefined : sum <= 9007199254740992n ? Number(sum) : `${sum}`;
}

const notBefore = (mirror, tick) => {
  if (tick < mirror.tick) throw new MirrorError("stale-tick");
  mirror.isWithinTick = true;
};

/** The fonts of lines that a message tells, by view; `undefined` for a view that has none any more (SPEC FACE-1). */
function facesOf({ faces }) {
  return new Map(faces?.views.map(({ number, style }) => [number, style ? { ...faces.styles[style - 1], files: faces.files } : undefined]));
}

/** Gives a view the font of its lines, which is no part of the state hash. */
function giveFace(content, face) {
  if (face) content.face = face;
  else delete content.face;
}

/** What is drawn of views besides their contents that a message tells, by view; `undefined` for a view that has it no more (SPEC VAL-14). */
function looksOf({ looks, symbols, charts }) {
  const own = [...looks?.looks ?? []];
  // A symbol or a chart of a look that is not there is passed over (SPEC VAL-17, VAL-18).
  for (const { look, ...symbol } of symbols?.symbols ?? []) if (own[look - 1]) own[look - 1] = { ...own[look - 1], symbol };
  for (const { look, values, ...chart } of charts?.charts ?? []) if (own[look - 1]) own[look - 1] = { ...own[look - 1], chart: { ...chart, heights: values.map(({ height }) => height / 10000) } };
  return new Map(looks?.views.map(({ number, look }) => [number, look ? own[look - 1] : undefined]));
}

/** Gives a view its look, which is no part of the state hash. */
function giveLook(content, look) {
  if (look) content.look = look;
  else delete content.look;
}

const appliers = {
  snapshot(mirror, chunk) {
    mirror.needsSnapshot = true;
    const chunks = chunk.chunkIndex === 0 ? [] : mirror.chunks, [first] = chunks, expected = chunks.length;
    mirror.chunks = [];
    const isSame = !first || ["epoch", "tick", "stateHash", "chunkCount"].every((name) => first[name] === chunk[name]);
    if (chunk.chunkIndex !== expected || !isSame) throw new MirrorError("unexpected-chunk", `${chunk.chunkIndex} instead of ${expected}`);
    chunks.push(chunk);
    if (chunks.reduce((sum, each) => sum + each.views.length, 0) > limits.views + 1) throw new MirrorError("too-many-views");
    if (chunks.length < chunk.chunkCount) {
      mirror.chunks = chunks;
      return;
    }
    mirror.clear();
    [mirror.epoch, mirror.tick, mirror.announcedEpoch, mirror.isWithinTick] = [chunk.epoch, chunk.tick, undefined, false];
    let largest = 0;
    for (const { views } of chunks) for (const { number } of views) if (number > largest) largest = number;
    mirror.makeRoom(largest);
    for (const { views } of chunks) for (const view of views) mirror.insert(view);
    for (const each of chunks) {
      for (const [number, face] of facesOf(each)) if (mirror.views.has(number)) giveFace(mirror.views.get(number).content, face);
      for (const [number, look] of looksOf(each)) if (mirror.views.has(number)) giveLook(mirror.views.get(number).content, look);
    }
    if (mirror.root === undefined) throw new MirrorError("misplaced-root");
    mirror.expectedHash = chunk.stateHash;
    if (!mirror.verifiesLater) mirror.verify();
    mirror.needsSnapshot = false;
  },
  frame(mirror, { tick: low, baseDistance, durableDistance, body }) {
    const tick = later(mirror.tick, baseDistance);
    const isSmall = typeof tick === "number" && typeof durableDistance === "number";
    if (tick === undefined || (typeof tick === "number" ? tick % 256 : Number(BigInt(tick) & 255n)) !== low
      || (isSmall ? durableDistance > tick : BigInt(durableDistance) > BigInt(tick))) {
      throw new MirrorError("wrong-base", `${low} after ${baseDistance} on ${mirror.tick}`);
    }
    mirror.applyBody(body);
    mirror.tick = tick;
    mirror.isWithinTick = false;
    if (mirror.announcedEpoch !== undefined) [mirror.epoch, mirror.announcedEpoch] = [mirror.announcedEpoch, undefined];
    if (mirror.animations.length) {
      mirror.animations = mirror.animations.filter(({ start, duration }) => tick - start < duration);
    }
  },
  select: (mirror, { selection, deltas, slot }) => mirror.store(selection, deltas, slot),
  hash(mirror, { tick, hash }) {
    if (tick === mirror.tick && hash !== mirror.stateHash) throw new MirrorError("hash-mismatch");
  },
  tree(mirror, { tick, changes, faces, looks, symbols, charts }) {
    notBefore(mirror, tick);
    const told = facesOf({ faces }), seen = looksOf({ looks, symbols, charts });
    for (const change of changes) {
      if (change.change === "add") {
        if (mirror.views.size > limits.views) throw new MirrorError("too-many-views");
        mirror.insert(change, change.index);
        giveFace(change.content, told.get(change.number));
        giveLook(change.content, seen.get(change.number));
      } else if (change.change === "remove") {
        const view = mirror.require(change.number), stack = [view];
        mirror.takeChild(view);
        while (stack.length) {
          const gone = stack.pop();
          stack.push(...gone.children.map((child) => mirror.views.get(child)));
          mirror.views.delete(gone.number);
          mirror.numbers.delete(gone.id);
          mirror.isThere[gone.number] = 0;
          for (const animation of mirror.animations) animation.deltas.delete(gone.number);
        }
      } else {
        const view = mirror.require(change.number);
        if (view.parent === undefined) throw new MirrorError("misplaced-root");
        mirror.require(change.parent);
        for (let each = change.parent; each !== undefined; each = mirror.views.get(each).parent) {
          if (each === change.number) throw new MirrorError("cycle", each);
        }
        mirror.takeChild(view);
        mirror.insertChild(view.number, mirror.views.get(change.parent), change.index);
        view.parent = change.parent;
        mirror.isHashed[view.number] = 0;
      }
    }
  },
  content(mirror, { tick, changes, invalidations, faces, looks, symbols, charts }) {
    notBefore(mirror, tick);
    const told = facesOf({ faces }), seen = looksOf({ looks, symbols, charts });
    for (const { number, content } of changes) {
      const view = mirror.require(number), { face, look } = view.content;
      giveFace(content, told.has(number) ? told.get(number) : face);
      giveLook(content, seen.has(number) ? seen.get(number) : look);
      view.content = content;
      mirror.isHashed[number] = 0;
    }
    for (const { number } of invalidations) mirror.require(number);
  },
  anim(mirror, { tick, changes }) {
    notBefore(mirror, tick);
    for (const change of changes) {
      const others = () => mirror.animations.filter(({ id }) => id !== change.id);
      if (change.change === "cancel") {
        mirror.animations = others();
        continue;
      }
      if (mirror.animations.length >= limits.animations) throw new MirrorError("too-many-animations");
      const deltas = new Map();
      mirror.applyBody(change.body, (number, delta) => deltas.set(number, delta));
      const { id, delayTicks, durationTicks, curve } = change;
      mirror.animations = [...others(), { id, start: tick + delayTicks, duration: durationTicks, curve, deltas }];
    }
  },
  keyframe(mirror, { tick, numbers }) {
    if (tick !== mirror.tick) throw new MirrorError("wrong-base");
    if (numbers.length !== mirror.views.size) throw new MirrorError("malformed-numbering");
    numbers.forEach((number) => mirror.require(number));
    const places = new Map(numbers.map((number, place) => [number, place]));
    if (places.size !== mirror.views.size) throw new MirrorError("malformed-numbering");
    const old = mirror.preorder().map((view) => ({ view, frame: mirror.frame(view.number) }));
    mirror.views = new Map();
    mirror.isThere.fill(0);
    mirror.isHashed.fill(0);
    mirror.makeRoom(numbers.length);
    for (const { view, frame } of old) {
      view.number = places.get(view.number);
      view.parent = places.get(view.parent);
      view.children = view.children.map((child) => places.get(child));
      mirror.views.set(view.number, view);
      mirror.numbers.set(view.id, view.number);
      mirror.isThere[view.number] = 1;
      mirror.setFrame(view.number, frame);
    }
    mirror.root = places.get(mirror.root);
    mirror.forgetSelections();
    for (const animation of mirror.animations) {
      animation.deltas = new Map([...animation.deltas].map(([number, delta]) => [places.get(number), delta]));
    }
  },
};
