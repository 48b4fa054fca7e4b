// The scene as Swift for UIKit and SnapKit. What it cannot say is left in it as a comment, never dropped.
import { fontOf, hasFont, isNamed, namesFor, unsaid } from "./naming.js";
import { rulesOf, show } from "./rules.js";
import { rgba } from "./stage.js";

/** A Swift string literal. */
// eslint-disable-next-line no-control-regex
const swift = (text) => `"${text.replace(/["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (each) => (/["\\]/.test(each) ? `\\${each}` : `\\u{${each.codePointAt(0).toString(16)}}`))}"`;
const KEYWORDS = new Set("as break case catch class default defer do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator private protocol public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while".split(" "));

const camel = (id) => {
  const name = id.replace(/-+(.?)/g, (_, next) => next.toUpperCase());
  return KEYWORDS.has(name) ? `${name}View` : name;
};

const BORDERS = { single: [1, 0], rounded: [1, 8], double: [3, 0], heavy: [2, 0] };

const CONTROLS = new Set(["button", "switch", "slider", "textField", "segmented"]);

const color = (value) => {
  if (isNamed(value)) return value === "tint" ? "UIColor.tintColor" : `UIColor.${value}`;
  const [r, g, b, a] = rgba(value);
  return `UIColor(red: ${show(r / 255)}, green: ${show(g / 255)}, blue: ${show(b / 255)}, alpha: ${show(a / 255)})`;
};
const CORNERS = { topLeft: "layerMinXMinYCorner", topRight: "layerMaxXMinYCorner", bottomLeft: "layerMinXMaxYCorner", bottomRight: "layerMaxXMaxYCorner" };

/** The classes of UIKit, and what makes one of a view. */
const CLASSES = {
  label: () => "UILabel()", stack: () => "UIStackView()", scroll: () => "UIScrollView()", image: () => "UIImageView()",
  button: () => "UIButton(configuration: .plain())", switch: () => "UISwitch()", slider: () => "UISlider()", textField: () => "UITextField()",
  segmented: ({ segments = [] }) => `UISegmentedControl(items: [${segments.map(swift).join(", ")}])`, progress: () => "UIProgressView()",
};

/** A font, at the size that people want where the view follows that. */
function font(view) {
  const { style, points, weight, isStyle } = fontOf(view), follows = view.dynamicType !== false;
  const plain = `UIFont.systemFont(ofSize: ${show(points)}, weight: .${weight})`;
  if (!follows) return plain;
  return isStyle ? `UIFont.preferredFont(forTextStyle: .${style})` : `UIFontMetrics(forTextStyle: .${view.fontSize === undefined ? style : "body"}).scaledFont(for: ${plain})`;
}

/** Each kind's own properties: what of the view they say, and the lines that do. */
const KINDS = {
  label(view, name, document) {
    const lines = [];
    if (view.text !== undefined) lines.push(`${name}.text = ${swift(view.text)}`);
    lines.push(`${name}.numberOfLines = ${view.lines ?? 1}`);
    if (view.align) lines.push(`${name}.textAlignment = .${view.align}`);
    if (view.preferredWidth) lines.push(`${name}.preferredMaxLayoutWidth = ${view.preferredWidth}`);
    if (view.lineBreakMode) lines.push(`${name}.lineBreakMode = .${view.lineBreakMode}`);
    if (view.minimumScaleFactor) lines.push(`${name}.adjustsFontSizeToFitWidth = true`, `${name}.minimumScaleFactor = ${view.minimumScaleFactor}`);
    if (hasFont(document, view)) lines.push(`${name}.font = ${font(view)}`, `${name}.adjustsFontForContentSizeCategory = ${view.dynamicType !== false}`);
    if (view.foreground) lines.push(`${name}.textColor = ${color(view.foreground)}`);
    return [["text", "lines", "align", "preferredWidth", "foreground", "lineBreakMode", "minimumScaleFactor", "textStyle", "fontSize", "fontWeight", "dynamicType"], lines];
  },
  image(view, name) { return view.symbol ? [["symbol"], [`${name}.image = UIImage(systemName: ${swift(view.symbol)})`]] : [[], []]; },
  scroll(view, name) {
    return [["contentOffset"], view.contentOffset ? [`${name}.contentOffset = CGPoint(x: ${view.contentOffset[0]}, y: ${view.contentOffset[1]})`] : []];
  },
  stack(view, name) {
    const lines = [`${name}.axis = .${view.axis ?? "horizontal"}`];
    for (const key of ["distribution", "alignment"]) if (view[key]) lines.push(`${name}.${key} = .${view[key]}`);
    if (view.spacing !== undefined) lines.push(`${name}.spacing = ${view.spacing}`);
    return [["axis", "distribution", "alignment", "spacing", "customSpacing", "arranged"], lines];
  },
  button(view, name) {
    const lines = [];
    if (view.text !== undefined) lines.push(`${name}.setTitle(${swift(view.text)}, for: .normal)`);
    if (view.symbol && !view.text) lines.push(`${name}.setImage(UIImage(systemName: ${swift(view.symbol)}), for: .normal)`);
    if (view.foreground) lines.push(`${name}.configuration?.baseForegroundColor = ${color(view.foreground)}`);
    return [["text", "foreground", ...(view.symbol && !view.text ? ["symbol"] : [])], lines];
  },
  switch(view, name) { return [["value"], view.value === true ? [`${name}.isOn = true`] : []]; },
  slider(view, name) {
    const lines = [["minimum", "minimumValue"], ["maximum", "maximumValue"], ["value", "value"]];
    return [["minimum", "maximum", "value"], lines.filter(([key]) => typeof view[key] === "number").map(([key, property]) => `${name}.${property} = ${view[key]}`)];
  },
  textField(view, name, document) {
    const lines = [];
    if (typeof view.value === "string") lines.push(`${name}.text = ${swift(view.value)}`);
    if (view.placeholder) lines.push(`${name}.placeholder = ${swift(view.placeholder)}`);
    if (view.align) lines.push(`${name}.textAlignment = .${view.align}`);
    if (hasFont(document, view)) lines.push(`${name}.font = ${font(view)}`);
    if (view.foreground) lines.push(`${name}.textColor = ${color(view.foreground)}`);
    return [["value", "placeholder", "align", "foreground", "textStyle", "fontSize", "fontWeight", "dynamicType"], lines];
  },
  segmented(view, name) { return [["segments", "value"], Number.isInteger(view.value) ? [`${name}.selectedSegmentIndex = ${view.value}`] : []]; },
  progress(view, name) {
    const { minimum = 0, maximum = 1, value } = view, share = maximum > minimum && typeof value === "number" ? (value - minimum) / (maximum - minimum) : 0;
    return [["minimum", "maximum", "value"], share ? [`${name}.progress = ${show(Math.min(Math.max(share, 0), 1))}`] : []];
  },
};

