// From a gesture to constants: which constraints hold a view's place and size, and how they change when it is dragged.
import { isExtent, isHorizontal, rulesOf } from "./rules.js";

/**
 * How the constants of constraints have to change so that the low edge (left, top) and the high edge (right, bottom) of a view move
 * by so many points along one axis: a list of { id, constant }, or a text for people that says why there is nothing to change.
 *
 * `holding` are the ids of the constraints that hold the view along that axis, as the server says. `direction` is that of the
 * device on which the edges move; by default the main one's.
 */
export function changesFor(document, id, isAlongX, { low, high }, holding, direction = document.viewport?.direction) {
  const all = rulesOf(document), isRightToLeft = direction === "rtl", parents = ancestors(document, id);
  const rules = all.filter(({ parts, active, id: name }) => parts && active && parts.relation === "==" && holding.includes(name)
    && (parts.first.view === id || parts.second?.view === id) && isHorizontal(parts.first.attribute) === isAlongX);
  // A constraint that refers to the view itself on both sides holds no place.
  const isOwn = ({ parts }) => parts.first.view === id && !parts.first.guide;
  const places = rules.filter(({ parts }) => !isExtent(parts.first.attribute) && parts.first.view !== parts.second?.view);
  // What the view says of others holds it; what others say of it follows it, unless they are around it.
  const held = places.filter((rule) => isOwn(rule) || parents.has(rule.parts.first.view));
  const chosen = held.length ? held : places;
  const extents = rules.filter((rule) => isExtent(rule.parts.first.attribute) && isOwn(rule));
  const changes = new Map();
  const change = ({ id: name, parts }, distance) => {
    if (Math.abs(distance) < 0.0005) return;
    const isMirrored = isAlongX && isRightToLeft && /leading|trailing/.test(parts.first.attribute);
    const sign = (isOwn({ parts }) ? 1 : -parts.multiplier) * (isMirrored ? -1 : 1);
    changes.set(name, (changes.get(name) ?? parts.constant) + sign * distance);
  };
  const moves = { low, high, middle: (low + high) / 2 };
  const edge = (rule) => edgeOf((isOwn(rule) ? rule.parts.first : rule.parts.second).attribute, isRightToLeft);
  for (const rule of chosen) change(rule, moves[edge(rule)]);
  // One extent is enough: others would contradict it or agree with it.
  if (extents.length) change(extents.find(({ parts }) => !parts.second) ?? extents[0], high - low);
  else if (low !== high && !chosen.some((rule) => moves[edge(rule)] && edge(rule) === (low === 0 ? "high" : "low"))) {
    return "its content or its container decides this size";
  }
  if (changes.size) return [...changes].map(([name, constant]) => ({ id: name, constant: Math.round(constant * 1000) / 1000 }));
  return "no constraint with a constant holds it there";
}

function edgeOf(attribute, isRightToLeft) {
  if (attribute === "leading") return isRightToLeft ? "high" : "low";
  if (attribute === "trailing") return isRightToLeft ? "low" : "high";
  if (attribute === "left" || attribute === "top" || attribute === "firstBaseline") return "low";
  if (attribute === "right" || attribute === "bottom" || attribute === "lastBaseline") return "high";
  return "middle";
}

function ancestors(document, id) {
  const parents = new Map((document.views ?? []).map((view) => [view.id, view.parent ?? "root"])), result = new Set();
  for (let each = parents.get(id); each && !result.has(each); each = parents.get(each)) result.add(each);
  return result;
}

/**
 * Something that follows the pointer: its newest place is shown at once where the page predicts, and sent, never more than two messages
 * ahead of the server. While that does not answer, the last place waits. A subclass has `ops(dx, dy)`.
 */
export class Following {
  inFlight = 0;
  wanted = undefined;
  ready = Promise.resolve();

  constructor(room) {
    Object.assign(this, { room, group: room.group() });
    room.lastDrag = this;
  }

  move(dx, dy) {
    if (this.hasFailed) return;
    this.wanted = [dx, dy];
    this.room.start(this);
    this.ready.then(() => {
      // A newer place may have been here before.
      if (this.wanted !== undefined && this.wanted !== this.shown) {
        this.shown = this.wanted;
        this.shownOps = this.ops(...this.wanted);
        if (this.shownOps.length) this.room.ahead?.draft(this, this.shownOps);
      }
      this.pump();
    }, () => {});
  }

