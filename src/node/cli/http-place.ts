import { WorkflowError } from "../../index.ts";
import type { Call, CommandOption } from "./command.ts";
import { plainLine } from "./plain-text.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];
const MAX_PORT = 65_535;

/** Where a server listens, and which machines reach it there. */
export interface HttpPlace {
  readonly address: string;
  /** 0: any that is free. */
  readonly port: number;
  /** What clients have to give. Without one only this machine reaches the server, and under no other name. */
  readonly token: string | undefined;
  /** The names under which it is reached. */
  readonly hosts: readonly string[];
}

/** The options of a place; `when` is the condition that their help begins with. */
export function placeOptions(tokenVariable: string, when = ""): readonly CommandOption[] {
  const token = `Needs a token in ${tokenVariable}, which clients then give.`;
  return [
    { name: "listen", value: "ADDRESS", about: `${when}Listen at this address in the place of 127.0.0.1. ${token}` },
    {
      name: "host",
      value: "NAME",
      several: true,
      about: `${when}A name under which clients and pages reach it, beside those of this machine. May be given several times. ${token}`,
    },
  ];
}

/** Returns the place that a call names. Throws `COMMAND_INVALID` if others could reach the server without a token. */
export function readPlace(call: Call, port: number, tokenVariable: string): HttpPlace {
  const address = call.value("listen") ?? "127.0.0.1";
  const names = call.values("host");
  const token = process.env[tokenVariable] || undefined;
  // A server on loopback with another host name is behind a proxy, which passes on requests of other machines.
  const reachable = [address, ...names].filter((name) => !LOOPBACK.includes(name));
  if (reachable.length > 0 && token === undefined) {
    const message = `Others can reach ${plainLine(reachable.join(", "))}. Set ${tokenVariable} to a long random text, and give it to your clients.`;
    throw new WorkflowError("COMMAND_INVALID", message);
  }
  return { address, port, token, hosts: ["localhost", "127.0.0.1", "[::1]", ...names] };
}

/** The port that an option gives, if it does. Throws `COMMAND_INVALID`. */
export function readPort(call: Call, option: string): number | undefined {
  const given = call.value(option);
  if (given === undefined) return undefined;
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= MAX_PORT) return port;
  throw new WorkflowError("COMMAND_INVALID", `--${option} ${plainLine(given)} is no port. Give 0 to ${MAX_PORT}.`);
}