/** What is drawn of a view besides its content, as lines. */
function looks(view, name) {
  const { cornerRadius, maskedCorners, borderWidth, borderColor, shadow } = view, lines = [];
  if (cornerRadius !== undefined) lines.push(`${name}.layer.cornerRadius = ${show(cornerRadius)}`);
  if (maskedCorners) lines.push(`${name}.layer.maskedCorners = [${maskedCorners.map((corner) => `.${CORNERS[corner]}`).join(", ")}]`);
  if (borderWidth !== undefined) lines.push(`${name}.layer.borderWidth = ${show(borderWidth)}`);
  if (borderColor) lines.push(`${name}.layer.borderColor = ${color(borderColor)}.cgColor`);
  if (view.tint) lines.push(`${name}.tintColor = ${color(view.tint)}`);
  if (shadow) {
    const { color: cast = "#000000", offset: [right, below] = [0, -3], radius = 3, opacity = 1 } = shadow;
    lines.push(
      `${name}.layer.shadowColor = ${color(cast)}.cgColor`, `${name}.layer.shadowOffset = CGSize(width: ${show(right)}, height: ${show(below)})`,
      `${name}.layer.shadowRadius = ${show(radius)}`, `${name}.layer.shadowOpacity = ${show(opacity)}`);
  }
  return lines;
}

/** A view's transform, which UIKit wants after its frame. */
function turn({ transform }, name) {
  const { rotation = 0, scale = 1, translation: [right, below] = [0, 0] } = transform, [across, down] = Array.isArray(scale) ? scale : [scale, scale];
  return `${name}.transform = CGAffineTransform(translationX: ${show(right)}, y: ${show(below)}).rotated(by: ${show(rotation)} * .pi / 180).scaledBy(x: ${show(across)}, y: ${show(down)})`;
}
const LOOKS = ["cornerRadius", "maskedCorners", "borderWidth", "borderColor", "tint", "shadow", "transform"];

/** `sizeOf` gives the size of a view, in points, as it is now. */
function swiftViews(document, names, sizeOf) {
  const lines = [], parents = [];
  if (document.viewport?.typography === "faces") lines.push("// The scene's text was measured in its own faces; UIKit's is set in the system's, which has other widths.");
  for (const view of document.views ?? []) {
    const name = names.get(view.id);
    lines.push(`let ${name} = ${CLASSES[view.kind]?.(view) ?? "UIView()"}`);
    if (!view.frame) lines.push(`${name}.translatesAutoresizingMaskIntoConstraints = false`);
    const [saidByKind, ofKind] = KINDS[view.kind]?.(view, name, document) ?? [[], []];
    const said = ["background", "hidden", "clips", "opacity", "margins", "hugging", "compression", "frame", "frameIn", "autoresizing", "contentMode", "border", ...LOOKS, ...saidByKind];
    lines.push(...ofKind);
    if (CONTROLS.has(view.kind)) {
      said.push("enabled");
      if (view.enabled === false) lines.push(`${name}.isEnabled = false`);
    }
    if (BORDERS[view.border]) {
      const [width, radius] = BORDERS[view.border];
      said.push("foreground");
      lines.push(`${name}.layer.borderWidth = ${width}`);
      if (radius) lines.push(`${name}.layer.cornerRadius = ${radius}`);
      if (view.foreground) lines.push(`${name}.layer.borderColor = ${color(view.foreground)}.cgColor`);
    }
    lines.push(...looks(view, name));
    if (view.contentMode) lines.push(`${name}.contentMode = .${view.contentMode}`);
    if (view.background) lines.push(`${name}.backgroundColor = ${color(view.background)}`);
    if (view.hidden) lines.push(`${name}.isHidden = true`);
    if (view.clips) lines.push(`${name}.clipsToBounds = true`);
    if (view.opacity !== undefined) lines.push(`${name}.alpha = ${view.opacity}`);
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
    if (view.transform) lines.push(turn(view, name));
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
