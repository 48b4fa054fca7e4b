// Where the items of rules are, those too that are no views: margins, safe areas, what scrolls, layout guides. And the
// constraints and guides of a view drawn as Interface Builder draws them: beams, measures, dashed lines.
import { frame } from "./people.js";
import { isExtent, isHorizontal, rulesOf, show } from "./rules.js";

const isMirroring = (attribute) => /leading|trailing/.test(attribute);
/** How an attribute's place is made of the low and the high edge of its axis: low + share × (high - low), then + offset. */
function shareOf(attribute, isRightToLeft) {
  if (/center/.test(attribute)) return 0.5;
  const isHigh = /right|bottom|last|trailing/.test(attribute);
  return Number(isRightToLeft && isMirroring(attribute) ? !isHigh : isHigh);
}

/** What the document tells of places, read once: the views by id, and the rules that surely hold. */
let known = {};
function knowledge({ document, sets, diagnostics }) {
  if (known.document !== document || known.sets !== sets || known.diagnostics !== diagnostics) {
    const holds = ({ id, parts, active }) => parts && active && parts.relation === "==" && parts.priority === 1000 && !diagnostics.broken.includes(id);
    known = {
      document, sets, diagnostics,
      views: new Map((document?.views ?? []).map((view) => [view.id, view])), rules: document ? rulesOf(document, sets).filter(holds) : [],
    };
  }
  return known;
}

/** Where items are while the stage shows views where it does now. */
export class Places {
  constructor({ room, stage }) {
    const { views, rules } = knowledge(room), isRightToLeft = room.direction(room.document) === "rtl";
    Object.assign(this, { room, stage, isRightToLeft, views, rules, found: new Map() });
  }

  /** The rectangle of a rule's item in points of the root; undefined where what is in force does not decide it. */
  box({ view: id, guide }) {
    const key = guide ? `${id}.${guide}` : id;
    if (!this.found.has(key)) {
      // Whatever leads back to itself is not decided by it.
      this.found.set(key, undefined);
      this.found.set(key, this.find(id, guide));
    }
    return this.found.get(key);
  }

  find(id, guide) {
    const view = this.room.mirror.view(id), box = view && this.stage.shown(view.number), given = this.views.get(id);
    if (view && !box) return undefined;
    // How wide lines are read best, and what a keyboard covers, the server alone knows.
    if (guide === "readable" || guide === "keyboard") return this.derive(id, guide);
    if (!box || guide === "content") return this.derive(id, guide, box && this.origin(view, box));
    const [top, leading, bottom, trailing] = guide === "margins" ? given?.margins ?? [8, 8, 8, 8] : guide === "safeArea" ? given?.safeArea ?? [0, 0, 0, 0] : [0, 0, 0, 0];
    const [left, right] = this.isRightToLeft ? [trailing, leading] : [leading, trailing];
    const baseline = guide ? undefined : given?.baseline;
    return { x: box.x + left, y: box.y + top, width: box.width - left - right, height: box.height - top - bottom, baseline };
  }

  /** Where what scrolls in a view begins. */
  origin({ content: { contentOffset: [x, y] } }, box) { return [box.x - x / this.stage.unit, box.y - y / this.stage.unit]; }

  /** A guide's rectangle, which the server does not send, from the rules that say where its edges are or what is at them. */
  derive(id, guide, origin) {
    const isIt = (end) => end?.view === id && end.guide === guide, sides = [];
    for (const isAlongX of [true, false]) {
      const known = origin ? [[0, origin[isAlongX ? 0 : 1]]] : [];
      let extent;
      for (const { parts: { first, second, multiplier, constant } } of this.rules) {
        if (isIt(first) === isIt(second) || isHorizontal(first.attribute) !== isAlongX) continue;
        const other = isIt(first) ? second : first, box = other && this.box(other);
        if (other && !box) continue;
        const at = other ? this.position(box, other.attribute) : 0, plus = this.isRightToLeft && isMirroring(first.attribute) ? -constant : constant;
        const value = isIt(first) ? multiplier * at + plus : (at - plus) / multiplier, { attribute } = isIt(first) ? first : second;
        if (isExtent(attribute)) extent ??= value;
        else known.push([shareOf(attribute, this.isRightToLeft), value]);
      }
      const [share, value] = known[0] ?? [], other = known.find(([each]) => each !== share);
      if (other) extent = (other[1] - value) / (other[0] - share);
      if (share === undefined || extent === undefined || !Number.isFinite(extent)) return undefined;
      sides.push([value - share * extent, extent]);
    }
    const [[x, width], [y, height]] = sides;
    return { x, y, width, height };
  }

  /** Where an attribute is, in points of the root: an x or a y, or how long an extent is. */
  position({ x, y, width, height, baseline = [0, 0] }, attribute) {
    if (isExtent(attribute)) return attribute === "width" ? width : height;
    const share = shareOf(attribute, this.isRightToLeft);
    if (isHorizontal(attribute)) return x + share * width;
    return y + share * height + (attribute === "firstBaseline" ? baseline[0] : attribute === "lastBaseline" ? -baseline[1] : 0);
  }
}

