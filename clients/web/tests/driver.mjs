// Drives a client as `scenesync conformance --serve` wants it (see its help).

/** All that this client has. */
export const CAPABILITIES = 2047;

/** Does what a command says to the client of a case, and gives the answer; throws where it does not know the command. */
const obey = (command, { client, told, waiting, members, inspection, presence }) => {
  const ignore = () => undefined;
  // What was not granted is not sent.
  const send = (message) => {
    if (client.grants(message.type)) client.sendMessage(message);
    return null;
  };
  if (Array.isArray(command)) client.send(command).catch(ignore);
  else if (command === "undo" || command === "redo") client[command]().catch(ignore);
  else if (command === "members") return [...members].sort(([a], [b]) => a - b);
  else if (command === "inspection") return inspection();
  else if (command === "told") {
    // What came of an event is told to those who wait for it after this.
    queueMicrotask(() => presence({ selection: told.splice(0) }));
  } else if (command.ops) client.send(command.ops, command).catch(ignore);
  else if (command.seek) return send({ type: "seek", ...command.seek });
  else if (command.subscribe) return send({ type: "subscribe", ...command.subscribe });
  else if (command.inspect) return send({ type: "inspect", ...command.inspect });
  else if (command.presence) presence(command.presence);
  else if (command.device) client.changeDevice(command.device);
  else if (command.event) {
    client.sendEvent(command.event).then(({ eventSequence, outcome }) => told.push(`result ${eventSequence} ${outcome}`));
  } else if (command.handle) client.handle(command.handle);
  else if ("answer" in command) {
    const event = waiting.shift();
    if (event) client.answer(event, command.answer);
  } else if (command.children) {
    const { children } = client.mirror.view(command.children);
    presence({ selection: children.map((number) => client.mirror.views.get(number).id) });
  } else if (command.shown) {
    presence({ name: client.mirror.shownFrame(client.mirror.numbers.get(command.shown), command.tick).join(" ") });
  } else throw new Error(`an unknown command: ${JSON.stringify(command)}`);
  return null;
};

/** The case that the suite's commands are for. */
let present;

/** Takes the suite's commands over a connection of its own; resolves once that is open. */
export const takeControl = (url, WebSocket) =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${url}/control`, ["scenesync.v1.json"]);
    socket.onopen = resolve;
    socket.onmessage = ({ data }) => {
      const { id, do: command } = JSON.parse(data);
      let reply;
      try {
        reply = { answer: obey(command, present) };
      } catch {
        reply = { cannot: true };
      }
      socket.send(JSON.stringify({ id, ...reply }));
    };
  });

/** Goes through one case, from its first connection to its last. */
export const goThrough = (SceneClient, options) =>
  new Promise((resolve) => {
    const client = new SceneClient({ role: "editor", capabilities: CAPABILITIES, ...options });
    /** What the user was told of events, and events without an answer; members' names by their numbers. */
    const told = [], waiting = [], members = new Map();
    let last = "", inspection = null;
    client.onevent = (event) => {
      told.push(`event ${event.sequence} ${event.kind} ${event.view}`);
      waiting.push(event);
    };
    client.onpresence = ({ client: number, gone, name }) => {
      if (gone) members.delete(number);
      else members.set(number, name);
    };
    client.onmessage = ({ type, text }) => {
      if (type === "inspection") inspection = text;
    };
    const presence = (fields) => client.sendMessage({ type: "presence", client: 0, clock: 0, gone: false, name: "", selection: [], ...fields });
    present = { client, told, waiting, members, inspection: () => inspection, presence };
    const context = present;
    client.onclose = ({ willRetry }) => { if (!willRetry) resolve(); };
    client.onupdate = (mirror) => {
      const text = mirror.view("do")?.content.lines.map((line) => line.text).join("") ?? "";
      if (text === "" || text === last) return;
      last = text;
      obey(JSON.parse(text), context);
    };
  });
