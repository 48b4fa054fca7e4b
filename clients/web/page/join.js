// What takes longest comes first: this small module opens the socket while the browser still fetches everything else.

/** The room of the address, and the token that a link carries: taken out of the address, kept for reloads of this tab. */
export const address = { room: decodeURIComponent(location.pathname.slice(1)) || "demo", url: location.origin.replace(/^http/, "ws") };

let early = new WebSocket(`${address.url}/${address.room}`, ["scenesync.v1.bin"]);

const key = `scenesync-token ${address.room}`;
const given = new URLSearchParams(location.hash.slice(1)).get("token") ?? new URLSearchParams(location.search).get("token");
if (given !== null) {
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", location.pathname);
}
address.token = given ?? sessionStorage.getItem(key) ?? "";

/** Makes sockets as `WebSocket` does; the first one is the one that was opened early. Nothing comes before a hello, so nothing is missed. */
export function EarlyWebSocket(url, protocols) {
  const socket = early?.readyState < WebSocket.CLOSING ? early : new WebSocket(url, protocols);
  early = undefined;
  return socket;
}
