// Drives a client as `scenesync conformance --serve` wants it (see its help).

/** All that this client has. */
export const CAPABILITIES = 1023;

/** Goes through one case, from its first connection to its last. */
export const goThrough = (SceneClient, options) =>
  new Promise((resolve) => {
    const client = new SceneClient({ role: "editor", capabilities: CAPABILITIES, ...options });
    const ignore = () => undefined;
    let last = "";
    client.onclose = ({ willRetry }) => { if (!willRetry) resolve(); };
    client.onupdate = (mirror) => {
      const text = mirror.view("do")?.content.lines.map((line) => line.text).join("") ?? "";
      if (text === "" || text === last) return;
      last = text;
      const command = JSON.parse(text);
      if (Array.isArray(command)) client.send(command).catch(ignore);
      else if (command === "undo" || command === "redo") client[command]().catch(ignore);
      else if (command.device) client.changeDevice(command.device);
      else if (command.children) {
        const { children } = mirror.view(command.children), selection = children.map((number) => mirror.views.get(number).id);
        client.sendMessage({ type: "presence", client: 0, clock: 0, gone: false, name: "", selection });
      } else {
        const name = mirror.shownFrame(mirror.numbers.get(command.shown), command.tick).join(" ");
        client.sendMessage({ type: "presence", client: 0, clock: 0, gone: false, name, selection: [] });
      }
    };
  });
