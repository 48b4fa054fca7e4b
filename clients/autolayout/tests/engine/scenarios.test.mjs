// The protocol's scenarios, whose frames were computed by hand: what they expect of frames, refusals and conflicts.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const { LayoutError, Scene } = await import(process.env.AUTOLAYOUT ?? "../../autolayout.js");
const folder = new URL("../../../../protocol/scenarios/", import.meta.url);

/** The parts of a scenario that a program beside the scene plays, and what needs fonts, are not the package's. */
const isPlayable = ({ scene, hooks, settle, steps }) =>
  !hooks && settle !== false && scene.scene === 1 && !scene.faces && !JSON.stringify(scene).includes('"faces"') &&
  !steps.some(({ apply }) => apply?.some(({ op }) => op === "setScene"));

class Player {
  #shown = {};

  static async open(document, device) {
    const player = new Player();
    player.scene = await Scene.open(document, { device });
    return player;
  }

  look() {
    const { frames, removed } = this.scene.changed();
    Object.assign(this.#shown, frames);
    for (const id of removed) delete this.#shown[id];
  }

  check(expected, name) {
    this.look();
    const { frames, ambiguous, broken } = this.scene.report();
    const compare = (found, wanted, what) => {
      for (const [id, frame] of Object.entries(wanted)) {
        const here = found[id];
        assert.ok(here, `${name}: no ${what} of ${id}`);
        frame.forEach((value, side) => assert.ok(Math.abs(value - here[side]) < 1e-6, `${name}: ${what} of ${id} ${here}, expected ${frame}`));
      }
    };
    if (expected.frames) compare(frames, expected.frames, "frame");
    if (expected.presentation) compare(this.#shown, expected.presentation, "presentation");
    if (expected.ambiguous) assert.deepEqual([...ambiguous].sort(), [...expected.ambiguous].sort(), name);
    if (expected.broken) assert.deepEqual([...broken].sort(), [...expected.broken].sort(), name);
    if (typeof expected.hash === "string") assert.equal(this.scene.hash().hash, expected.hash, name);
  }
}

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json")).sort()) {
  const scenario = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  if (!isPlayable(scenario)) continue;
  test(`${file}: ${scenario.name}`, async () => {
    let refused = null;
    let players;
    try {
      players = { "": await Player.open(scenario.scene, "") };
      for (const device of Object.keys(scenario.scene.devices ?? {})) players[device] = await Player.open(scenario.scene, device);
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      refused = error.code;
    }
    for (const [place, step] of scenario.steps.entries()) {
      if (step.expect) {
        const { device = "", refused: wanted } = step.expect;
        if (wanted !== undefined) assert.equal(refused, wanted, `step ${place}`);
        if (players) players[device].check(step.expect, `step ${place}`);
        refused = null;
      } else if (step.apply && players) {
        let accepted = step.apply;
        try {
          const { refusals = [] } = players[""].scene.apply(step.apply, { atomic: step.atomic ?? false });
          if (refusals.length > 0) refused = refusals.at(-1).code;
          accepted = step.apply.filter((_, index) => !refusals.some(({ op }) => op === index));
        } catch (error) {
          if (!(error instanceof LayoutError)) throw error;
          refused = error.code;
          accepted = [];
        }
        for (const [device, { scene }] of Object.entries(players)) if (device !== "") scene.apply(accepted, { atomic: false });
      } else if (step.tick) {
        for (const { scene } of Object.values(players ?? {})) scene.tick(step.tick);
      }
    }
    for (const { scene } of Object.values(players ?? {})) scene.dispose();
  });
}
