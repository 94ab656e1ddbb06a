import { parentPort } from "node:worker_threads";
import { conform } from "./conformance.mjs";

parentPort.once("message", (script) => parentPort.postMessage(conform(script)));
