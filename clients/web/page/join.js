// What takes longest comes first: while the browser still fetches everything else, the socket opens, says hello, and gets
// the scene. No module, as those wait until all that they need is there; `main.js` takes up what is left here.
{
  // Behind a proxy the server may have a path of its own: whatever stands before the room.
  const path = location.pathname, at = path.lastIndexOf("/");
  const room = decodeURIComponent(path.slice(at + 1)) || "demo", url = location.origin.replace(/^http/, "ws") + path.slice(0, at);
  let early = new WebSocket(`${url}/${room}`, ["scenesync.v1.bin"]);

  // `scenesync open` prints the address with it.
  const query = new URLSearchParams(location.search), isPreview = query.has("preview");
  // Whether own changes are shown before the server answers: auto, on or off.
  if (["auto", "on", "off"].includes(query.get("predict"))) localStorage.setItem("scenesync-predict", query.get("predict"));
  // One origin may have several servers, each with tokens of its own.
  const key = `scenesync-token ${path.slice(1, at + 1)}${room}`;
  const fragment = new URLSearchParams(location.hash.slice(1)), given = fragment.get("token") ?? query.get("token");
  if (given !== null) {
    sessionStorage.setItem(key, given);
    fragment.delete("token");
    history.replaceState(null, "", location.pathname + (isPreview ? "?preview" : "") + (fragment.size ? `#${fragment}` : ""));
  }
  const token = given ?? sessionStorage.getItem(key) ?? "";

  // The hello that the client will say (SPEC section 6.16): what the page is capable of, its token, no room but that of the
  // address, the editor's role, nothing to resume, the room's units, all views, and the server's rate.
  const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
  const letters = new TextEncoder().encode(token);
  const hello = Uint8Array.of(1, ...varint(58231), ...varint(letters.length), ...letters, 0, 1, 0, ...Array(8).fill(0), 0, 0);
  const heard = [];
  early.binaryType = "arraybuffer";
  early.onopen = () => early.send(hello);
  early.onmessage = (event) => heard.push(event);

  /** Makes sockets as `WebSocket` does; the first one is the one that was opened early. */
  function EarlyWebSocket(address, protocols) {
    const socket = early;
    early = undefined;
    if (!(socket?.readyState < WebSocket.CLOSING)) return new WebSocket(address, protocols);
    if (socket.readyState === WebSocket.CONNECTING) return socket;
    // Its first message was said already, and what was heard since waits for a listener.
    socket.send = (bytes) => {
      delete socket.send;
      if (bytes.length !== hello.length || bytes.some((byte, index) => byte !== hello[index])) return socket.close();
      queueMicrotask(() => { for (const event of heard) socket.onmessage?.(event); });
    };
    return socket;
  }

  /** The room of the address, and the token that a link carries: taken out of the address, kept for reloads of this tab. */
  globalThis.joining = { room, url, token, WebSocket: EarlyWebSocket, isPreview };
}