/** Paints rules with the guides that they name. `look` has `colors`, `broken` (ids) and `marked` (the id of one). */
export function paintRules(g, places, rules, look) {
  const guides = new Map();
  for (const { parts: { first, second } } of rules) {
    for (const end of [first, second]) {
      if (end && (end.guide || !places.room.mirror.view(end.view))) guides.set(`${end.view}${end.guide ? `.${end.guide}` : ""}`, end);
    }
  }
  for (const [name, end] of guides) paintGuide(g, places, name, end, look);
  for (const rule of rules) paintRule(g, places, rule, look);
}

/** A guide: a dashed rectangle with its name in a corner. */
function paintGuide(g, places, name, end, { colors }) {
  const box = places.box(end);
  if (!box) return;
  const shown = places.stage.onStage(box);
  g.globalAlpha = 0.7;
  frame(g, shown, colors.accent, 1, [2, 3]);
  g.fillStyle = colors.accent;
  g.textBaseline = "bottom";
  g.fillText(name, shown.x + 3, shown.y + shown.height - 2);
  g.globalAlpha = 1;
}

/** One constraint: a beam between edges, a measure along an extent, a dashed line through a shared edge, a centre or a baseline. */
function paintRule(g, places, { id, parts, active }, { colors, broken, marked }) {
  const { first, second, relation, constant, priority } = parts, one = places.box(first), other = second && places.box(second);
  if (!one || (second && !other)) return;
  const { camera } = places.stage, isAlongX = isHorizontal(first.attribute), isMarked = marked === id;
  const at = (box, attribute) => places.position(box, attribute) * camera.scale + (isAlongX ? camera.x : camera.y);
  const color = broken.includes(id) ? colors.bad : priority < 1000 ? colors.warn : colors.accent;
  const alpha = active ? 1 : 0.4;
  g.globalAlpha = alpha;
  g.strokeStyle = color;
  g.lineWidth = isMarked ? 2.5 : 1.25;
  g.setLineDash(active && relation === "==" ? [] : [4, 3]);
  const a = places.stage.onStage(one), b = other && places.stage.onStage(other);
  const text = `${relation === "==" ? "" : relation === "<=" ? "≤ " : "≥ "}${show(Math.abs(constant))}`;
  const tag = (shown, along, across) => paintTag(g, shown, isAlongX ? [along, across] : [across, along], color, colors.panel);
  if (isExtent(first.attribute)) {
    const across = isAlongX ? a.y + a.height + 5 : a.x + a.width + 5, [from, length] = isAlongX ? [a.x, a.width] : [a.y, a.height];
    beam(g, isAlongX, from, from + length, across);
    if (isMarked || (!second && active)) tag(second ? "=" : text, from + length / 2, across);
  } else if (other) {
    const from = at(other, second.attribute), to = at(one, first.attribute);
    const [low, high, otherLow, otherHigh] = isAlongX ? [a.y, a.y + a.height, b.y, b.y + b.height] : [a.x, a.x + a.width, b.x, b.x + b.width];
    const begin = Math.max(low, otherLow), end = Math.min(high, otherHigh), across = end > begin ? (begin + end) / 2 : (low + high) / 2;
    if (/center|Baseline/.test(first.attribute) || Math.abs(to - from) < 2) {
      // Along what both share; where a constant keeps them apart, along both.
      g.setLineDash([5, 3]);
      for (const each of Math.abs(to - from) < 2 ? [to] : [to, from]) line(g, !isAlongX, Math.min(low, otherLow), Math.max(high, otherHigh), each);
      if (constant) tag(text, (from + to) / 2, across);
    } else {
      beam(g, isAlongX, from, to, across);
      tag(text, (from + to) / 2, across);
    }
  }
  g.setLineDash([]);
  g.globalAlpha = 1;
}

function line(g, isAlongX, from, to, across) {
  const at = Math.round(across) + 0.5;
  g.beginPath();
  if (isAlongX) { g.moveTo(from, at); g.lineTo(to, at); } else { g.moveTo(at, from); g.lineTo(at, to); }
  g.stroke();
}

/** A line with a foot at each end. */
function beam(g, isAlongX, from, to, across) {
  line(g, isAlongX, from, to, across);
  for (const end of [from, to]) line(g, !isAlongX, across - 4, across + 4, Math.round(end) - (end === to ? 1 : 0));
}

function paintTag(g, text, [x, y], color, panel) {
  const width = g.measureText(text).width + 6;
  g.setLineDash([]);
  g.fillStyle = panel;
  g.fillRect(x - width / 2, y - 7, width, 14);
  g.fillStyle = color;
  g.textBaseline = "middle";
  g.fillText(text, x - width / 2 + 3, y + 0.5);
}
