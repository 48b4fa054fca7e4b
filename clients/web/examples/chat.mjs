// A chat: people give themselves names, and see what the others write.
//
//   node chat.mjs ws://127.0.0.1:7070/chat
import process from "node:process";
import { Scene, label, ops } from "../scene.js";

/** How many messages are kept. */
const KEPT = 100;

/** The messages, which end above the fields, and the fields above the keyboard, if there is one. */
function document() {
  const fields = [["name", "Your name"], ["say", "Say something"]].map(([id, text]) => (
    { id, kind: "textField", label: text, placeholder: text, events: ["input"], border: "single" }
  ));
  return ops.setScene({
    scene: 1, viewport: { width: 390, height: 844 },
    views: [
      { id: "place", kind: "scroll", scrolls: "each", role: "log", label: "Messages", focusable: true },
      { id: "messages", parent: "place", kind: "stack", axis: "vertical", spacing: 4 }, ...fields,
    ],
    constraints: [
      "H:|-[place]-|", "H:|-[name(120)]-[say]-|", "name.height == 48", "say.height == 48", "say.top == name.top",
      "place.top == root.margins.top", "place.bottom == name.top - 8", "name.bottom == root.keyboard.top - 8",
      "messages.leading == place.content.leading", "messages.trailing == place.content.trailing",
      "messages.top == place.content.top", "messages.bottom == place.content.bottom",
      "messages.width == place.viewport.width",
    ],
  });
}

const scene = await Scene.connect(process.argv[2]);
await scene.apply(document());
const names = new Map(), kept = [];

/** Adds a message, the newest above, where every screen shows it. */
const show = (text) => scene.batch((batch) => {
  const message = label(text, { lines: 0 });
  batch.view("messages").insert(0, message);
  kept.push(message.id);
  if (kept.length > KEPT) batch.view(kept.shift()).remove();
});

/** Clears the field of the text that was sent: it is empty again only after it held that. */
async function empty({ view, value }) {
  await scene.view(view).set({ value });
  await scene.view(view).set({ value: "" });
}

scene.on("input", "name", async (event) => {
  const before = names.get(event.client), name = event.value.trim().slice(0, 20) || "Nobody";
  names.set(event.client, name);
  await show(before ? `${before} is ${name} now` : `${name} is here`);
  await empty(event);
});
scene.on("input", "say", async (event) => {
  const text = event.value.trim().slice(0, 500);
  if (text) await show(`${names.get(event.client) ?? `Guest ${event.client}`}: ${text}`);
  await empty(event);
});

await scene.handlesAll();
console.log("open");
