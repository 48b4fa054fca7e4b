// The scene in other forms: a picture as SVG, and its constraints as a layout resource for Android; uikit.js has those for Swift.
// What a form cannot say is left in it as a comment, never dropped.
import { readable, rgba } from "./stage.js";
import { fontOf, hasFont, isNamed, namesFor, pascal, unsaid } from "./naming.js";
import { rulesOf, show } from "./rules.js";
import { barsOf, FAINT, gridOf, lineOf, placed, radii, reach, squareOf } from "./shapes.js";

const xml = (text) => text.replace(/[<>&"]/g, (each) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" })[each])
  // eslint-disable-next-line no-control-regex
  .replace(/[\u0000-\u001f\ufffe\uffff]/g, "");

// --- SVG --------------------------------------------------------------------------------------------------------------

/** The picture as an SVG document, one pixel a point; `pictures` are addresses by hash, `symbols` the set where it has been loaded, `faces` the fonts that it carries along, each with its `name`, `weight` and `data`. */
export function toSVG({ mirror, welcome: { unitsPerPoint: unit, cell: [cellWidth, cellHeight] } }, pictures = new Map(), symbols = undefined, faces = []) {
  const out = [];
  let clips = 0;
  const paint = (name, color) => `${name}="${color.slice(0, 7)}"${color.length > 7 ? ` ${name}-opacity="${show(rgba(color)[3] / 255)}"` : ""}`;
  const rect = (x, y, width, height, more) => out.push(`<rect x="${show(x)}" y="${show(y)}" width="${show(Math.max(0, width))}" height="${show(Math.max(0, height))}"${more}/>`);
  const open = (x, y, width, height, look) => {
    out.push(`<clipPath id="c${++clips}">`);
    if (look?.cornerRadius > 0) out.push(`<${outlineOf(x, y, width, height, radii(look, width, height, 1))}/>`);
    else rect(x, y, width, height, "");
    out.push(`</clipPath><g clip-path="url(#c${clips})">`);
  };
  /** The lines of a grid, then the line or the bars. */
  const chart = (drawn, x, y, width, height) => {
    const { style, heights, lineWidth, color = "#00000000" } = drawn, strength = rgba(color)[3] / 255;
    const opacity = (name, share) => (share < 1 ? ` ${name}-opacity="${show(share)}"` : "");
    const fill = (share) => ` fill="${color.slice(0, 7)}"${opacity("fill", share * strength)}`;
    for (const [left, top, wide, high] of gridOf(drawn, width, height, 1)) rect(x + left, y + top, wide, high, fill(FAINT));
    if (style === "bars") for (const [left, top, wide, high] of barsOf(drawn, width, height)) rect(x + left, y + top, wide, high, fill(1));
    else if (heights.length) {
      const line = `M${lineOf(drawn, width, height, 1).map(([left, top]) => `${show(x + left)} ${show(y + top)}`).join("L")}`;
      if (style === "area") out.push(`<path d="${line}V${show(y + height)}H${show(x)}Z"${fill(FAINT)}/>`);
      out.push(`<path d="${line}" fill="none" stroke="${color.slice(0, 7)}"${opacity("stroke", strength)} stroke-width="${show(lineWidth)}" stroke-linejoin="round"/>`);
    }
  };
  /** Shadow, background, gradient and line of a view that has corners or the like. */
  const area = (look, background, isClipping, x, y, width, height) => {
    const corners = radii(look, width, height, 1), { shadow, gradient } = look, shape = outlineOf(x, y, width, height, corners);
    if (shadow?.color && !isClipping && (background || gradient || look.image)) {
      const [right, down] = shadow.offset, far = reach(look);
      let filter = "";
      if (shadow.radius > 0) {
        out.push(`<filter id="c${++clips}" filterUnits="userSpaceOnUse" x="${show(x - far)}" y="${show(y - far)}" width="${show(width + 2 * far)}" height="${show(height + 2 * far)}" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="${show(shadow.radius)}"/></filter>`);
        filter = ` filter="url(#c${clips})"`;
      }
      out.push(`<g${filter}><${outlineOf(x + right, y + down, width, height, corners)} ${paint("fill", shadow.color)}/></g>`);
    }
    if (background) out.push(`<${shape} ${paint("fill", background)}/>`);
    if (gradient) {
      const [x1, y1, x2, y2] = [...gradient.start, ...gradient.end].map(show);
      const stops = gradient.stops.map(({ location, color }) => `<stop offset="${show(location)}" ${paint("stop-color", color ?? "#00000000").replace("stop-color-opacity", "stop-opacity")}/>`);
      out.push(`<linearGradient id="c${++clips}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops.join("")}</linearGradient><${shape} fill="url(#c${clips})"/>`);
    }
    if (look.image) {
      const [left, top, wide, high] = placed(look.image, width, height);
      if (isClipping) open(x, y, width, height, look);
      out.push(`<image x="${show(x + left)}" y="${show(y + top)}" width="${show(wide)}" height="${show(high)}" preserveAspectRatio="none" href="${pictures.get(look.image.hash) || `blobs/${look.image.hash}`}"/>`);
      if (isClipping) out.push("</g>");
    }
    const outline = look.symbol && symbols?.outlines.get(look.symbol.name);
    if (outline) {
      const [left, top, side] = squareOf(look.symbol, width, height);
      if (isClipping) open(x, y, width, height, look);
      out.push(`<path transform="translate(${show(x + left)} ${show(y + top)}) scale(${side / symbols.box})" d="${outline}" ${paint("fill", look.tint ?? "#007aff")}/>`);
      if (isClipping) out.push("</g>");
    }
    if (look.chart) chart(look.chart, x, y, width, height);
    const line = Math.min(look.borderWidth, width / 2, height / 2);
    if (line > 0 && look.borderColor) out.push(`<${outlineOf(x + line / 2, y + line / 2, width - line, height - line, corners.map((radius) => Math.max(0, radius - line / 2)))} fill="none" ${paint("stroke", look.borderColor)} stroke-width="${show(line)}"/>`);
  };
  const draw = (number, left, top, behind) => {
    const view = mirror.views.get(number), { content } = view, [x, y, width, height] = mirror.frame(number).map((value) => value / unit);
    if (content.hidden || content.opacity === 0) return;
    const at = [left + x, top + y], back = content.background ? content.background : behind, ink = content.foreground ?? readable(rgba(back));
    const { look } = content, isClipping = content.clips || content.kind === "scroll";
    if (look?.transform) out.push(`<g transform="${turned(look.transform, at[0] + width / 2, at[1] + height / 2)}">`);
    if (content.opacity < 255) out.push(`<g opacity="${show(content.opacity / 255)}">`);
    if (width > 0 && height > 0) {
      const round = content.border === "rounded" ? ` rx="${show(Math.min(cellWidth, cellHeight, width / 2, height / 2))}"` : "";
      if (look) area(look, content.background, isClipping, ...at, width, height);
      else if (content.background) rect(...at, width, height, `${round} ${paint("fill", content.background)}`);
      const strokes = { single: [[1, 0.5]], rounded: [[1, 0.5]], double: [[1, 0.5], [1, 2.5]], heavy: [[2, 1]] }[content.border] ?? [];
      for (const [thick, inset] of strokes) rect(at[0] + inset, at[1] + inset, width - 2 * inset, height - 2 * inset, `${round} fill="none" ${paint("stroke", ink)} stroke-width="${thick}"`);
      for (const { text, place } of content.lines) {
        const { face } = content, baseline = place[1] / unit + (face ? face.ascent / unit : cellHeight * 0.8);
        const font = face ? ` font-family="${families(face)}" font-weight="${face.weight}" font-size="${show(face.size / 64)}"` : "";
        out.push(`<text x="${show(at[0] + Math.max(0, place[0] / unit))}" y="${show(at[1] + baseline)}"${font} textLength="${show(place[2] / unit)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" ${paint("fill", ink)}>${xml(text)}</text>`);
      }
    }
    if (isClipping) open(...at, width, height, look);
    const [offsetX, offsetY] = content.contentOffset;
    for (const child of view.children) draw(child, at[0] - offsetX / unit, at[1] - offsetY / unit, back);
    if (isClipping) out.push("</g>");
    if (content.opacity < 255) out.push("</g>");
    if (look?.transform) out.push("</g>");
  };
  const [, , width, height] = mirror.frame(mirror.root).map((value) => value / unit);
  open(0, 0, width, height);
  draw(mirror.root, 0, 0, "#ffffff");
  const rules = faces.map(({ name, weight, data }) => `@font-face{font-family:"${escapedForCSS(name)}";font-weight:${weight};src:url(${data})}\n`).join("");
  const style = rules && `<style>\n${rules}</style>\n`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${show(width)}" height="${show(height)}" viewBox="0 0 ${show(width)} ${show(height)}" font-family="monospace" font-size="${show(cellHeight * 0.8)}">\n${style}${out.join("\n")}\n</g>\n</svg>\n`;
}

