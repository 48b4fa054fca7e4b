// What controls look like on an application's screen: the scene has them as lines of text, for renderers that know nothing of
// them. Here they are drawn as a page's, from their values, in the place that the scene gives them; on the canvas, so that what
// lies over a control covers it, and what cuts it off does so here too.
import { isMirroredSlider, segmentPlaces, titleOf } from "./own.js";
import { rgba } from "./stage.js";

/** A colour at a share of its strength. */
function faint(color, share) {
  const [r, g, b] = rgba(color);
  return `rgb(${r} ${g} ${b} / ${share})`;
}

function box(g, { left, top, width, height }, radius, fill, stroke, line) {
  if (width <= 0 || height <= 0) return;
  g.beginPath();
  g.roundRect(left, top, width, height, Math.min(radius, width / 2, height / 2));
  if (fill) {
    g.fillStyle = fill;
    g.fill();
  }
  if (!stroke) return;
  g.strokeStyle = stroke;
  g.lineWidth = line;
  g.stroke();
}

/** The same area, smaller by so many pixels on each side. */
const within = ({ left, top, width, height }, by) => ({ left: left + by, top: top + by, width: width - 2 * by, height: height - 2 * by });

export class Looks {
  /** `interactionOf` and `valueOf` have what is known of a view by its id. */
  constructor({ stage, interactionOf, valueOf }) { Object.assign(this, { stage, interactionOf, valueOf }); }

  /** Draws a control; false for views that are none. */
  paint(g, item, [left, top, width, height], pixel) {
    const view = this.stage.mirror.views.get(item.number), interaction = this.interactionOf(view.id);
    const { content, ink } = item, draw = interaction && this[interaction.control];
    if (interaction?.control === "none" || !draw) return false;
    const area = { left, top, width, height }, { look } = content, isFramed = content.border !== "none" || content.background !== undefined || look?.borderWidth > 0 || look?.gradient !== undefined;
    const accent = look?.tint ?? content.foreground ?? (ink === "#000000" ? "#2f55d4" : "#7aa2f7"), value = this.valueOf(view.id) ?? interaction.value;
    const hasText = draw.call(this, g, { content, ink, interaction, value, area, isFramed, accent, pixel });
    return !hasText;
  }

  text(g, words, { left, top, width, height }, ink, align, pixel, face) {
    if (face) return this.stage.paintWords(g, words, face, ink, { left, top, width, height }, align, pixel);
    const { stage } = this, size = stage.cell[1] * 0.8 * pixel, room = Math.floor(width / (stage.cell[0] * pixel) + 0.01);
    const columns = Math.round(stage.measure(words) / stage.measure("0")), shown = columns <= room ? words : stage.fit(words, room).text;
    if (!shown) return;
    const wide = Math.round(stage.measure(shown) / stage.measure("0")) * stage.cell[0] * pixel, gap = width - wide;
    const share = { left: 0, right: 1 }[align] ?? 0.5;
    g.fillStyle = ink;
    // Any font keeps to the scene's grid.
    stage.place(g, wide / (stage.measure(shown) * size / 100), 1, left + gap * share, Math.round(top + height / 2 + size * 0.35));
    g.fillText(shown, 0, 0);
    stage.reset(g);
  }

  button(g, { content, ink, interaction, area, isFramed, pixel }) {
    if (!isFramed) box(g, within(area, pixel / 2), 5 * pixel, faint(ink, interaction.selected ? 0.3 : 0.09), faint(ink, 0.45), pixel);
    if (content.face) return true;
    this.text(g, titleOf({ content }), within(area, Math.min(4 * pixel, area.width / 8)), ink, content.align, pixel);
    return false;
  }

  switch(g, { content, ink, value, area, accent, pixel }) {
    const height = Math.min(area.height, 20 * pixel), width = Math.min(area.width, 1.8 * height), [line] = content.lines;
    // The scene says on which side it begins, and where the knob is.
    const isRight = line?.text.startsWith("─") || (line?.text.startsWith("●") && value === true && line.text.length > 1);
    const track = { left: isRight ? area.left + area.width - width : area.left, top: area.top + (area.height - height) / 2, width, height };
    const isOn = value === true, knob = height - 4 * pixel, atEnd = isOn !== Boolean(isRight);
    box(g, within(track, pixel / 2), height, isOn ? accent : faint(ink, 0.12), isOn ? accent : faint(ink, 0.6), pixel);
    const start = atEnd ? track.left + width - knob - 2 * pixel : track.left + 2 * pixel;
    box(g, { left: start, top: track.top + 2 * pixel, width: knob, height: knob }, knob, isOn ? (ink === "#000000" ? "#ffffff" : "#16161e") : ink);
    return false;
  }

  slider(g, { content, ink, interaction, value, area, accent, pixel }) {
    const [line] = content.lines, { minimum, maximum } = interaction, number = typeof value === "number" ? value : minimum;
    const share = maximum > minimum ? Math.min(Math.max((number - minimum) / (maximum - minimum), 0), 1) : 0;
    const isRight = line !== undefined && isMirroredSlider(line.text, { ...interaction, value: number });
    const size = Math.min(area.height, 16 * pixel), room = area.width - size, at = area.left + size / 2 + room * (isRight ? 1 - share : share);
    const middle = area.top + area.height / 2, high = Math.max(2 * pixel, size / 4);
    const part = (from, to, color) => box(g, { left: from, top: middle - high / 2, width: to - from, height: high }, high, color);
    part(area.left, area.left + area.width, faint(ink, 0.3));
    if (isRight) part(at, area.left + area.width, accent);
    else part(area.left, at, accent);
    box(g, { left: at - size / 2, top: middle - size / 2, width: size, height: size }, size, accent);
    return false;
  }

  progress(g, { content, ink, interaction, value, area, accent, pixel }) {
    const { minimum, maximum } = interaction, share = maximum > minimum ? Math.min(Math.max((Number(value) - minimum) / (maximum - minimum), 0), 1) : 0;
    const high = Math.min(area.height, 8 * pixel), track = { ...area, top: area.top + (area.height - high) / 2, height: high };
    const isRight = /^░.*[█▐]$/u.test(content.lines[0]?.text ?? ""), width = area.width * (share || 0);
    box(g, track, high, faint(ink, 0.2));
    box(g, { ...track, left: isRight ? area.left + area.width - width : area.left, width }, high, accent);
    return false;
  }

  segmented(g, { content, ink, interaction, value, area, pixel }) {
    const [line] = content.lines, { unit } = this.stage;
    if (!line) return false;
    const left = area.left + line.place[0] / unit * pixel, width = line.place[2] / unit * pixel, whole = { ...area, left, width };
    box(g, within(whole, pixel / 2), 5 * pixel, faint(ink, 0.06), faint(ink, 0.45), pixel);
    segmentPlaces(line.text, interaction, (text) => this.stage.measure(text)).forEach((place, index) => {
      const part = { ...whole, left: left + place.start * width, width: place.width * width }, isChosen = index === value;
      if (isChosen) box(g, within(part, pixel), 4 * pixel, ink);
      this.text(g, interaction.segments[index] ?? "", part, isChosen ? (ink === "#000000" ? "#ffffff" : "#16161e") : ink, "center", pixel, content.face);
    });
    return false;
  }

  /** A box; its words are those of the scene. */
  textField(g, { ink, area, isFramed, pixel }) {
    if (!isFramed) box(g, within(area, pixel / 2), 3 * pixel, faint(ink, 0.04), faint(ink, 0.45), pixel);
    return true;
  }
}
