//# allFunctionsCalledOnLoad
// Paints the scene on a canvas. A canvas, because with 5,000 views of which 600 move a frame came every 50 ms where the
// same boxes as elements took 133 (in software, other programs on the cores). Only tiles in which something changed are painted again.
import { curveProgress } from "./scenesync.js";

const TILE = 64;
/** So many views that move are painted one by one as fast. */
const FEW = 40;
/** The letters are measured once at this size. */
const MEASURE = 100;
/** What controls are drawn with where they are lines of text. */
const DRAWING = /[─━│█░●○■]/u;

const known = new Map();
/** A colour's bytes; scenes have few colours and many views. */
export function rgba(text) {
  let bytes = known.get(text);
  if (!bytes) {
    if (known.size > 4096) known.clear();
    bytes = [1, 3, 5, 7].map((at) => (text.length > at ? parseInt(text.slice(at, at + 2), 16) : 255));
    known.set(text, bytes);
  }
  return bytes;
}
function over(text, behind) {
  const bytes = rgba(text), alpha = bytes[3];
  return alpha === 255 ? bytes : [0, 1, 2].map((at) => Math.round((bytes[at] * alpha + behind[at] * (255 - alpha)) / 255));
}
/** How bright a colour is to the eye, 0 to 1, and how well one can be told from another, as WCAG has it. */
const luminance = (bytes) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
  const part = bytes[at] / 255;
  return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
}, 0);
function contrast(one, other) {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}
/** Black or white, whichever can be read on a colour. */
export const readable = ([r, g, b]) => (299 * r + 587 * g + 114 * b >= 128000 ? "#000000" : "#ffffff");

export class Stage {
  /** Where the root's corner is, in CSS pixels, and how many of them make a point. */
  camera = { x: 0, y: 0, scale: 1 };
  items = [];
  isStale = true;
  needsAll = true;
  layers = [];
  widths = new Map();
  fits = new Map();
  pictures = new Map();
  /** What pictures are asked for with. */
  token = "";
  /** Gets a picture or a face, as `fetch` does. */
  fetchFile = (path, options) => fetch(path, options);
  /** What is around the scene. */
  backdrop = "#16161e";
  /** What is under the scene where nothing reckons with white. */
  paper = "#ffffff";
  /** Whether ink that has no colour is chosen for the paper, whatever its colour, and white is only laid under ink that needs it. */
  followsPaper = false;
  /** Draws views in its own way: `paint(context, item, box, pixel)`, false where it has none. */
  looks = undefined;
  /** The map that what is painted goes through, while it is in a transformed view; undefined for none. */
  base = undefined;
  /** What views say on this screen alone, and how far they are scrolled on it, by their ids: in the place of what the scene has. */
  ownLines = new Map();
  ownOffsets = new Map();

  constructor(canvas) {
    this.canvas = canvas;
    // Opaque canvases would have letters smoothed by the colours of their pixels, which composed frames have not.
    this.context = canvas.getContext("2d");
    this.ratio = 1;
    this.makeRoom(64);
  }

  resize(width, height, ratio) {
    if (this.dirty && this.canvas.width === width && this.canvas.height === height && this.ratio === ratio) return false;
    Object.assign(this.canvas, { width, height });
    this.ratio = ratio;
    this.needsAll = true;
    this.columns = Math.ceil(width / TILE) || 1;
    this.rows = Math.ceil(height / TILE) || 1;
    this.dirty = new Uint8Array(this.columns * this.rows);
    this.sums = new Int32Array((this.columns + 1) * (this.rows + 1));
    return true;
  }

  makeRoom(count) {
    for (const name of ["x", "y", "w", "h", "oldX", "oldY", "oldW", "oldH"]) this[name] = new Float64Array(count);
    this.moved = new Map();
  }

  /** Views came, went, or look different. */
  rebuild(mirror, { unitsPerPoint, cell, scale }) {
    Object.assign(this, { mirror, unit: unitsPerPoint, cell, sceneScale: scale });
    this.isStale = false;
    this.needsAll = true;
    const own = rgba(this.paper);
    if (!this.followsPaper || !this.gather(own)) this.gather([255, 255, 255]);
    if (this.hasLooks) this.shapesLoading ??= this.loadShapes();
    if (this.items.length > this.x.length) this.makeRoom(this.items.length * 2);
  }

