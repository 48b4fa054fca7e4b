// What the peers in JavaScript have in common: each workload some rounds long, the best of which counts.
import { readFileSync } from "node:fs";

/** The time since a reading of the process's clock, in microseconds. */
export const microseconds = (from) => Number(process.hrtime.bigint() - from) / 1000;

/** Runs all workloads of a file, and prints sizes in bytes and times in microseconds a tick as JSON. */
export function measure(file, count, run) {
  const output = {};
  for (const scene of Object.values(JSON.parse(readFileSync(file, "utf8")).scenes)) {
    for (const [name, ticks] of Object.entries(scene.workloads)) {
      const rounds = Array.from({ length: count }, () => run(scene, ticks));
      output[name] = {
        sizes: rounds[0].sizes,
        encodeMicroseconds: Math.min(...rounds.map((round) => round.encoding)),
        decodeMicroseconds: Math.min(...rounds.map((round) => round.decoding)),
      };
    }
  }
  console.log(JSON.stringify(output));
}
