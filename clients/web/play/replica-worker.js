// The page's predictor: keeps a replica of the scene, on which the page tries its own changes before the server answers.
import { load, Scene } from "./autolayout.js";
import { serveReplica } from "./replica.js";

serveReplica(globalThis, { Scene, load });
