// Corners, lines, shadows, gradients, charts and transforms of views (LANGUAGE.md, "Looks"). Loaded when a scene has some.
import { loadSymbols } from "./symbols.js";

/** Pixels of a picture that many views share at most; larger areas are drawn each time. */
const SHARED = 40000;
/** A shadow is drawn alone by drawing its shape this far outside. */
const AWAY = 20000;

/** The radii of an area's corners in pixels, from the top left one clockwise. */
export function radii({ cornerRadius, maskedCorners }, width, height, pixel) {
  const radius = Math.min(cornerRadius * pixel, width / 2, height / 2);
  return [1, 2, 8, 4].map((bit) => (maskedCorners & bit ? Math.max(0, radius) : 0));
}

/** How far a look is drawn beyond its view, in points. */
export const reach = ({ shadow, symbol }) => Math.max(shadow ? 3 * shadow.radius + Math.max(Math.abs(shadow.offset[0]), Math.abs(shadow.offset[1])) + 1 : 0, symbol ? symbol.side : 0);

/** The map of a transform about a place, as a canvas has maps: `[a, b, c, d, e, f]`. */
export function mapAbout({ rotation, scale: [across, down], translation: [right, below] }, x, y, pixel) {
  const angle = (rotation % 360) * Math.PI / 180, quarter = rotation % 90 === 0, sine = quarter ? Math.round(Math.sin(angle)) : Math.sin(angle);
  const cosine = quarter ? Math.round(Math.cos(angle)) : Math.cos(angle);
  const [a, b, c, d] = [cosine * across, sine * across, -sine * down, cosine * down];
  return [a, b, c, d, x + right * pixel - a * x - c * y, y + below * pixel - b * x - d * y];
}

/** One map after another: `inner` first. */
export function joined([a, b, c, d, e, f], inner) {
  const [ia, ib, ic, id, ie, jf] = inner;
  return [a * ia + c * ib, b * ia + d * ib, a * ic + c * id, b * ic + d * id, a * ie + c * jf + e, b * ie + d * jf + f];
}
export const mapped = ([a, b, c, d, e, f], x, y) => [a * x + c * y + e, b * x + d * y + f];
/** The point that a map brings to a place; undefined where it leaves no area. */
export function unmapped([a, b, c, d, e, f], x, y) {
  const whole = a * d - b * c;
  return whole ? [(d * (x - e) - c * (y - f)) / whole, (a * (y - f) - b * (x - e)) / whole] : undefined;
}

/** Where a picture is drawn in a view, in points from its top left corner (`UIView.ContentMode`): x, y, width, height. */
export function placed({ width, height, scale, mode }, wide, high) {
  const own = [width / scale, height / scale], factors = [wide / own[0], high / own[1]];
  const [w, h] = mode === "scaleToFill" || mode === "redraw" ? [wide, high]
    : mode === "scaleAspectFit" ? own.map((side) => side * Math.min(...factors))
      : mode === "scaleAspectFill" ? own.map((side) => side * Math.max(...factors)) : own;
  const name = mode.toLowerCase(), share = (near, far) => (name.includes(near) ? 0 : name.includes(far) ? 1 : 0.5);
  const isFitted = mode.startsWith("scale");
  return [(wide - w) * (isFitted ? 0.5 : share("left", "right")), (high - h) * (isFitted ? 0.5 : share("top", "bottom")), w, h];
}

/** The square of a symbol in a view, in points from its top left corner: it keeps its proportions. */
export const squareOf = ({ side, mode }, wide, high) => placed({ width: side, height: side, scale: 1, mode: /^(scaleToFill|redraw)$/.test(mode) ? "scaleAspectFit" : mode }, wide, high);

/** How strong the grid and the area of a chart are beside its line. */
export const FAINT = 0.25;
/** The part of a bar's share of the width that it fills. */
const BAR = [0.1, 0.8];

/** The rectangles of a chart's grid within an area, each x, y, width, height; a line is `line` high. */
export const gridOf = ({ gridLines }, width, height, line) =>
  Array.from({ length: gridLines }, (_, index) => [0, (1 - index / Math.max(1, gridLines - 1)) * (height - line), width, line]);
/** The bars of a chart, likewise. */
export const barsOf = ({ heights }, width, height) => heights.map((share, index) => [(index + BAR[0]) * width / heights.length, (1 - share) * height, BAR[1] * width / heights.length, share * height]);
/** The places that the line of a chart goes through: it lies within the height. */
export function lineOf({ heights, lineWidth }, width, height, pixel) {
  const wide = lineWidth * pixel, ends = heights.length === 1 ? [heights[0], heights[0]] : heights;
  return ends.map((share, index) => [index * width / (ends.length - 1), wide / 2 + (1 - share) * Math.max(0, height - wide)]);
}

