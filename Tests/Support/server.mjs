// Runs the program's servers for the tests in JavaScript. SCENESYNC names the program.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the program and resolves with its first line of output, what it printed so far, and how to wait for its end. */
const start = async (program, words, onOutput) => {
  const process = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(process, "exit").then(([status]) => status);
  let output = "";
  process.stdout.on("data", (data) => {
    output += data;
    onOutput?.(data);
  });
  while (!output.includes("\n")) {
    const status = await Promise.race([once(process.stdout, "data").then(() => null), ended]);
    if (status !== null) throw new Error(`${words[0]} ended with status ${status}`);
  }
  return { process, ended, output: () => output };
};

/** A server on a free port, with its journal in memory: its URL, the same with http, its process, and how to stop it. */
export const startServer = async (...words) => {
  const { process: child, ended, output } = await start(process.env.SCENESYNC, ["serve", "--in-memory", "--port", "0", ...words]);
  const url = output().trim().split(" ").pop();
  const stop = () => {
    child.kill();
    return ended;
  };
  return { url, http: url.replace("ws", "http"), stop, child };
};

/** The live suite for clients: its URL, the number of its cases, and a promise of its exit status. */
export const startSuite = async (words, { program = process.env.SCENESYNC, onOutput } = {}) => {
  const { ended, output } = await start(program, ["conformance", "--serve", ...words], onOutput);
  const [, url, count] = output().match(/listening on (\S+), (\d+) cases/);
  return { url, count: Number(count), ended, output };
};
