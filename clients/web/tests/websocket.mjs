// Loaded before the examples: gives Node versions before 22 a WebSocket.
import { TestSocket } from "./socket.mjs";

globalThis.WebSocket ??= TestSocket;