export class Shapes {
  /** By hash: a picture, or undefined while it is on its way or could not be had. */
  images = new Map();
  waiting = new Set();
  /** By name: the outline of a symbol. */
  outlines = new Map();

  constructor(stage) { this.stage = stage; }

  /** A picture of a hash; undefined while there is none, which is then asked for. */
  image(hash) {
    if (!this.images.has(hash)) {
      this.images.set(hash, undefined);
      const coming = this.load(hash).finally(() => this.waiting.delete(coming));
      this.waiting.add(coming);
    }
    return this.images.get(hash);
  }

  async load(hash) {
    const { token = "" } = this.stage, answer = await this.stage.fetchFile(`blobs/${hash}`, token ? { headers: { authorization: `Bearer ${token}` } } : {}).catch(() => undefined);
    if (!answer?.ok) return;
    const picture = await createImageBitmap(await answer.blob()).catch(() => undefined);
    this.images.set(hash, picture);
    this.paintAnew();
  }

  /** Something came that is drawn: what was drawn without it goes. */
  paintAnew() {
    this.stage.composer?.pictures.clear();
    this.stage.pictures.clear();
    this.stage.needsAll = true;
    this.stage.wantsPaint?.();
  }

  /** The outline of a symbol in a square of `box` units; undefined where there is none, or the set is on its way. */
  outline(name) {
    if (!this.symbolsLoading) {
      this.symbolsLoading = loadSymbols((path) => this.stage.fetchFile(path)).then((set) => {
        this.symbols = set;
        this.waiting.delete(this.symbolsLoading);
        if (set) this.paintAnew();
      });
      this.waiting.add(this.symbolsLoading);
    }
    if (!this.outlines.has(name) && this.symbols?.outlines.has(name)) this.outlines.set(name, new Path2D(this.symbols.outlines.get(name)));
    return this.outlines.get(name);
  }

  /** When all pictures that were asked for are there, or cannot be had. */
  async ready() { while (this.waiting.size) await Promise.all(this.waiting); }

  reach(look) { return reach(look); }

  /** The map in pixels of what is in a transformed view, within the map of the views around it. */
  inPixels(index, base) {
    const { stage } = this, { k, dx, dy } = stage, pixel = stage.camera.scale * stage.ratio;
    const map = mapAbout(stage.items[index].content.look.transform, (stage.x[index] + stage.w[index] / 2) * k + dx, (stage.y[index] + stage.h[index] / 2) * k + dy, pixel);
    return base ? joined(base, map) : map;
  }

  /** Draws the area of a view: shadow, background, gradient, picture and line. */
  paint(g, item, [left, top, width, height], pixel) {
    const { content, clips } = item, { look, background } = content;
    const margin = clips ? 0 : Math.ceil(reach(look) * pixel), wide = width + 2 * margin, high = height + 2 * margin;
    if (this.stage.base || wide * high > SHARED || look.image || look.chart) return this.draw(g, look, background, clips, left, top, width, height, pixel);
    const key = `${width} ${height} ${pixel} ${background} ${clips} ${item.lookKey ??= JSON.stringify(look)}`;
    g.drawImage(this.stage.picture(key, wide, high, (small) => this.draw(small, look, background, clips, margin, margin, width, height, pixel)), left - margin, top - margin);
  }

