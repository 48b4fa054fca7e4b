// Lays documents out beside the page, so that typing never waits for a layout. Each message is a question with a `turn`; its answer has
// the same turn.
import { LayoutError, Scene } from "./autolayout.js";

/** Units of work of a scene: a layout that takes more is not one to type in. */
const BUDGET = 20_000_000;
/** What a document is shown on that names no devices. */
const USUAL = {
  phone: { width: 390, height: 844, scale: 3, idiom: "phone" },
  desk: { width: 1280, height: 800, scale: 2, idiom: "desktop" },
};

const scenes = new Map();

async function show(device, document) {
  const scene = await Scene.open(document, { device, budget: BUDGET });
  scenes.set(device, scene);
  const { ambiguous, broken } = scene.report({ budget: BUDGET });
  return { device, ambiguous, broken, errors: scene.opened.errors ?? [], work: scene.opened.work, ...scene.picture() };
}

const described = ({ code, message, line, column, constraints }) =>
  ({ code, message, line: line ?? constraints?.find((constraint) => constraint.line)?.line, column });

async function layOut(text) {
  for (const scene of scenes.values()) scene.dispose();
  scenes.clear();
  const began = performance.now();
  // As text first: its faults have lines.
  const pictures = [await show("", text)];
  const document = JSON.parse(text);
  if (!document.devices) document.devices = USUAL;
  for (const device of Object.keys(document.devices)) {
    try {
      pictures.push(await show(device, document));
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      pictures.push({ device, fault: described(error) });
    }
  }
  return { pictures, milliseconds: performance.now() - began };
}

async function answer({ text, explain, device }) {
  try {
    if (text !== undefined) return await layOut(text);
    return { explanation: scenes.get(device)?.explain(explain, { budget: BUDGET }) };
  } catch (error) {
    if (error instanceof LayoutError) return { fault: described(error) };
    return { fault: { code: "failed", message: String(error.message ?? error) } };
  }
}

// One question after another: scenes are shared.
let last = Promise.resolve();
addEventListener("message", ({ data }) => {
  last = last.then(async () => postMessage({ turn: data.turn, ...(await answer(data)) }));
});
