// What a control looks like with another value, made from what it looks like now: so a new value shows at once, before the
// program behind the scene has heard of it. LANGUAGE.md, CTL-3, CTL-4 and CTL-7.

/** Where a slider's knob stands of so many cells. */
function knob({ minimum, maximum }, value, cells) {
  const share = maximum > minimum ? Math.min(Math.max((value - minimum) / (maximum - minimum), 0), 1) : 0;
  return Math.floor(share * (cells - 1) + 0.5);
}

const mirrored = (text) => [...text].reverse().join("");

function drawSwitch(text, interaction, value) {
  const track = [...text].length - 1, next = value ? `${"━".repeat(track)}●` : `○${"─".repeat(track)}`;
  // A switch that is on and begins with the knob is read from the right.
  const isMirrored = text.startsWith("●") ? interaction.value === true && track > 0 : text.endsWith("○") && track > 0;
  return isMirrored ? mirrored(next) : next;
}

/** Whether a slider's least value is on the right: its knob is not where it would be otherwise. */
export function isMirroredSlider(text, interaction) {
  const letters = [...text];
  return letters.length > 1 && letters[knob(interaction, interaction.value, letters.length)] !== "●";
}

function drawSlider(text, interaction, value) {
  const cells = [...text].length, at = knob(interaction, value, cells), isMirrored = isMirroredSlider(text, interaction);
  const next = `${"━".repeat(at)}●${"─".repeat(cells - 1 - at)}`;
  return isMirrored ? mirrored(next) : next;
}

/** Segments in the order of the screen, which is that of the titles or the other way round. */
const BETWEEN = "│";

/** Whether the first segment is on the right: told by the chosen one, which is marked, or by the words of the first. */
function isMirroredSegments(parts, { segments, value }) {
  const chosen = parts.findIndex((part) => /^\[.*\]$|^■+$/u.test(part)), last = parts.length - 1;
  if (typeof value === "number" && chosen >= 0 && 2 * value !== last) return chosen === last - value;
  const says = (part, title) => part.slice(1, -1).trim().replace(/…$/u, "") === title.slice(0, part.slice(1, -1).trim().replace(/…$/u, "").length);
  return last > 0 && !says(parts[0], segments[0]) && says(parts[last], segments[0]);
}

/** Where each segment begins and how far it reaches, as shares of the line: by the segments' places. `measure` is a text's width. */
export function segmentPlaces(text, interaction, measure) {
  const parts = text.split(BETWEEN), whole = measure(text) || 1, places = [];
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const width = measure(part);
    places.push({ start: start / whole, width: width / whole });
    start += width + (index < parts.length - 1 ? measure(BETWEEN) : 0);
  }
  return isMirroredSegments(parts, interaction) ? places.reverse() : places;
}

function drawSegments(text, interaction, value) {
  const parts = text.split(BETWEEN), isMirrored = isMirroredSegments(parts, interaction);
  return parts.map((part, at) => {
    const isChosen = (isMirrored ? parts.length - 1 - at : at) === value;
    if (/^[·■]*$/u.test(part)) return (isChosen ? "■" : "·").repeat(part.length);
    return `${isChosen ? "[" : " "}${part.slice(1, -1)}${isChosen ? "]" : " "}`;
  }).join(BETWEEN);
}

/** The lines of a control with a value; undefined where its lines do not show it. */
export function linesWith({ content }, interaction, value) {
  const { lines } = content, [first] = lines;
  if (!first) return undefined;
  switch (interaction.control) {
    case "switch": return [{ ...first, text: drawSwitch(first.text, interaction, value) }];
    case "slider": return [{ ...first, text: drawSlider(first.text, interaction, value) }];
    case "segmented": return [{ ...first, text: drawSegments(first.text, interaction, value) }];
    default: return undefined;
  }
}

/** A button's title without its brackets. */
export function titleOf({ content }) {
  const text = content.lines.map((line) => line.text).join(" ");
  return (/^\[[ •](.*)[ •]\]$/u.exec(text)?.[1] ?? text).trim();
}