/** A name as the inside of a string of CSS in an element of XML. */
// eslint-disable-next-line no-control-regex
const escapedForCSS = (name) => name.replace(/["\\<>&\u0000-\u001f\u007f]/g, (letter) => `\\${letter.codePointAt(0).toString(16)} `);

/** The element of an area with its corners, without its end. */
function outlineOf(x, y, width, height, corners) {
  const [first] = corners;
  if (corners.every((radius) => radius === first)) return `rect x="${show(x)}" y="${show(y)}" width="${show(Math.max(0, width))}" height="${show(Math.max(0, height))}"${first > 0 ? ` rx="${show(first)}"` : ""}`;
  const [a, b, c, d] = corners, to = (...numbers) => numbers.map(show).join(" ");
  return `path d="M${to(x + a, y)}H${show(x + width - b)}A${to(b, b, 0, 0, 1, x + width, y + b)}V${show(y + height - c)}A${to(c, c, 0, 0, 1, x + width - c, y + height)}`
    + `H${show(x + d)}A${to(d, d, 0, 0, 1, x, y + height - d)}V${show(y + a)}A${to(a, a, 0, 0, 1, x + a, y)}Z"`;
}

/** A transform about a place. */
function turned({ rotation, scale, translation }, x, y) {
  return `translate(${show(x + translation[0])} ${show(y + translation[1])}) rotate(${show(rotation)}) scale(${scale.map(show).join(" ")}) translate(${show(-x)} ${show(-y)})`;
}

/** The families of a face, in the order in which characters look for a glyph. */
const families = ({ files }) => [...new Set(files.map(({ name }) => name)), "sans-serif"].join(", ");

// --- Android ----------------------------------------------------------------------------------------------------------

const WEIGHTS = { ultraLight: 100, thin: 200, light: 300, regular: 400, medium: 500, semibold: 600, bold: 700, heavy: 800, black: 900 };
const SIDES = { leading: "Start", trailing: "End", left: "Left", right: "Right", top: "Top", bottom: "Bottom" };

/** The scene as a layout resource: a ConstraintLayout for each view that has subviews. */
export function toConstraintLayout(document) {
  const names = namesFor(document, (id) => id.replace(/-/g, "_").toLowerCase()), rules = rulesOf(document), views = document.views ?? [];
  const comment = (text) => `<!-- ${text.replace(/--+/g, (dashes) => [...dashes].join(" "))} -->`;
  const guides = document.guides ?? [], items = new Map([...views, ...guides].map((each) => [each.id, each]));
  const parentOf = (id) => items.get(id)?.parent ?? "root";
  const attributes = (id) => {
    const found = new Map([["android:layout_width", "wrap_content"], ["android:layout_height", "wrap_content"]]), left = [], parent = parentOf(id);
    const own = rules.filter(({ parts }) => parts && (parts.first.view === id || (parts.second?.view === id && parts.first.view === parent)));
    const seen = new Set();
    for (const rule of own) {
      let { first, second, relation, multiplier, constant, priority } = rule.parts;
      const isOrdinary = rule.active && !rule.set && priority === 1000 && !first.guide && !second?.guide;
      // root.trailing == a.trailing + 8 is a.trailing == root.trailing - 8.
      if (first.view !== id && multiplier === 1) [first, second, constant] = [second, first, -constant];
      // What stands in a LinearLayout is placed by it alone.
      const near = second && items.get(parent)?.kind !== "stack" && (second.view === parent ? "parent" : parentOf(second.view) === parent ? `@id/${names.get(second.view)}` : undefined);
      const side = SIDES[first.attribute], isLow = /leading|left|top/.test(first.attribute), margin = isLow ? constant : -constant;
      if (isOrdinary && relation === "==" && /width|height/.test(first.attribute) && !second) found.set(`android:layout_${first.attribute}`, `${constant}dp`);
      else if (isOrdinary && relation !== "==" && /width|height/.test(first.attribute) && !second) found.set(`app:layout_constraint${pascal(first.attribute)}_${relation === ">=" ? "min" : "max"}`, `${constant}dp`);
      else if (isOrdinary && relation === "==" && first.attribute === second?.attribute && near === "parent" && /width|height/.test(first.attribute) && !constant) {
        found.set(`android:layout_${first.attribute}`, multiplier === 1 ? "match_parent" : "0dp");
        if (multiplier !== 1) found.set(`app:layout_constraint${pascal(first.attribute)}_percent`, show(multiplier));
      } else if (isOrdinary && relation === "==" && multiplier === 1 && side && SIDES[second?.attribute] && near && margin >= 0 && !seen.has(side)) {
        seen.add(side);
        found.set(`app:layout_constraint${side}_to${SIDES[second.attribute]}Of`, near);
        if (margin) found.set(`android:layout_margin${side}`, `${show(margin)}dp`);
      } else if (isOrdinary && relation === "==" && multiplier === 1 && /center/.test(first.attribute) && first.attribute === second?.attribute && near && !constant) {
        const [low, high] = first.attribute === "centerX" ? ["Start", "End"] : ["Top", "Bottom"];
        found.set(`app:layout_constraint${low}_to${low}Of`, near);
        found.set(`app:layout_constraint${high}_to${high}Of`, near);
      } else if (isOrdinary && relation === "==" && /Baseline/.test(first.attribute) && first.attribute === second?.attribute && near && near !== "parent" && !constant) {
        found.set("app:layout_constraintBaseline_toBaselineOf", near);
      } else left.push(rule.rule);
    }
    // Held at both ends, a size is what the constraints leave.
    for (const [low, high, extent] of [["Start", "End", "width"], ["Left", "Right", "width"], ["Top", "Bottom", "height"]]) {
      if (seen.has(low) && seen.has(high) && found.get(`android:layout_${extent}`) === "wrap_content") found.set(`android:layout_${extent}`, "0dp");
    }
    return { found, left };
  };
  const spaces = (id, depth) => guides.filter((guide) => (guide.parent ?? "root") === id).map((guide) => {
    const { found, left } = attributes(guide.id), pad = " ".repeat(4 * depth);
    const lines = [["android:id", `@+id/${names.get(guide.id)}`], ...found].map(([name, value]) => `\n${pad}    ${name}="${xml(value)}"`).join("");
    return `${left.map((rule) => `${pad}${comment(rule)}\n`).join("")}${pad}<Space${lines} />\n`;
  }).join("");
  const element = (view, depth) => {
    const children = views.filter((each) => (each.parent ?? "root") === view.id), { found, left } = attributes(view.id), pad = " ".repeat(4 * depth);
    const tag = view.kind === "label" ? "TextView" : view.kind === "image" ? "ImageView" : view.kind === "stack" ? "LinearLayout" : children.length ? "androidx.constraintlayout.widget.ConstraintLayout" : "View";
    const all = [["android:id", `@+id/${names.get(view.id)}`], ...found];
    if (view.kind === "stack") all.push(["android:orientation", view.axis ?? "horizontal"]);
    if (view.text !== undefined) all.push(["android:text", view.text.replace(/[\\'@?]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t")]);
    const said = ["hidden", "opacity", ...(view.kind === "stack" ? ["axis"] : []), ...(view.hidden ? ["collapses"] : [])];
    // A colour of UIKit's has no equal, and stays a comment.
    const paint = (key, attribute) => {
      if (!view[key] || isNamed(view[key])) return;
      all.push([attribute, argb(view[key])]);
      said.push(key);
    };
    if (view.kind === "label") {
      said.push("text", "lines");
      paint("foreground", "android:textColor");
      if (hasFont(document, view)) {
        const { points, weight } = fontOf(view);
        all.push(["android:textSize", `${show(points)}${view.dynamicType === false ? "dp" : "sp"}`], ["android:textFontWeight", WEIGHTS[weight]]);
        said.push("textStyle", "fontSize", "fontWeight", "dynamicType");
      }
    }
    paint("background", "android:background");
    if (view.hidden) all.push(["android:visibility", view.collapses ? "gone" : "invisible"]);
    if (view.opacity !== undefined) all.push(["android:alpha", view.opacity]);
    if (view.lines) all.push(["android:maxLines", view.lines]);
    const rest = unsaid(view, said);
    const lines = all.map(([name, value]) => `\n${pad}    ${name}="${xml(String(value))}"`).join("");
    const notes = [...left, ...(rest ? [rest] : [])].map((rule) => `${pad}${comment(rule)}\n`).join("");
    const inside = spaces(view.id, depth + 1);
    if (!children.length && !inside) return `${notes}${pad}<${tag}${lines} />\n`;
    return `${notes}${pad}<${tag}${lines}>\n${inside}${children.map((child) => element(child, depth + 1)).join("")}${pad}</${tag}>\n`;
  };
  const notes = rules.filter(({ parts }) => !parts).map(({ rule }) => `    ${comment(rule)}\n`).join("");
  return `<?xml version="1.0" encoding="utf-8"?>
<androidx.constraintlayout.widget.ConstraintLayout xmlns:android="http://schemas.android.com/apk/res/android"
    xmlns:app="http://schemas.android.com/apk/res-auto"
    android:layout_width="match_parent"
    android:layout_height="match_parent">
${notes}${spaces("root", 1)}${views.filter((view) => (view.parent ?? "root") === "root").map((view) => element(view, 1)).join("")}</androidx.constraintlayout.widget.ConstraintLayout>
`;
}

const argb = (color) => `#${color.slice(7)}${color.slice(1, 7)}`;