  /** Lists the views on a paper; false where something could not be read on it. */
  gather(paper) {
    const { mirror } = this, items = [], places = new Map(), isWhite = paper[0] === 255 && paper[1] === 255 && paper[2] === 255;
    let canBeRead = true;
    this.needsPaper = this.hasLayers = this.hasLooks = this.hasTransforms = false;
    const walk = (number, parent, behind) => {
      const view = mirror.views.get(number), content = this.asShown(view);
      if (content.hidden || content.opacity === 0) return;
      const back = content.background ? over(content.background, behind) : behind;
      const index = items.length, hasInk = content.lines.length > 0 || content.border !== "none";
      // Ink that was chosen for white, or is dark, needs the white under it.
      const needsWhite = isWhite && !(content.foreground && readable(rgba(content.foreground)) === "#000000");
      if (hasInk && back === paper && needsWhite) this.needsPaper = true;
      if (hasInk && back === paper && content.foreground && contrast(rgba(content.foreground), paper) < 3) canBeRead = false;
      if (content.opacity < 255) this.hasLayers = true;
      const { look } = content;
      if (look) {
        this.hasLooks = true;
        // How far such a picture reaches depends on its view's size.
        const isLoose = !content.clips && (look.image && !/^(scaleToFill|redraw|scaleAspectFit)$/.test(look.image.mode) || look.symbol?.mode === "scaleAspectFill");
        if (look.transform || isLoose) this.hasTransforms = true;
        if (isLoose) this.hasLayers = true;
        if (look.transform || (content.clips && look.cornerRadius > 0)) this.hasLayers = true;
      }
      places.set(number, index);
      items.push({
        number, parent, content, ink: content.foreground ?? readable(back), end: 0,
        clips: content.clips || content.kind === "scroll", reach: this.reachOf(content),
      });
      for (const child of view.children) walk(child, index, back);
      items[index].end = items.length;
    };
    if (mirror.root !== undefined) walk(mirror.root, -1, paper);
    Object.assign(this, { items, places });
    return canBeRead;
  }

  /** How far a view is painted beyond its edges, in units. */
  reachOf({ look }) { return (look?.shadow || look?.symbol) && this.shapes ? this.shapes.reach(look) * this.unit : 0; }

  /** A view's content with what this screen has of its own. */
  asShown({ id, content }) {
    const lines = this.ownLines.get(id), contentOffset = this.ownOffsets.get(id);
    return lines || contentOffset ? { ...content, lines: lines ?? content.lines, contentOffset: contentOffset ?? content.contentOffset } : content;
  }

  /** Works out where everything is shown at a tick. Returns whether something is still on its way. */
  arrange(tick) {
    const { mirror, moved, items, x, y, w, h } = this;
    let isMoving = false;
    for (const sum of moved.values()) sum.fill(0);
    if (moved.size && !mirror.animations.length) moved.clear();
    for (const { start, duration, curve, deltas } of mirror.animations) {
      const time = Math.max(0, tick - start) / duration;
      if (time >= 1) continue;
      isMoving = true;
      const share = 1 - curveProgress(curve, time);
      for (const [number, delta] of deltas) {
        let sum = moved.get(number);
        if (!sum) moved.set(number, sum = [0, 0, 0, 0]);
        for (let side = 0; side < 4; side++) sum[side] -= delta[side] * share;
      }
    }
    for (let index = 0; index < items.length; index++) {
      const { number, parent } = items[index], delta = moved.get(number);
      let left = mirror.x[number], top = mirror.y[number], width = mirror.width[number], height = mirror.height[number];
      if (delta) { left += delta[0]; top += delta[1]; width += delta[2]; height += delta[3]; }
      if (parent >= 0) {
        const [offsetX, offsetY] = items[parent].content.contentOffset;
        left += x[parent] - offsetX;
        top += y[parent] - offsetY;
      }
      x[index] = left; y[index] = top; w[index] = width; h[index] = height;
    }
    return isMoving;
  }

  /** The rectangle in which a view is shown, in points of the root; undefined while it is hidden. */
  shown(number) {
    const index = this.places?.get(number);
    if (index === undefined) return undefined;
    if (this.hasTransforms && this.shapes) {
      const [x, y, width, height] = this.shapes.around(index).map((side) => side / this.unit);
      return { x, y, width, height };
    }
    return { x: this.x[index] / this.unit, y: this.y[index] / this.unit, width: this.w[index] / this.unit, height: this.h[index] / this.unit };
  }