  draw(g, look, background, clips, left, top, width, height, pixel) {
    const corners = radii(look, width, height, pixel), isRound = corners.some((radius) => radius > 0);
    const path = (inset, dx = 0) => {
      g.beginPath();
      if (isRound) g.roundRect(left + inset + dx, top + inset, width - 2 * inset, height - 2 * inset, corners.map((radius) => Math.max(0, radius - inset)));
      else g.rect(left + inset + dx, top + inset, width - 2 * inset, height - 2 * inset);
    };
    const { shadow, gradient, borderWidth, borderColor } = look;
    if (shadow?.color && !clips && (background || gradient || look.image)) {
      g.save();
      // A canvas's shadows know nothing of its transform.
      const [a, b, c, d] = this.stage.base ?? [1, 0, 0, 1], [right, below] = shadow.offset.map((side) => side * pixel);
      g.shadowColor = shadow.color;
      g.shadowBlur = 2 * shadow.radius * pixel * Math.sqrt(Math.abs(a * d - b * c));
      g.shadowOffsetX = a * (right + AWAY) + c * below;
      g.shadowOffsetY = b * (right + AWAY) + d * below;
      g.fillStyle = "#000000";
      path(0, -AWAY);
      g.fill();
      g.restore();
    }
    if (background) {
      g.fillStyle = background;
      path(0);
      g.fill();
    }
    if (gradient) {
      path(0);
      g.save();
      // Its bands are at right angles to its line in shares of the area, as Core Animation has them.
      g.translate(left, top);
      g.scale(width, height);
      const fill = g.createLinearGradient(...gradient.start, ...gradient.end);
      for (const { location, color } of gradient.stops) fill.addColorStop(Math.min(Math.max(location, 0), 1), color ?? "#00000000");
      g.fillStyle = fill;
      g.fill();
      g.restore();
    }
    const { image } = look, picture = image && this.image(image.hash);
    if (picture) {
      const [x, y, wide, high] = placed(image, width / pixel, height / pixel).map((side) => side * pixel);
      g.save();
      // A picture is cut at the edges only where the view cuts what is in it.
      if (clips) {
        path(0);
        g.clip();
      }
      g.imageSmoothingQuality = "high";
      g.drawImage(picture, left + x, top + y, wide, high);
      g.restore();
    }
    const { symbol } = look, outline = symbol && this.outline(symbol.name);
    if (outline) {
      const [x, y, side] = squareOf(symbol, width / pixel, height / pixel).map((length) => length * pixel), scale = side / this.symbols.box;
      g.save();
      if (clips) {
        path(0);
        g.clip();
      }
      // On whole pixels: symbols are drawn for them.
      g.translate(Math.round(left + x), Math.round(top + y));
      g.scale(scale, scale);
      g.fillStyle = look.tint ?? "#007aff";
      g.fill(outline);
      g.restore();
    }
    if (look.chart) this.drawChart(g, look.chart, left, top, width, height, pixel);
    const line = Math.min(borderWidth * pixel, width / 2, height / 2);
    if (line > 0 && borderColor) {
      g.fillStyle = borderColor;
      path(0);
      // What is within the line is left out.
      const inner = [left + line, top + line, Math.max(0, width - 2 * line), Math.max(0, height - 2 * line)];
      if (isRound) g.roundRect(...inner, corners.map((radius) => Math.max(0, radius - line)));
      else g.rect(...inner);
      g.fill("evenodd");
    }
  }

  drawChart(g, chart, left, top, width, height, pixel) {
    const { color = "#00000000", style, heights } = chart, strength = g.globalAlpha;
    g.save();
    g.translate(left, top);
    g.fillStyle = g.strokeStyle = color;
    g.globalAlpha = strength * FAINT;
    for (const [x, y, wide, high] of gridOf(chart, width, height, Math.max(1, Math.round(pixel)))) g.fillRect(x, Math.round(y), wide, high);
    if (style === "bars") {
      g.globalAlpha = strength;
      for (const bar of barsOf(chart, width, height)) g.fillRect(...bar);
    } else if (heights.length) {
      const line = new Path2D(), points = lineOf(chart, width, height, pixel);
      for (const [x, y] of points) line.lineTo(x, y);
      if (style === "area") {
        const area = new Path2D(line);
        area.lineTo(width, height);
        area.lineTo(0, height);
        g.fill(area);
      }
      g.globalAlpha = strength;
      g.lineWidth = chart.lineWidth * pixel;
      g.lineJoin = "round";
      if (chart.lineWidth > 0) g.stroke(line);
    }
    g.restore();
  }

  /** The path within which a view cuts what is in it. */
  clip(g, { content: { look } }, [left, top, width, height], pixel) { g.roundRect(left, top, width, height, radii(look, width, height, pixel)); }

  /** The map of a view's transform in units of the root; undefined without one. */
  map(index) {
    const { items, x, y, w, h, unit } = this.stage, transform = items[index].content.look?.transform;
    return transform && mapAbout(transform, x[index] + w[index] / 2, y[index] + h[index] / 2, unit);
  }

  /** The smallest rectangle in the root, in units, around a view as it is drawn. */
  around(index) {
    const { items, x, y, w, h } = this.stage;
    let corners = [[x[index], y[index]], [x[index] + w[index], y[index]], [x[index], y[index] + h[index]], [x[index] + w[index], y[index] + h[index]]];
    for (let at = index; at >= 0; at = items[at].parent) {
      const map = this.map(at);
      if (map) corners = corners.map((corner) => mapped(map, ...corner));
    }
    const [across, down] = [0, 1].map((side) => corners.map((corner) => corner[side])), left = Math.min(...across), top = Math.min(...down);
    return [left, top, Math.max(...across) - left, Math.max(...down) - top];
  }

  /** The number of the topmost view at a place of the root, in units. */
  hit(px, py) {
    const { items, x, y, w, h } = this.stage, outer = [];
    let found;
    for (let index = 0; index < items.length; index++) {
      while (outer.length && outer[outer.length - 1].end <= index) ({ px, py } = outer.pop());
      const map = this.map(index), inside = map ? unmapped(map, px, py) : [px, py], { clips, end } = items[index];
      if (map) {
        // What has no area is not there, nor is what is in it.
        if (!inside) { index = end - 1; continue; }
        outer.push({ end, px, py });
        [px, py] = inside;
      }
      if (px >= x[index] && py >= y[index] && px < x[index] + w[index] && py < y[index] + h[index]) found = items[index].number;
      else if (clips) index = end - 1;
    }
    return found;
  }
}
