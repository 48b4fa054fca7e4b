// Composes frames in which much moves out of pictures of single views, pixel by pixel in memory, and hands the canvas the
// result in one piece. For boxes of a few letters a canvas's own calls cost far more than their pixels: where it paints in
// software, a copied box of 11 × 15 takes 1 microsecond all in all, `drawImage` 6, `fillText` 4.
//
// A view's picture does not depend on where it stands, because boxes begin at whole pixels; the stage paints it, so that a
// composed frame is what the stage's own painting gives. The canvas is not read: a frame is composed anew wherever it changed.

/** So many pixels all pictures may have together, and one of them; so many are made in a frame. */
const PIXELS = 4 << 20, PIXELS_EACH = 1 << 20, MADE = 16;
/** So many pixels in a row are copied one by one as fast. */
const FEW = 64;

/** A colour `#rrggbb` as a pixel's word of 32 bits with a sign, as engines like numbers best; browsers' machines have the lowest byte first. */
const word = (color) => parseInt(color.slice(5, 7) + color.slice(3, 5) + color.slice(1, 3), 16) | 0xff000000;

/** One colour of a pixel over another's, of which the upper lets something through. */
function mix(above, below, alpha) {
  const sum = above * alpha + below * (255 - alpha) + 128;
  return (sum + (sum >> 8)) >> 8;
}

/** A pixel that lets something through, over one that does not. */
function blend(above, below) {
  const alpha = above >>> 24;
  return mix(above & 255, below & 255, alpha) | mix((above >> 8) & 255, (below >> 8) & 255, alpha) << 8
    | mix((above >> 16) & 255, (below >> 16) & 255, alpha) << 16 | 0xff000000;
}

export class Composer {
  /** By what decides how a view looks: its picture; undefined where it was asked for once. */
  pictures = new Map();
  pixels = 0;
  context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  constructor(stage) {
    this.stage = stage;
  }