  /** The rectangle in which a view is shown, in CSS pixels of the stage; undefined while it is hidden. */
  box(id) {
    const view = this.mirror?.view(id), shown = view && this.shown(view.number);
    return shown && this.onStage(shown);
  }

  onStage({ x, y, width, height }) {
    const { camera } = this;
    return { x: x * camera.scale + camera.x, y: y * camera.scale + camera.y, width: width * camera.scale, height: height * camera.scale };
  }

  /** A point of the root as a place in the topmost view there, which is the same on every device; undefined beside the scene. */
  placeAt([pointX, pointY]) {
    const number = this.hit(pointX, pointY), shown = number === undefined ? undefined : this.shown(number);
    if (!shown) return undefined;
    const share = (distance, extent) => (extent > 0 ? Math.min(Math.max(distance / extent, 0), 1) : 0);
    return { view: this.mirror.views.get(number).id, fraction: [share(pointX - shown.x, shown.width), share(pointY - shown.y, shown.height)] };
  }

  /** The point of the root at such a place, as it is shown now; undefined while the view is not. */
  pointOf({ view: id, fraction }) {
    const view = this.mirror?.view(id), shown = view && this.shown(view.number);
    if (!shown) return undefined;
    const [across, down] = fraction.map((share) => Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1));
    return [shown.x + across * shown.width, shown.y + down * shown.height];
  }

  /** The number of the topmost view at a place of the root, in points. */
  hit(pointX, pointY) {
    const px = pointX * this.unit, py = pointY * this.unit, { items, x, y, w, h } = this;
    if (this.hasTransforms && this.shapes) return this.shapes.hit(px, py);
    let found;
    for (let index = 0; index < items.length; index++) {
      if (px >= x[index] && py >= y[index] && px < x[index] + w[index] && py < y[index] + h[index]) found = items[index].number;
      else if (items[index].clips) index = items[index].end - 1;
    }
    return found;
  }

  /** Paints what changed since the last time. Returns whether something is still on its way. */
  paint(tick) {
    if (!this.mirror || !this.dirty) return false;
    const isMoving = this.arrange(tick), count = this.items.length;
    // Device pixels a unit.
    this.k = this.camera.scale * this.ratio / this.unit;
    this.dx = this.camera.x * this.ratio;
    this.dy = this.camera.y * this.ratio;
    this.font = this.fontOf(1);
    const isSeenAnew = this.needsAll;
    // Tiles know nothing of transforms.
    this.all = isSeenAnew || !this.markChanges() || this.hasTransforms;
    for (const [from, to] of [["x", "oldX"], ["y", "oldY"], ["w", "oldW"], ["h", "oldH"]]) this[to].set(this[from].subarray(0, count));
    this.needsAll = false;
    if (!isSeenAnew && (!this.changes || this.compose())) return isMoving;
    if (this.composer) this.composer.isCurrent = false;
    const g = this.context;
    g.save();
    if (!this.all) this.clipToDirty(g);
    g.fillStyle = this.backdrop;
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.paintItems(g);
    g.restore();
    return isMoving;
  }

  /** Has the tiles between the outermost changed ones composed, if most of those are to be painted again. */
  compose() {
    if (!this.composer) {
      if (this.changes > FEW) this.needsComposer?.();
      return false;
    }
    const { columns, rows, dirty } = this;
    let [left, top, right, bottom, count] = [columns, rows, 0, 0, 0];
    for (let row = 0, at = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        if (!dirty[at++]) continue;
        count++;
        left = Math.min(left, column);
        right = Math.max(right, column + 1);
        top = Math.min(top, row);
        bottom = row + 1;
      }
    }
    // What moves outside the picture changes nothing in it.
    if (!count) return true;
    return 3 * count > (right - left) * (bottom - top) && this.composer.compose();
  }

  // --- What has to be painted again ----------------------------------------------------------------------------------

  /** Marks the tiles of what moved; false when it is so much that everything may be painted as well. */
  markChanges() {
    const { dirty, columns, rows, sums, x, y, w, h, oldX, oldY, oldW, oldH } = this;
    dirty.fill(0);
    this.changes = 0;
    for (let index = 0; index < this.items.length; index++) {
      if (x[index] === oldX[index] && y[index] === oldY[index] && w[index] === oldW[index] && h[index] === oldH[index]) continue;
      this.changes++;
      const { reach } = this.items[index];
      this.mark(oldX[index] - reach, oldY[index] - reach, oldW[index] + 2 * reach, oldH[index] + 2 * reach);
      this.mark(x[index] - reach, y[index] - reach, w[index] + 2 * reach, h[index] + 2 * reach);
    }
    // Sums from the top left corner, so that asking for a rectangle takes four look-ups.
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        sums[(row + 1) * (columns + 1) + column + 1] = dirty[row * columns + column] + sums[row * (columns + 1) + column + 1]
          + sums[(row + 1) * (columns + 1) + column] - sums[row * (columns + 1) + column];
      }
    }
    return sums[sums.length - 1] < 0.7 * dirty.length;
  }

  mark(x, y, w, h) {
    const { k, dx, dy, columns, rows } = this;
    const left = Math.max(0, Math.floor((x * k + dx - 2) / TILE)), right = Math.min(columns - 1, Math.floor(((x + w) * k + dx + 2) / TILE));
    const top = Math.max(0, Math.floor((y * k + dy - 2) / TILE)), bottom = Math.min(rows - 1, Math.floor(((y + h) * k + dy + 2) / TILE));
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) this.dirty[row * columns + column] = 1;
  }

  /** Whether a view reaches into a tile that is to be painted again; asked of every view at every frame. */
  isDirty(index) {
    if (this.hasTransforms) return true;
    const { k, dx, dy, columns, rows, sums } = this, x = this.x[index] * k + dx, y = this.y[index] * k + dy, margin = this.items[index].reach * k + 2;
    const left = Math.max(0, Math.floor((x - margin) / TILE)), right = Math.min(columns - 1, Math.floor((x + this.w[index] * k + margin) / TILE));
    const top = Math.max(0, Math.floor((y - margin) / TILE)), bottom = Math.min(rows - 1, Math.floor((y + this.h[index] * k + margin) / TILE));
    if (left > right || top > bottom) return false;
    if (this.all) return true;
    const wide = columns + 1, above = top * wide, below = (bottom + 1) * wide;
    return sums[below + right + 1] - sums[above + right + 1] - sums[below + left] + sums[above + left] > 0;
  }

  clipToDirty(g) {
    g.beginPath();
    for (let row = 0; row < this.rows; row++) {
      for (let column = 0; column < this.columns; column++) {
        if (!this.dirty[row * this.columns + column]) continue;
        let end = column;
        while (end < this.columns && this.dirty[row * this.columns + end]) end++;
        g.rect(column * TILE, row * TILE, (end - column) * TILE, TILE);
        column = end;
      }
    }
    g.clip();
  }

  // --- Painting ------------------------------------------------------------------------------------------------------

  /** Edges in device pixels, each rounded by itself, so that neighbours stay flush. */
  edges(index) {
    const { k, dx, dy } = this, left = Math.round(this.x[index] * k + dx), top = Math.round(this.y[index] * k + dy);
    return [left, top, Math.round((this.x[index] + this.w[index]) * k + dx) - left, Math.round((this.y[index] + this.h[index]) * k + dy) - top];
  }

  paintItems(context) {
    const { items } = this, ends = [];
    const pixel = this.camera.scale * this.ratio;
    let g = context;
    g.font = this.font;
    const close = (index) => {
      while (ends.length && ends[ends.length - 1].end <= index) {
        const { below, alpha, base, isTurned } = ends.pop();
        if (isTurned) {
          this.base = base;
          this.reset(g);
        } else if (below) {
          g.restore();
          below.save();
          below.globalAlpha = alpha;
          below.setTransform(1, 0, 0, 1, 0, 0);
          below.drawImage(g.canvas, 0, 0);
          below.restore();
          g = below;
        } else g.restore();
      }
    };
    for (let index = 0; index < items.length; index++) {
      close(index);
      const item = items[index], { content, end } = item;
      const isDirty = this.isDirty(index);
      if (!isDirty && (item.clips || end === index + 1)) { index = end - 1; continue; }
      if (content.opacity < 255) {
        // What is see-through as a whole is painted apart first.
        const layer = this.layer(ends.length);
        ends.push({ end, below: g, alpha: content.opacity / 255 });
        layer.save();
        layer.font = this.font;
        g = layer;
        this.reset(g);
      }
      const { look } = content;
      if (look?.transform && this.shapes) {
        ends.push({ end, base: this.base, isTurned: true });
        this.base = this.shapes.inPixels(index, this.base);
        this.reset(g);
      }
      const box = isDirty || index === 0 ? this.edges(index) : undefined;
      if (index === 0) {
        g.fillStyle = this.needsPaper ? "#ffffff" : this.paper;
        g.fillRect(...box);
      }
      if (isDirty && box[2] > 0 && box[3] > 0) this.paintView(g, item, index, box, pixel);
      if (item.clips || index === 0) {
        g.save();
        g.beginPath();
        if (look?.cornerRadius > 0 && this.shapes) this.shapes.clip(g, item, box, pixel);
        else g.rect(...box);
        g.clip();
        ends.push({ end });
      }
    }
    close(Infinity);
  }

  /**
   * A canvas that is not shown. It stands beside the one that is: Chromium looks fonts up for a canvas's element, and those of
   * elements elsewhere, or of none, may have been found before the screen's density was known and be drawn otherwise.
   */
  makeContext(settings) {
    const canvas = document.createElement("canvas");
    canvas.style.display = "none";
    this.canvas.after(canvas);
    return canvas.getContext("2d", settings);
  }

  layer(depth) {
    const { width, height } = this.canvas;
    this.layers[depth] ??= this.makeContext();
    const layer = this.layers[depth];
    if (layer.canvas.width !== width || layer.canvas.height !== height) Object.assign(layer.canvas, { width, height });
    else layer.clearRect(0, 0, width, height);
    return layer;
  }

  paintView(g, item, index, box, pixel) {
    const { content, ink } = item, [left, top, width, height] = box, { border } = content, isShaped = content.look && this.shapes;
    // What has a shape has its background in it.
    const background = isShaped ? undefined : content.background;
    if (isShaped) this.shapes.paint(g, item, box, pixel);
    if (border === "rounded") this.paintRounded(g, box, background, ink, pixel);
    else if (border === "none") {
      if (background) {
        g.fillStyle = background;
        g.fillRect(left, top, width, height);
      }
    } else this.paintEdges(g, box, background, ink, border, pixel);
    if (!content.lines.length || this.looks?.paint(g, item, box, pixel)) return;
    if (content.face) this.paintFaces(g, content, ink, left, top, pixel);
    else this.paintLines(g, content.lines, ink, left, top, this.w[index] / this.unit, this.h[index] / this.unit, pixel);
  }

  /** Straight borders are rectangles within rectangles: a stroke takes many times as long as a fill. */
  paintEdges(g, [left, top, width, height], background, ink, border, pixel) {
    const line = Math.max(1, Math.round((border === "heavy" ? 2 : 1) * pixel));
    const fill = (color, inset) => {
      if (width <= 2 * inset || height <= 2 * inset) return;
      g.fillStyle = color;
      g.fillRect(left + inset, top + inset, width - 2 * inset, height - 2 * inset);
    };
    const gap = Math.round(2 * pixel);
    if (background?.length === 7 && ink.length === 7) {
      fill(ink, 0);
      fill(background, line);
      if (border === "double") {
        fill(ink, gap);
        fill(background, gap + line);
      }
      return;
    }
    if (background) fill(background, 0);
    g.fillStyle = ink;
    for (const inset of border === "double" ? [0, gap] : [0]) {
      const wide = width - 2 * inset, high = height - 2 * inset;
      if (wide <= 2 * line || high <= 2 * line) continue;
      g.fillRect(left + inset, top + inset, wide, line);
      g.fillRect(left + inset, top + height - inset - line, wide, line);
      g.fillRect(left + inset, top + inset + line, line, high - 2 * line);
      g.fillRect(left + width - inset - line, top + inset + line, line, high - 2 * line);
    }
  }

  /** Round corners take long too: small boxes of one size and colour share a picture. */
  paintRounded(g, [left, top, width, height], background, ink, pixel) {
    if (width * height > 20000) return this.round(g, left, top, width, height, background, ink, pixel);
    const key = `${width} ${height} ${background} ${ink} ${pixel}`;
    g.drawImage(this.picture(key, width, height, (small) => this.round(small, 0, 0, width, height, background, ink, pixel)), left, top);
  }

  /** A small picture that many views share, painted when it is first asked for. */
  picture(key, width, height, paint) {
    let picture = this.pictures.get(key);
    if (!picture) {
      if (this.pictures.size >= 400) this.pictures.clear();
      const canvas = new OffscreenCanvas(width, height);
      paint(canvas.getContext("2d"));
      picture = canvas.transferToImageBitmap();
      this.pictures.set(key, picture);
    }
    return picture;
  }

  round(g, left, top, width, height, background, ink, pixel) {
    const radius = Math.min(this.cell[0] * pixel, this.cell[1] * pixel, width / 2, height / 2), line = Math.max(1, Math.round(pixel));
    const path = (inset) => {
      g.beginPath();
      g.roundRect(left + inset, top + inset, width - 2 * inset, height - 2 * inset, radius);
    };
    if (background) {
      path(0);
      g.fillStyle = background;
      g.fill();
    }
    if (width <= line || height <= line) return;
    path(line / 2);
    g.strokeStyle = ink;
    g.lineWidth = line;
    g.stroke();
  }

  /** Ends a place of a text: what is painted next goes through the map of the views around it alone. */
  reset(g) { g.setTransform(...(this.base ?? [1, 0, 0, 1, 0, 0])); }

  /** Stretches by two factors and moves what is painted next, within the map of the views around it. */
  place(g, across, down, x, y) {
    if (this.base) {
      this.reset(g);
      g.transform(across, 0, 0, down, x, y);
    } else g.setTransform(across, 0, 0, down, x, y);
  }

  /** What draws looks comes when a scene has some. */
  async loadShapes() {
    const { Shapes } = await import("./shapes.js");
    this.shapes = new Shapes(this);
    for (const item of this.items) item.reach = this.reachOf(item.content);
    this.composer?.pictures.clear();
    this.needsAll = true;
    this.wantsPaint?.();
  }

  /** Paints the scene with all that it is made of. What is painted asks for its pictures, symbols and faces, and for what draws them. */
  async paintWhole(tick) {
    await this.shapesLoading;
    this.paint(tick);
    await this.facesLoading;
    this.needsAll = true;
    this.paint(tick);
    await Promise.all([this.shapes?.ready(), this.faces?.ready()]);
    this.needsAll = true;
    this.paint(tick);
  }

  /** What draws text in faces comes when a scene has some. */
  async loadFaces() {
    const { Faces } = await import("./faces.js");
    const changed = () => {
      // Another look of every view.
      this.composer?.pictures.clear();
      this.needsAll = true;
      this.wantsPaint?.();
    };
    this.faces = new Faces(changed, this);
    changed();
  }

  /** Words of a control in a face, which the scene has not placed; squeezed where the room is too little. */
  paintWords(g, words, face, ink, { left, top, width, height }, align, pixel) {
    this.facesLoading ??= this.loadFaces();
    const font = this.faces?.font(face), size = face.size / 64 * pixel;
    if (!font || !words) return;
    const own = this.faces.width(g, font, words) * size / 64, shown = Math.min(own, width), share = { left: 0, right: 1 }[align] ?? 0.5;
    g.fillStyle = ink;
    // Capitals are about 0.73 em high.
    this.faces.draw(g, font, words, [left + (width - shown) * share, Math.round(top + height / 2 + size * 0.365)], size, shown, 0);
    this.reset(g);
    g.font = this.font;
  }

  /** A line of characters of one width, as wide as the scene says. */
  paintFitted(g, { text, place }, left, top, pixel) {
    const [x, y, width] = place.map((side) => side / this.unit * pixel), size = this.cell[1] * 0.8;
    g.font = this.font;
    this.place(g, width / (this.measure(text) * size * pixel / MEASURE), 1, left + x, Math.round(top + y + size * pixel));
    g.fillText(text, 0, 0);
  }

  /** Lines in the faces that they were measured in. */
  paintFaces(g, { lines, face }, ink, left, top, pixel) {
    this.facesLoading ??= this.loadFaces();
    const font = this.faces?.font(face), size = face.size / 64 * pixel, before = g.font;
    g.fillStyle = ink;
    for (const line of lines) {
      const { text, place } = line;
      if (face.fitted && DRAWING.test(text)) {
        // A control that the scene draws by characters of one width.
        this.paintFitted(g, line, left, top, pixel);
        continue;
      }
      const x = left + place[0] / this.unit * pixel, y = top + place[1] / this.unit * pixel, width = place[2] / this.unit * pixel;
      const baseline = Math.round(y + face.ascent / this.unit * pixel);
      if (!font || size < 5) {
        // On its way, or too small for letters: a line where they are.
        g.globalAlpha = 0.5;
        g.fillRect(x, baseline - size * 0.4, width, Math.max(1, size * 0.3));
        g.globalAlpha = 1;
      } else this.faces.draw(g, font, text, [x, baseline], size, width, pixel / this.sceneScale);
    }
    this.reset(g);
    g.font = before;
  }

  paintLines(g, lines, ink, left, top, width, height, pixel) {
    g.fillStyle = ink;
    for (const line of lines) {
      const { text, place } = line, growth = this.growth(line), [cellWidth, cellHeight] = this.cell.map((side) => side * growth);
      const x = Math.max(0, place[0] / this.unit), y = place[1] / this.unit;
      if (y < 0 || y >= height) continue;
      const room = Math.floor((width - x) / cellWidth + 0.5), columns = Math.round(place[2] / this.unit / cellWidth);
      const fitted = columns <= room ? { text, columns } : this.fit(text, room);
      if (fitted.columns <= 0) continue;
      const wide = fitted.columns * cellWidth * pixel;
      if (cellHeight * pixel < 5) {
        // Too small for letters: a line where they are.
        g.globalAlpha = 0.5;
        g.fillRect(left + x * pixel, top + (y + cellHeight * 0.4) * pixel, wide, Math.max(1, cellHeight * pixel * 0.3));
        g.globalAlpha = 1;
        continue;
      }
      if (growth !== 1) g.font = this.fontOf(growth);
      // Any font keeps to the server's grid: the line is as wide as the server says.
      this.place(g, wide / (this.measure(fitted.text) * cellHeight * 0.8 * pixel / MEASURE), 1, left + x * pixel, Math.round(top + (y + cellHeight * 0.8) * pixel));
      g.fillText(fitted.text, 0, 0);
      if (growth !== 1) g.font = this.font;
    }
    this.reset(g);
  }

  /** How much larger than the scene's a line's cells are: people may want other text on their device. */
  growth({ text, place }) {
    const columns = Math.round(this.measure(text) / this.measure("0")), [cellWidth] = this.cell, wide = place[2] / this.unit / columns;
    // Half a point is rounding.
    return columns > 0 && Math.abs(wide - cellWidth) >= 0.5 ? wide / cellWidth : 1;
  }

  fontOf(growth) { return `${this.cell[1] * 0.8 * growth * this.camera.scale * this.ratio}px monospace`; }

  /** A text's width at the measuring size. Letters of ASCII all have the first one's, unless the font has them otherwise. */
  measure(text) {
    if (this.advance === undefined) {
      const widths = ["0", "i", "W"].map((letter) => this.ruled(letter));
      this.advance = Math.max(...widths) - Math.min(...widths) < 0.01 ? widths[0] : 0;
    }
    return this.advance && /^[ -~]+$/.test(text) ? text.length * this.advance : this.ruled(text);
  }

  ruled(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      this.ruler ??= Object.assign(document.createElement("canvas").getContext("2d"), { font: `${MEASURE}px monospace` });
      width = this.ruler.measureText(text).width || 1;
      this.widths.set(text, width);
    }
    return width;
  }

  /** As much of a line as fits into so many columns, with an ellipsis. */
  fit(text, room) {
    const key = `${room} ${text}`;
    let result = this.fits.get(key);
    if (result) return result;
    result = { text: "", columns: 0 };
    const cell = this.measure("0");
    for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
      const columns = Math.min(2, Math.max(1, Math.round(this.measure(segment) / cell)));
      if (result.columns + columns > room - 1) break;
      result.text += segment;
      result.columns += columns;
    }
    if (room > 0) { result.text += "…"; result.columns++; }
    if (this.fits.size > 5000) this.fits.clear();
    this.fits.set(key, result);
    return result;
  }
}
