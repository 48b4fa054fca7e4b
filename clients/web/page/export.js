// The scene in other forms: a picture as SVG, and its constraints as code for UIKit, SnapKit and ConstraintLayout.
// What a form cannot say is left in it as a comment, never dropped.
import { readable, rgba } from "./stage.js";
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

// --- Swift ------------------------------------------------------------------------------------------------------------

/** A Swift string literal. */
// eslint-disable-next-line no-control-regex
const swift = (text) => `"${text.replace(/["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (each) => (/["\\]/.test(each) ? `\\${each}` : `\\u{${each.codePointAt(0).toString(16)}}`))}"`;
const KEYWORDS = new Set("as break case catch class default defer do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator private protocol public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while".split(" "));

/** Names of a language for ids, each once: `card-cpu` becomes `cardCpu`. */
function namesFor(document, make) {
  const names = new Map(), taken = new Set();
  for (const id of ["root", ...(document.views ?? []).map((view) => view.id), ...(document.guides ?? []).map((guide) => guide.id)]) {
    const base = make(id);
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

const camel = (id) => {
  const name = id.replace(/-+(.?)/g, (_, next) => next.toUpperCase());
  return KEYWORDS.has(name) ? `${name}View` : name;
};
const pascal = (id) => id[0].toUpperCase() + id.slice(1);

/** What a view has beyond `said` as a comment's text; undefined if that is nothing. */
function unsaid(view, said) {
  const rest = Object.entries(view).filter(([key]) => !said.includes(key) && !["id", "parent", "index", "kind"].includes(key));
  return rest.length ? `${view.id} has no equal here of ${rest.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")}` : undefined;
}

const BORDERS = { single: [1, 0], rounded: [1, 8], double: [3, 0], heavy: [2, 0] };

/** `sizeOf` gives the size of a view, in points, as it is now. */
function swiftViews(document, names, sizeOf) {
  const lines = [], parents = [];
  const color = (value) => { const [r, g, b, a] = rgba(value); return `UIColor(red: ${show(r / 255)}, green: ${show(g / 255)}, blue: ${show(b / 255)}, alpha: ${show(a / 255)})`; };
  for (const view of document.views ?? []) {
    const name = names.get(view.id), type = { label: "UILabel", stack: "UIStackView", scroll: "UIScrollView", image: "UIImageView" }[view.kind] ?? "UIView";
    lines.push(`let ${name} = ${type}()`);
    if (!view.frame) lines.push(`${name}.translatesAutoresizingMaskIntoConstraints = false`);
    const said = ["background", "hidden", "clips", "opacity", "margins", "hugging", "compression", "frame", "frameIn", "autoresizing", "contentMode", "border"];
    if (view.kind === "label") {
      said.push("text", "lines", "align", "preferredWidth", "foreground");
      if (view.text !== undefined) lines.push(`${name}.text = ${swift(view.text)}`);
      lines.push(`${name}.numberOfLines = ${view.lines ?? 1}`);
      if (view.align) lines.push(`${name}.textAlignment = .${view.align}`);
      if (view.preferredWidth) lines.push(`${name}.preferredMaxLayoutWidth = ${view.preferredWidth}`);
    }
    if (view.kind === "image" && view.symbol) {
      said.push("symbol");
      lines.push(`${name}.image = UIImage(systemName: ${swift(view.symbol)})`);
    }
    if (view.kind === "scroll") {
      said.push("contentOffset");
      if (view.contentOffset) lines.push(`${name}.contentOffset = CGPoint(x: ${view.contentOffset[0]}, y: ${view.contentOffset[1]})`);
    }
    if (BORDERS[view.border]) {
      const [width, radius] = BORDERS[view.border];
      said.push("foreground");
      lines.push(`${name}.layer.borderWidth = ${width}`);
      if (radius) lines.push(`${name}.layer.cornerRadius = ${radius}`);
      if (view.foreground) lines.push(`${name}.layer.borderColor = ${color(view.foreground)}.cgColor`);
    }
    if (view.contentMode) lines.push(`${name}.contentMode = .${view.contentMode}`);
    if (view.background) lines.push(`${name}.backgroundColor = ${color(view.background)}`);
    if (view.foreground && view.kind === "label") lines.push(`${name}.textColor = ${color(view.foreground)}`);
    if (view.hidden) lines.push(`${name}.isHidden = true`);
    if (view.clips) lines.push(`${name}.clipsToBounds = true`);
    if (view.opacity !== undefined) lines.push(`${name}.alpha = ${view.opacity}`);
    if (view.kind === "stack") {
      said.push("axis", "distribution", "alignment", "spacing", "customSpacing", "arranged");
      lines.push(`${name}.axis = .${view.axis ?? "horizontal"}`);
      for (const key of ["distribution", "alignment"]) if (view[key]) lines.push(`${name}.${key} = .${view[key]}`);
      if (view.spacing !== undefined) lines.push(`${name}.spacing = ${view.spacing}`);
    }
    if (view.margins) {
      const [top, leading, bottom, trailing] = view.margins;
      lines.push(`${name}.directionalLayoutMargins = NSDirectionalEdgeInsets(top: ${top}, leading: ${leading}, bottom: ${bottom}, trailing: ${trailing})`);
    }
    for (const [key, method] of [["hugging", "setContentHuggingPriority"], ["compression", "setContentCompressionResistancePriority"]]) {
      (view[key] ?? []).forEach((value, axis) => lines.push(`${name}.${method}(UILayoutPriority(${value}), for: .${axis ? "vertical" : "horizontal"})`));
    }
    // UIKit stretches a frame from the size that the superview has when the view comes into it.
    if (view.frame && view.autoresizing?.length) {
      const [width, height] = (view.frameIn ?? sizeOf(view.parent ?? "root")).map(show);
      // The root is the caller's own.
      if ((view.parent ?? "root") === "root") lines.push(`// ${name} is placed for a root of ${width} by ${height} points: let root have that size by now.`);
      else lines.push(`${names.get(view.parent)}.frame.size = CGSize(width: ${width}, height: ${height})`);
    }
    if (view.autoresizing) lines.push(`${name}.autoresizingMask = [${view.autoresizing.map((flag) => `.${flag}`).join(", ")}]`);
    if (view.frame) lines.push(`${name}.frame = CGRect(x: ${view.frame[0]}, y: ${view.frame[1]}, width: ${view.frame[2]}, height: ${view.frame[3]})`);
    const parent = document.views.find((each) => each.id === view.parent), isArranged = parent?.kind === "stack" && (parent.arranged?.includes(view.id) ?? true);
    parents.push(`${names.get(view.parent ?? "root")}.${isArranged ? "addArrangedSubview" : "addSubview"}(${name})`);
    if (view.kind === "flow") lines.push("// A flow has no equal in UIKit: its subviews need a layout of their own.");
    const rest = unsaid(view, said);
    if (rest) lines.push(`// ${rest}.`);
  }
  for (const guide of document.guides ?? []) {
    lines.push(`let ${names.get(guide.id)} = UILayoutGuide()`);
    parents.push(`${names.get(guide.parent ?? "root")}.addLayoutGuide(${names.get(guide.id)})`);
  }
  for (const view of document.views ?? []) {
    for (const [id, spacing] of Object.entries(view.customSpacing ?? {})) parents.push(`${names.get(view.id)}.setCustomSpacing(${spacing}, after: ${names.get(id)})`);
  }
  return [...lines, ...parents];
}

const GUIDES = { margins: "layoutMarginsGuide", safeArea: "safeAreaLayoutGuide", readable: "readableContentGuide", keyboard: "keyboardLayoutGuide", content: "contentLayoutGuide", viewport: "frameLayoutGuide" };
const RELATIONS = { "==": ["equalTo", ".equal"], "<=": ["lessThanOrEqualTo", ".lessThanOrEqual"], ">=": ["greaterThanOrEqualTo", ".greaterThanOrEqual"] };

/** One rule as an `NSLayoutConstraint`: by anchors, or by attributes where anchors cannot say it. */
function anchors({ rule, parts, identifier }, names) {
  if (!parts) return `// ${rule}`;
  const { first, second, relation, multiplier, constant, priority } = parts, [word, name] = RELATIONS[relation];
  const item = ({ view, guide }) => names.get(view) + (guide ? `.${GUIDES[guide]}` : "");
  const isExtent = /width|height/.test(first.attribute);
  let text;
  if (isExtent && !second) text = `${item(first)}.${first.attribute}Anchor.constraint(${word}Constant: ${constant})`;
  else if (second && (isExtent || multiplier === 1)) {
    const times = multiplier === 1 ? "" : `, multiplier: ${multiplier}`, plus = constant ? `, constant: ${constant}` : "";
    text = `${item(first)}.${first.attribute}Anchor.constraint(${word}: ${item(second)}.${second.attribute}Anchor${times}${plus})`;
  } else {
    text = `NSLayoutConstraint(item: ${item(first)}, attribute: .${first.attribute}, relatedBy: ${name}, toItem: ${second ? item(second) : "nil"}, attribute: .${second ? second.attribute : "notAnAttribute"}, multiplier: ${multiplier}, constant: ${constant})`;
  }
  return text + (priority === 1000 ? "" : `.at(${priority})`) + (identifier ? `.named(${swift(identifier)})` : "");
}

const indented = (lines, by) => lines.map((line) => " ".repeat(by) + line).join("\n");

/** The scene as a Swift function for UIKit; `sizeOf(id)` is the size that a view has now. */
export function toUIKit(document, sizeOf) {
  const names = namesFor(document, camel), rules = rulesOf(document);
  const list = (some) => indented(some.map((rule) => anchors(rule, names) + (rule.parts ? "," : "")), 8);
  const sets = Object.entries(document.sets ?? {}).map(([set, { when }]) => `    // Set ${set}${when ? `, when ${when}` : ""}: activate these instead.
    let ${camel(set)}Constraints: [NSLayoutConstraint] = [
${list(rules.filter((rule) => rule.set === set))}
    ]
    _ = ${camel(set)}Constraints`);
  const inactive = rules.filter((rule) => !rule.set && !rule.active);
  return `import UIKit

extension NSLayoutConstraint {
    func at(_ priority: Float) -> NSLayoutConstraint { self.priority = UILayoutPriority(priority); return self }
    func named(_ identifier: String) -> NSLayoutConstraint { self.identifier = identifier; return self }
}

/// Fills a view with the scene. ${document.viewport?.direction === "rtl" ? "It was laid out from right to left." : ""}
func build(in root: UIView) {
${indented(swiftViews(document, names, sizeOf), 4)}
    NSLayoutConstraint.activate([
${list(rules.filter((rule) => !rule.set && rule.active))}
    ])
${inactive.length ? `${indented(inactive.map((rule) => `// Inactive: ${rule.rule}`), 4)}\n` : ""}${sets.join("\n")}
}
`.replace(/\. \n/, ".\n");
}

/** The scene as a Swift function that uses SnapKit; `sizeOf(id)` is the size that a view has now. */
export function toSnapKit(document, sizeOf) {
  const names = namesFor(document, camel), byView = new Map(), rest = [];
  for (const rule of rulesOf(document)) {
    const { parts } = rule;
    if (!parts || rule.set || !rule.active) rest.push(`// ${rule.set ? `Set ${rule.set}: ` : rule.active ? "" : "Inactive: "}${rule.rule}`);
    else if (parts.first.guide || parts.first.view === "root") rest.push(`${anchors(rule, names)}.isActive = true`);
    else byView.set(parts.first.view, [...(byView.get(parts.first.view) ?? []), rule]);
  }
  const make = ({ parts: { first, second, relation, multiplier, constant, priority } }) => {
    const item = second && names.get(second.view) + (second.guide ? `.${GUIDES[second.guide]}` : "");
    let text = `make.${first.attribute}.${RELATIONS[relation][0]}(${second ? `${item}.snp.${second.attribute}` : constant})`;
    if (multiplier !== 1) text += `.multipliedBy(${multiplier})`;
    if (second && constant) text += `.offset(${constant})`;
    return priority === 1000 ? text : `${text}.priority(${priority})`;
  };
  const blocks = [...byView].map(([id, rules]) => `    ${names.get(id)}.snp.makeConstraints { make in\n${indented(rules.map(make), 8)}\n    }`);
  const helper = rest.some((line) => /\.at\(|\.named\(/.test(line)) ? `
private extension NSLayoutConstraint {
    func at(_ priority: Float) -> NSLayoutConstraint { self.priority = UILayoutPriority(priority); return self }
    func named(_ identifier: String) -> NSLayoutConstraint { self.identifier = identifier; return self }
}
` : "";
  return `import SnapKit
import UIKit
${helper}
func build(in root: UIView) {
${indented(swiftViews(document, names, sizeOf), 4)}
${blocks.join("\n")}
${rest.length ? `${indented(rest, 4)}\n` : ""}}
`;
}

// --- Android ----------------------------------------------------------------------------------------------------------

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
    if (view.foreground && view.kind === "label") all.push(["android:textColor", argb(view.foreground)]);
    if (view.background) all.push(["android:background", argb(view.background)]);
    if (view.hidden) all.push(["android:visibility", view.collapses ? "gone" : "invisible"]);
    if (view.opacity !== undefined) all.push(["android:alpha", view.opacity]);
    if (view.lines) all.push(["android:maxLines", view.lines]);
    const said = ["background", "hidden", "opacity", ...(view.kind === "label" ? ["text", "lines", "foreground"] : view.kind === "stack" ? ["axis"] : []), ...(view.hidden ? ["collapses"] : [])];
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
