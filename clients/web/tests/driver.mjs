// Drives a client as `scenesync conformance --serve` wants it (see its help).

/** All that this client has. */
export const CAPABILITIES = 2047;

/** Goes through one case, from its first connection to its last. */
export const goThrough = (SceneClient, options) =>
  new Promise((resolve) => {
    const client = new SceneClient({ role: "editor", capabilities: CAPABILITIES, ...options });
    const ignore = () => undefined;
    let last = "", told = [];
    /** Events without an answer. */
    const waiting = [];
    client.onevent = (event) => {
      told.push(`event ${event.sequence} ${event.kind} ${event.view}`);
      waiting.push(event);
    };
    const presence = (fields) => client.sendMessage({ type: "presence", client: 0, clock: 0, gone: false, name: "", selection: [], ...fields });
    client.onclose = ({ willRetry }) => { if (!willRetry) resolve(); };
    client.onupdate = (mirror) => {
      const text = mirror.view("do")?.content.lines.map((line) => line.text).join("") ?? "";
      if (text === "" || text === last) return;
      last = text;
      const command = JSON.parse(text);
      if (Array.isArray(command)) client.send(command).catch(ignore);
      else if (command === "undo" || command === "redo") client[command]().catch(ignore);
      else if (command.device) client.changeDevice(command.device);
      else if (command === "told") {
        // What came of an event is told to those who wait for it after this.
        queueMicrotask(() => {
          presence({ selection: told });
          told = [];
        });
      } else if (command.event) {
        client.sendEvent(command.event).then(({ eventSequence, outcome }) => told.push(`result ${eventSequence} ${outcome}`));
      } else if (command.handle) client.handle(command.handle);
      else if ("answer" in command) {
        const event = waiting.shift();
        if (event) client.answer(event, command.answer);
      } else if (command.children) {
        const { children } = mirror.view(command.children);
        presence({ selection: children.map((number) => mirror.views.get(number).id) });
      } else presence({ name: mirror.shownFrame(mirror.numbers.get(command.shown), command.tick).join(" ") });
    };
  });
