// Composes frames in which much moves out of pictures of single views, pixel by pixel in memory, and hands the canvas the
// result in one piece. For boxes of a few letters a canvas's own calls cost far more than their pixels: where it paints in
// software, a copied box of 11 × 15 takes 1 microsecond all in all, `drawImage` 6, `fillText` 4.
//
// A view's picture does not depend on where it stands, because boxes begin at whole pixels; the stage paints it, so that a
// composed frame is what the stage's own painting gives. The canvas is not read: what it shows is kept in memory, and composed
// anew only where something was or is that moved.

/** So many pixels all pictures may have together, and one of them; so many are made in a frame. */
const PIXELS = 4 << 20, PIXELS_EACH = 1 << 20, MADE = 16;
/** So many pixels in a row are copied one by one as fast. */
const FEW = 64;
/** The side of a cell of the grid by which views are found. */
const CELL = 32;

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
  /** Whether the image in memory is what the canvas shows. */
  isCurrent = false;

  constructor(stage) {
    this.stage = stage;
    this.context = stage.makeContext({ willReadFrequently: true });
  }

  /** Paints the canvas; false where that has to be left to the stage, which then says that `isCurrent` is so no more. */
  compose() {
    const { stage } = this, { width, height } = stage.canvas, count = stage.items.length;
    if (stage.hasLayers || width * height > PIXELS) return false;
    if (!(this.boxes?.length >= 4 * count)) for (const name of ["boxes", "shown", "oldBoxes", "oldShown"]) this[name] = new Int32Array(8 * count);
    if (!this.prepare()) return false;
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.words = new Int32Array(this.image.data.buffer);
      this.isCurrent = false;
    }
    this.paper = this.opaque(stage.needsPaper ? "#ffffff" : stage.paper);
    this.backdrop = this.opaque(stage.backdrop);
    this.clip();
    const [x, y, endX, endY] = (this.isCurrent && this.composeParts()) || this.composeAll();
    if (x < endX && y < endY) stage.context.putImageData(this.image, 0, 0, x, y, endX - x, endY - y);
    for (const item of stage.items) item.composed = item.picture;
    [this.boxes, this.oldBoxes, this.shown, this.oldShown] = [this.oldBoxes, this.boxes, this.oldShown, this.shown];
    this.isCurrent = true;
    return true;
  }

  /** Works out all boxes, and has a picture of each view; false while there are too many that have none yet. */
  prepare() {
    const { stage } = this, { items, x, y, w, h, dx, dy, k } = stage, count = items.length;
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
    const item = this.stage.items[index], { content, ink } = item, { lines, border, background } = content;
    if (content.look) item.lookKey ??= JSON.stringify(content.look);
    const texts = lines.length ? `${this.stage.w[index]} ${this.stage.h[index]} ${JSON.stringify(lines)}` : "";
    return `${width} ${height} ${pixel} ${border} ${background} ${ink} ${texts}${content.look ? ` ${item.lookKey} ${item.clips}` : ""}`;
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
    const { stage, context: g } = this, item = stage.items[index], { border, background, lines, look } = item.content, beyond = Math.ceil(item.reach * stage.k);
    if (width <= 0 || height <= 0 || (border === "none" && !background && !lines.length && !look)) return {};
    if (border === "none" && background?.length === 7 && !lines.length && !look) return { color: word(background) };
    // Letters may reach over the edges.
    const margin = Math.max(beyond, lines.length ? Math.ceil(Math.max(...lines.map((line) => stage.growth(line))) * stage.cell[1] * pixel) : 0), wide = width + 2 * margin, high = height + 2 * margin;
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

  /** Where each view's picture can be seen: x, y, and where it ends, within whatever clips it. */
  clip() {
    const { stage, boxes, shown } = this, { items, canvas } = stage, outer = [];
    let clip = [0, 0, canvas.width, canvas.height];
    for (let index = 0, at = 0; index < items.length; index++, at += 4) {
      while (outer.length && outer[outer.length - 1].end <= index) ({ clip } = outer.pop());
      const { picture, clips, end } = items[index], left = boxes[at], top = boxes[at + 1], right = left + boxes[at + 2], bottom = top + boxes[at + 3];
      const isRoot = index === 0, { words } = picture, x = words ? left + picture.x : left, y = words ? top + picture.y : top;
      const endX = words ? x + picture.columns : right, endY = words ? y + picture.rows : bottom, isEmpty = !words && picture.color === undefined && !isRoot;
      // What is empty ends before it begins. The root has its paper under its picture.
      shown[at] = Math.max(clip[0], isRoot ? Math.min(x, left) : x);
      shown[at + 1] = Math.max(clip[1], isRoot ? Math.min(y, top) : y);
      shown[at + 2] = isEmpty ? 0 : Math.min(clip[2], isRoot ? Math.max(endX, right) : endX);
      shown[at + 3] = Math.min(clip[3], isRoot ? Math.max(endY, bottom) : endY);
      if (!clips && !isRoot) continue;
      outer.push({ end, clip });
      clip = [Math.max(clip[0], left), Math.max(clip[1], top), Math.min(clip[2], right), Math.min(clip[3], bottom)];
    }
  }

  /** Composes everything; the rectangle that changed. */
  composeAll() {
    const { shown, stage: { items, canvas: { width, height } } } = this;
    this.fill(this.backdrop, 0, 0, width, height);
    for (let index = 0, at = 0; index < items.length; index++, at += 4) this.put(index, shown[at], shown[at + 1], shown[at + 2], shown[at + 3]);
    return [0, 0, width, height];
  }

  /** Composes anew where something was or is that moved; the rectangle around all that, or nothing where everything is as quick. */
  composeParts() {
    const { stage: { items, canvas }, shown, oldShown, boxes, oldBoxes } = this, parts = [];
    let area = 0;
    const around = [canvas.width, canvas.height, 0, 0];
    const add = (x, y, endX, endY) => {
      if (x >= endX || y >= endY) return;
      parts.push(x, y, endX, endY);
      area += (endX - x) * (endY - y);
      around[0] = Math.min(around[0], x);
      around[1] = Math.min(around[1], y);
      around[2] = Math.max(around[2], endX);
      around[3] = Math.max(around[3], endY);
    };
    for (let index = 0, at = 0; index < items.length; index++, at += 4) {
      const x = shown[at], y = shown[at + 1], endX = shown[at + 2], endY = shown[at + 3], oldX = oldShown[at], oldY = oldShown[at + 1], oldEndX = oldShown[at + 2], oldEndY = oldShown[at + 3];
      if (x === oldX && y === oldY && endX === oldEndX && endY === oldEndY && boxes[at] === oldBoxes[at] && boxes[at + 1] === oldBoxes[at + 1] && items[index].picture === items[index].composed) continue;
      if (x < oldEndX && oldX < endX && y < oldEndY && oldY < endY) add(Math.min(x, oldX), Math.min(y, oldY), Math.max(endX, oldEndX), Math.max(endY, oldEndY));
      else {
        add(x, y, endX, endY);
        add(oldX, oldY, oldEndX, oldEndY);
      }
    }
    if (2 * area > canvas.width * canvas.height || !this.sort()) return undefined;
    for (let at = 0; at < parts.length; at += 4) this.composePart(parts[at], parts[at + 1], parts[at + 2], parts[at + 3]);
    return around;
  }

  /** Lists for each cell of a grid which views are seen in it, in their order; false where there are so many that it does not pay. */
  sort() {
    const { stage: { items, canvas }, shown } = this, columns = Math.ceil(canvas.width / CELL), count = columns * Math.ceil(canvas.height / CELL);
    if (this.starts?.length !== count + 1) Object.assign(this, { columns, starts: new Int32Array(count + 1), filled: new Int32Array(count) });
    const { starts, filled } = this;
    const each = (body) => {
      for (let index = 0, at = 0; index < items.length; index++, at += 4) {
        const x = shown[at], endX = shown[at + 2], endY = shown[at + 3];
        if (x >= endX || shown[at + 1] >= endY) continue;
        for (let row = Math.floor(shown[at + 1] / CELL); row * CELL < endY; row++) {
          for (let column = Math.floor(x / CELL); column * CELL < endX; column++) body(row * columns + column, index);
        }
      }
    };
    starts.fill(0);
    filled.fill(0);
    each((cell) => { starts[cell + 1]++; });
    for (let cell = 0; cell < count; cell++) starts[cell + 1] += starts[cell];
    if (starts[count] > 8 * items.length + 4 * count) return false;
    if (!(this.lists?.length >= starts[count])) this.lists = new Int32Array(2 * starts[count]);
    const { lists } = this;
    each((cell, index) => { lists[starts[cell] + filled[cell]++] = index; });
    return true;
  }

  composePart(left, top, right, bottom) {
    const { shown, starts, lists, columns } = this;
    for (let row = Math.floor(top / CELL); row * CELL < bottom; row++) {
      for (let column = Math.floor(left / CELL); column * CELL < right; column++) {
        const x = Math.max(left, column * CELL), endX = Math.min(right, (column + 1) * CELL), y = Math.max(top, row * CELL), endY = Math.min(bottom, (row + 1) * CELL);
        const first = starts[row * columns + column], end = starts[row * columns + column + 1];
        // What is under an even colour need not be there.
        let place = end - 1;
        while (place >= first && !this.covers(lists[place], x, y, endX, endY)) place--;
        if (place < first) this.fill(this.backdrop, x, y, endX, endY);
        for (place = Math.max(place, first); place < end; place++) {
          const index = lists[place], at = 4 * index;
          this.put(index, Math.max(x, shown[at]), Math.max(y, shown[at + 1]), Math.min(endX, shown[at + 2]), Math.min(endY, shown[at + 3]));
        }
      }
    }
  }

  /** Whether a view fills a rectangle with one colour. */
  covers(index, x, y, endX, endY) {
    const { shown, boxes } = this, at = 4 * index;
    if (index === 0 && (boxes[0] > x || boxes[1] > y || boxes[0] + boxes[2] < endX || boxes[1] + boxes[3] < endY)) return false;
    if (index > 0 && this.stage.items[index].picture.color === undefined) return false;
    return shown[at] <= x && shown[at + 1] <= y && shown[at + 2] >= endX && shown[at + 3] >= endY;
  }

  /** Puts so much of a view's picture into the image. */
  put(index, x, y, endX, endY) {
    if (x >= endX || y >= endY) return;
    const { picture } = this.stage.items[index], { boxes } = this, left = boxes[4 * index], top = boxes[4 * index + 1];
    if (index === 0) this.fill(this.paper, Math.max(x, left), Math.max(y, top), Math.min(endX, left + boxes[2]), Math.min(endY, top + boxes[3]));
    if (picture.color !== undefined) this.fill(picture.color, Math.max(x, left), Math.max(y, top), Math.min(endX, left + boxes[4 * index + 2]), Math.min(endY, top + boxes[4 * index + 3]));
    else if (picture.words) this.copy(picture, left + picture.x, top + picture.y, x, y, endX, endY);
  }

  fill(color, x, y, endX, endY) {
    const { words, image: { width } } = this;
    if (x >= endX) return;
    for (let row = y; row < endY; row++) {
      const end = row * width + endX;
      if (endX - x < FEW) for (let place = row * width + x; place < end; place++) words[place] = color;
      else words.fill(color, row * width + x, end);
    }
  }

  copy({ words: source, solid, columns, rows }, left, top, x, y, endX, endY) {
    const { words, image: { width } } = this, from = Math.max(left, x), to = Math.min(left + columns, endX), last = Math.min(top + rows, endY);
    for (let row = Math.max(top, y); row < last; row++) {
      let at = (row - top) * columns + from - left, place = row * width + from;
      const end = row * width + to;
      if (solid[row - top]) {
        // Rows through which nothing shines, as most are, need no look at each pixel.
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