  /** The pointer let go: where the server is gone, the last place is what waits. */
  end() {
    this.isOver = true;
    this.ready.then(() => this.pump(), () => {});
  }

  /** Sends the newest place. */
  pump() {
    if (!this.wanted || this.wanted !== this.shown) return;
    const isCut = this.room.ahead?.isAheadOfCut ?? false;
    // While the pointer moves, one message stands for the whole way.
    if (isCut ? !this.isOver : this.inFlight > 1) return;
    const ops = this.shownOps;
    this.wanted = this.shown = undefined;
    // From here on its ops wait for themselves.
    this.room.finish(this);
    if (!ops.length) return;
    this.inFlight++;
    this.last = this.room.send(ops, this.group, this).finally(() => {
      this.inFlight--;
      this.pump();
    });
  }

  /** Resolves once all of it so far was answered. */
  async rest() {
    await this.ready.catch(() => {});
    while (this.wanted || this.inFlight) await this.last;
  }
}

/** One drag of views: asks what holds them, then sends constants as they follow the pointer, as one step of undo. What cannot be sent is said. */
export class Drag extends Following {
  /**
   * `edges` is a text of l, r, t, b: the edges that move; all four move the views. `seen` is the room as it is seen on the
   * device on which the drag is, which knows what holds them there.
   */
  constructor(room, ids, edges, complain, seen = room) {
    const before = room.lastDrag;
    super(room);
    Object.assign(this, { ids, edges, complain, changed: new Set() });
    this.ready = this.ask(before, seen).then(({ document, views }) => {
      this.document = document;
      this.direction = seen.direction(document);
      this.holding = new Map(views.map((view) => [view.id, view]));
      this.frames = new Map(ids.map((id) => [id, document.views?.find((view) => view.id === id)?.frame]));
    });
    this.ready.catch(({ message }) => this.fail(message));
  }

  /** What holds the views now: another member may have changed the constants since the panels were filled, and so will a drag that still waits. */
  async ask(before, seen) {
    const { room, ids } = this;
    // Where the page predicts, it knows by itself, own drags that wait included.
    const told = seen === room ? await room.ahead?.holds(ids) : undefined;
    if (told) return told;
    if (before) await Promise.race([before.rest(), ...(room.ahead ? [room.ahead.engaged] : [])]);
    return seen.inspect(ids, true);
  }

  /** The drag cannot be sent any more. */
  fail(message) {
    this.hasFailed = true;
    this.wanted = undefined;
    this.room.ahead?.dropDraft(this);
    this.room.finish(this);
    this.complain(`${this.ids.join(", ")} cannot be dragged: ${message}.`);
  }

  ops(dx, dy) {
    const ops = [], { edges, document } = this;
    for (const id of this.ids) {
      const frame = this.frames.get(id), held = this.holding.get(id);
      const [left, right, top, bottom] = ["l", "r", "t", "b"].map((edge, index) => (edges.includes(edge) ? (index < 2 ? dx : dy) : 0));
      if (frame) {
        ops.push({ op: "setView", id, frame: [frame[0] + left, frame[1] + top, Math.max(0, frame[2] + right - left), Math.max(0, frame[3] + bottom - top)] });
        continue;
      }
      if (!held) continue;
      for (const [isAlongX, low, high, list] of [[true, left, right, held.horizontal], [false, top, bottom, held.vertical]]) {
        if (!low && !high) continue;
        const changes = changesFor(document, id, isAlongX, { low, high }, list.map((each) => each.id), this.direction);
        if (typeof changes === "string") this.refuse(id, isAlongX, changes);
        else ops.push(...changes.map((each) => ({ op: "setConstraint", ...each })));
      }
    }
    this.restore(ops);
    return ops;
  }

  /** What an earlier place changed, and this one does not, is as it was before. */
  restore(ops) {
    const now = new Set(ops.map(({ id }) => id));
    for (const { id, parts } of this.changed.size ? rulesOf(this.document) : []) {
      if (this.changed.has(id) && !now.has(id)) ops.push({ op: "setConstraint", id, constant: parts.constant });
    }
    for (const { op, id } of ops) if (op === "setConstraint") this.changed.add(id);
  }

  refuse(id, isAlongX, why) {
    if (this.hasComplained) return;
    this.hasComplained = true;
    this.complain(`${id} cannot be dragged ${isAlongX ? "sideways" : "up or down"}: ${why}.`);
  }
}