  /** Paints a rectangle of the canvas; false where that has to be left to the stage. */
  compose(left, top, right, bottom) {
    const { stage } = this, { width, height } = stage.canvas;
    if (stage.hasLayers || width * height > PIXELS || !this.prepare()) return false;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.words = new Int32Array(this.image.data.buffer);
    }
    this.clip = [Math.max(0, left), Math.max(0, top), Math.min(width, right), Math.min(height, bottom)];
    const [x, y, endX, endY] = this.clip;
    this.fill(0, 0, width, height, this.opaque(stage.backdrop));
    this.copyAll();
    stage.context.putImageData(this.image, 0, 0, x, y, endX - x, endY - y);
    return true;
  }

  /** Works out all boxes, and has a picture of each view; false while there are too many that have none yet. */
  prepare() {
    const { stage } = this, { items, x, y, w, h, dx, dy, k } = stage, count = items.length;
    if (!(this.boxes?.length >= 4 * count)) this.boxes = new Int32Array(8 * count);
    const { boxes } = this, pixel = stage.camera.scale * stage.ratio;
    let missing = 0, made = 0;
    for (let index = 0, at = 0; index < count; index++, at += 4) {
      const left = Math.round(x[index] * k + dx), top = Math.round(y[index] * k + dy), item = items[index];
      const width = Math.round((x[index] + w[index]) * k + dx) - left, height = Math.round((y[index] + h[index]) * k + dy) - top;
      boxes[at] = left;
      boxes[at + 1] = top;
      boxes[at + 2] = width;
      boxes[at + 3] = height;
      const known = item.picture;
      if (known && known.width === width && known.height === height && known.pixel === pixel && known.w === w[index] && known.h === h[index]) continue;
      const key = this.key(index, width, height, pixel);
      let picture = this.pictures.get(key);
      if (!picture) {
        // What changes its size at every frame is not worth a picture: it has to be asked for again.
        const isKnown = this.pictures.has(key);
        if (!isKnown || made === MADE) {
          missing++;
          if (!isKnown) this.remember(key, undefined);
          continue;
        }
        made++;
        if (!(picture = this.make(index, width, height, pixel))) return false;
        this.remember(key, picture);
      }
      item.picture = { ...picture, width, height, pixel, w: w[index], h: h[index] };
    }
    return missing === 0;
  }

  key(index, width, height, pixel) {
    const { content, ink } = this.stage.items[index], { lines, border, background } = content;
    const texts = lines.length ? `${this.stage.w[index]} ${this.stage.h[index]} ${JSON.stringify(lines)}` : "";
    return `${width} ${height} ${pixel} ${border} ${background} ${ink} ${texts}`;
  }

  remember(key, picture) {
    this.pixels += picture?.words?.length ?? 0;
    if (this.pixels > PIXELS || this.pictures.size > 20000) {
      this.pictures.clear();
      this.pixels = 0;
    }
    this.pictures.set(key, picture);
  }

  /** A view alone: a colour if that is all, or its pixels, without the empty ones around. */
  make(index, width, height, pixel) {
    const { stage, context: g } = this, item = stage.items[index], { border, background, lines } = item.content;
    if (width <= 0 || height <= 0 || (border === "none" && !background && !lines.length)) return {};
    if (border === "none" && background?.length === 7 && !lines.length) return { color: word(background) };
    // Letters may reach over the edges.
    const margin = lines.length ? Math.ceil(stage.cell[1] * pixel) : 0, wide = width + 2 * margin, high = height + 2 * margin;
    if (wide * high > PIXELS_EACH) return undefined;
    g.canvas.width = Math.max(g.canvas.width, wide);
    g.canvas.height = Math.max(g.canvas.height, high);
    g.clearRect(0, 0, wide, high);
    g.font = stage.font;
    stage.paintView(g, item, index, [margin, margin, width, height], pixel);
    const all = new Int32Array(g.getImageData(0, 0, wide, high).data.buffer);
    let [left, top, right, bottom] = [wide, high, 0, 0];
    for (let y = 0, at = 0; y < high; y++) {
      for (let x = 0; x < wide; x++) {
        if (!all[at++]) continue;
        left = Math.min(left, x);
        right = Math.max(right, x + 1);
        top = Math.min(top, y);
        bottom = y + 1;
      }
    }
    if (right === 0) return {};
    const words = new Int32Array((right - left) * (bottom - top)), solid = new Uint8Array(bottom - top);
    for (let y = top; y < bottom; y++) {
      const row = all.subarray(y * wide + left, y * wide + right);
      words.set(row, (y - top) * (right - left));
      solid[y - top] = row.every((pixel) => pixel >> 24 === -1) ? 1 : 0;
    }
    return { words, solid, x: left - margin, y: top - margin, columns: right - left, rows: bottom - top };
  }

  /** The word of any opaque colour, however it is written. */
  opaque(color) {
    this.context.fillStyle = color;
    return word(this.context.fillStyle);
  }

  /** Copies all views in their order, each within what clips it. */
  copyAll() {
    const { stage, boxes } = this, { items } = stage, outer = [];
    for (let index = 0, at = 0; index < items.length; index++, at += 4) {
      while (outer.length && outer[outer.length - 1].end <= index) this.clip = outer.pop().clip;
      const { picture, clips, end } = items[index], left = boxes[at], top = boxes[at + 1];
      if (index === 0) this.fill(left, top, left + boxes[2], top + boxes[3], this.opaque(stage.needsPaper ? "#ffffff" : stage.paper));
      if (picture.color !== undefined) this.fill(left, top, left + boxes[at + 2], top + boxes[at + 3], picture.color);
      else if (picture.words) this.copy(picture, left + picture.x, top + picture.y);
      if (!clips && index > 0) continue;
      outer.push({ end, clip: this.clip });
      const [x, y, endX, endY] = this.clip;
      this.clip = [Math.max(x, left), Math.max(y, top), Math.min(endX, left + boxes[at + 2]), Math.min(endY, top + boxes[at + 3])];
      if (this.clip[0] < this.clip[2] && this.clip[1] < this.clip[3]) continue;
      index = end - 1;
      at = 4 * index;
    }
  }

  fill(left, top, right, bottom, color) {
    const { words, clip: [x, y, endX, endY], image: { width } } = this;
    const from = Math.max(left, x), to = Math.min(right, endX);
    if (from >= to) return;
    for (let row = Math.max(top, y), last = Math.min(bottom, endY); row < last; row++) words.fill(color, row * width + from, row * width + to);
  }

  copy({ words: source, solid, columns, rows }, left, top) {
    const { words, clip: [x, y, endX, endY], image: { width } } = this;
    const from = Math.max(left, x), to = Math.min(left + columns, endX), last = Math.min(top + rows, endY);
    for (let row = Math.max(top, y); row < last; row++) {
      let at = (row - top) * columns + from - left, place = row * width + from;
      const end = row * width + to;
      if (solid[row - top]) {
        // Rows through which nothing shines, as most are, take a third of the time.
        if (end - place < FEW) while (place < end) words[place++] = source[at++];
        else words.set(source.subarray(at, at + end - place), place);
        continue;
      }
      for (; place < end; place++) {
        const pixel = source[at++];
        if (pixel >> 24 === -1) words[place] = pixel;
        else if (pixel !== 0) words[place] = blend(pixel, words[place]);
      }
    }
  }
}
