// The faces that a scene's text was measured in: loaded from the server by their hashes, and drawn so that every line is as
// wide as the server says.

/** Text is set at one whole size under a transform: browsers round other sizes, each in its own way. */
const SIZE = 64;
/** Pixels at that size by which a line may be longer than the server says. */
const SLACK = 0.08;

export class Faces {
  /** By hash: "loading", "ready", or "failed". */
  states = new Map();
  waiting = new Set();
  /** By font and text: its width at the size. */
  widths = new Map();

  /** `changed` is called when a face has come. */
  constructor(changed, stage) { Object.assign(this, { changed, stage }); }

  /** The font of lines, as a canvas takes it; undefined while a face of it is on its way. */
  font({ weight, files }) {
    const chain = this.chain(weight, files);
    for (const hash of chain) this.load(hash);
    if (chain.some((hash) => this.states.get(hash) === "loading")) return undefined;
    return `${SIZE}px ${this.families({ weight, files })}`;
  }

  /** The families of a face, as a style sheet takes them. */
  families({ weight, files }) {
    return `${this.chain(weight, files).map((hash) => `"${family(hash)}"`).join(", ")}, sans-serif`;
  }

  /** Of each family the face whose weight is nearest, of two equally near the heavier (SPEC FACE-3). */
  chain(weight, files) {
    const nearest = new Map();
    for (const file of files) {
      const known = nearest.get(file.name), far = known && Math.abs(known.weight - weight), near = Math.abs(file.weight - weight);
      if (!known || near < far || (near === far && file.weight > known.weight)) nearest.set(file.name, file);
    }
    return [...nearest.values()].map(({ hash }) => hash);
  }

  load(hash) {
    if (this.states.has(hash)) return;
    this.states.set(hash, "loading");
    const coming = this.fetch(hash).finally(() => this.waiting.delete(coming));
    this.waiting.add(coming);
  }

  /** When all faces that were asked for are there, or cannot be had. */
  async ready() { while (this.waiting.size) await Promise.all(this.waiting); }

  async fetch(hash) {
    try {
      const answer = await this.stage.fetchFile(`fonts/${hash}`);
      if (!answer.ok) throw new Error(`${answer.status}`);
      const face = new FontFace(family(hash), await answer.arrayBuffer());
      document.fonts.add(await face.load());
      this.states.set(hash, "ready");
    } catch {
      // Lines are then as wide as they should be, in a face of the browser's.
      this.states.set(hash, "failed");
    }
    this.changed();
  }

  /**
   * Draws a line with its left end and baseline at a place. `size` is the em and `width` the line's, in pixels of the canvas;
   * a line that this browser draws in another width is fitted to it.
   */
  draw(g, font, text, [x, baseline], size, width, pixel) {
    const scale = size / SIZE, parts = this.parts(g, font, text, width / scale, pixel / scale);
    g.font = font;
    for (const part of parts) {
      this.stage.place(g, scale * part.stretch, scale, x + part.start * scale, baseline);
      g.fillText(part.text, 0, 0);
    }
  }

  /**
   * What a line is drawn of, at the whole size: the line itself, where this browser draws it as wide as the server says, else its words.
   * The server measures words by themselves, and some browsers kern across the spaces between them. What is as wide neither way is
   * stretched.
   */
  parts(g, font, text, width, pixel) {
    // The server's width goes up to the next pixel of the scene.
    const fits = (own) => own <= width + SLACK && own > width - pixel - SLACK;
    const own = this.width(g, font, text);
    if (own === 0 || fits(own)) return [{ text, start: 0, stretch: 1 }];
    let start = 0;
    const words = text.split(/(?<= )(?=[^ ])/).map((word) => {
      const part = { text: word, start, stretch: 1 };
      const ink = word.replace(/ +$/, "");
      start += (ink ? this.width(g, font, ink) : 0) + (word.length - ink.length) * this.width(g, font, " ");
      return part;
    });
    return words.length > 1 && fits(start) ? words : [{ text, start: 0, stretch: width / own }];
  }

  width(g, font, text) {
    const key = `${font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      g.font = font;
      width = g.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }
}

const family = (hash) => `scenesync-${hash.slice(0, 32)}`;
