// A poll: everybody taps an answer, and the bars grow while people vote.
//
//   node poll.mjs ws://127.0.0.1:7070/poll "Tea or coffee?" Tea Coffee Water
//
// Watch it with `scenesync view --app ws://127.0.0.1:7070/poll`, or in a browser at http://127.0.0.1:7070/poll?app.
import process from "node:process";
import { Scene, ops } from "../scene.js";

const [url, question, ...answers] = process.argv.slice(2);

/** The question, then for each answer a button, a bar in its track, and a number. */
function document() {
  const views = [{ id: "question", kind: "label", text: question, lines: 0, role: "heading" }];
  const constraints = ["H:|-[question]-|", "question.top == root.margins.top"];
  answers.forEach((answer, number) => {
    const [name, track, bar, count] = ["answer", "track", "bar", "count"].map((part) => `${part}-${number}`);
    const above = number > 0 ? `answer-${number - 1}` : "question";
    views.push(
      { id: name, kind: "button", text: answer, events: ["tap"] },
      { id: track, background: "#88888840" },
      { id: bar, parent: track, background: "#3a78c2" },
      { id: count, kind: "label", text: "0", align: "right" },
    );
    // The buttons are as wide as the widest, but leave half of the screen to the bars.
    constraints.push(
      `H:|-[${name}]-[${track}]-[${count}(24)]-|`, `${name}.top == ${above}.bottom + 16`, `${name}.height >= 32`,
      `${name}.width == answer-0.width`, `${name}.width <= 0.5 * root.width`,
      `${track}.top == ${name}.top`, `${track}.bottom == ${name}.bottom`, `${count}.centerY == ${name}.centerY`,
      `V:|[${bar}]|`, `${bar}.leading == ${track}.leading`, { id: `share-${number}`, rule: `${bar}.width == 0 * ${track}.width` },
    );
  });
  return ops.setScene({ scene: 1, viewport: { width: 480, height: 240 }, views, constraints });
}

const scene = await Scene.connect(url);
await scene.apply(document());
const votes = new Map();
for (const number of answers.keys()) {
  scene.on("tap", `answer-${number}`, async (event) => {
    // One vote for each person; who taps another answer changes it.
    votes.set(event.client, number);
    await scene.animate(0.3, answers.flatMap((_, each) => {
      const count = [...votes.values()].filter((vote) => vote === each).length;
      return [ops.setConstraint(`share-${each}`, { multiplier: count / votes.size }), ops.setView(`count-${each}`, { text: String(count) })];
    }));
  });
}

await scene.handlesAll();
console.log("open");
