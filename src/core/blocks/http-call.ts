import { WorkflowError } from "../model/errors.ts";
import { findHeaderProblem } from "../model/http-header.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { FORBIDDEN_KEYS, type Value, type Values, isRecord } from "../model/value.ts";
import { type BlockType, type InputProblem, failure, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { assertSound, wrongInput } from "./input-problems.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 3_600;
const WITHOUT_BODY: ReadonlySet<unknown> = new Set(["GET", "HEAD"]);
/** Methods that change nothing, so that a repetition needs no mark. */
const SAFE: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS"]);

const QUERY_VALUE: JsonSchema = {
  type: ["string", "number", "boolean", "null", "array"],
  items: { type: ["string", "number", "boolean"] },
};

/**
 * Asks a service by HTTP. Every request that may change something carries an `Idempotency-Key`, the same each time this step is tried, so
 * that a service which knows it does nothing twice.
 */
export const httpCallBlock: BlockType = defineBlock({
  type: "HttpCall",
  description: "Asks a service by HTTP, at a host that was granted.",
  effect: ({ method = "GET" }) => (SAFE.has(method) ? undefined : "repeatable"),
  needs: ["network"],
  channels: {},
  secretInputs: ["headers"],
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        url: { type: "string", minLength: 1, description: "The address: absolute, `https:` or `http:`, without user and password." },
        method: {
          type: "string",
          enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
          default: "GET",
          description: "How to ask.",
        },
        headers: {
          type: "object",
          additionalProperties: { type: ["string", "number", "null"] },
          default: {},
          description: "Names and values of headers. `null` leaves one out that would be sent otherwise.",
        },
        query: {
          type: "object",
          additionalProperties: QUERY_VALUE,
          default: {},
          description: "Added to the query of the address, encoded. A list repeats its name, `null` leaves it out.",
        },
        json: { description: "A value that is sent as JSON. Not together with `body`, nor with `GET` and `HEAD`." },
        body: { type: ["string", "null"], description: "A text that is sent as it is. Not with `GET` and `HEAD`." },
        timeout: {
          type: "number",
          minimum: 0.1,
          maximum: MAX_TIMEOUT_SECONDS,
          default: DEFAULT_TIMEOUT_SECONDS,
          description: "Seconds for the whole call, redirects and body included. Then the block fails with `BLOCK_TIMEOUT`.",
        },
        follow_redirects: {
          type: "boolean",
          default: true,
          description: "Follows up to five redirects, each to a granted host. In browsers a redirect fails the block.",
        },
        expect: {
          type: "array",
          items: { type: "integer", minimum: 100, maximum: 599 },
          minItems: 1,
          description: "The statuses that count as success; any other fails the block with `HTTP_FAILED`. Default: 200 to 299.",
        },
      },
      required: ["url"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        status: { type: "integer", description: "The status of the response." },
        headers: { type: "object", description: "Its headers; names in lower case, cookies left out." },
        body: { type: ["string", "null"], description: "Its body; `null` where it is no text." },
        json: { description: "The body, where it is JSON; else `null`." },
        success: { type: "boolean", description: "Whether the status was expected." },
      },
      required: ["status", "headers", "body", "json", "success"],
    },
  },
  checkInputs: findProblems,
  async execute({ inputs, grants, signal, idempotencyKey }) {
    assertSound(findProblems(inputs, inputs));
    const { method, expect, json = null } = inputs;
    const body = json === null ? (inputs.body ?? undefined) : JSON.stringify(json);
    const headers = headersOf(inputs.headers, {
      ...(json === null ? {} : { "content-type": "application/json" }),
      ...(SAFE.has(method) ? {} : { "idempotency-key": encodeURI(idempotencyKey) }),
    });
    const response = await grants.network!.request({
      url: withQuery(inputs.url, inputs.query),
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      followRedirects: inputs.follow_redirects,
      timeoutMs: inputs.timeout * 1_000,
      signal,
    });
    const isExpected = expect ? expect.includes(response.status) : response.status >= 200 && response.status <= 299;
    const outputs = {
      status: response.status,
      headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => name !== "set-cookie" && !FORBIDDEN_KEYS.has(name))),
      body: response.text ?? null,
      json: response.text === undefined ? null : parsed(response.text),
      success: isExpected,
    };
    if (isExpected) return success(outputs);
    const accepted = expect ? expect.join(", ") : "200 to 299";
    return failure(
      {
        code: "HTTP_FAILED",
        message: `${method} ${originOf(response.url)} was answered with status ${response.status}; ${accepted} would do. Correct the request, retry, or list the status in "expect".`,
        details: { status: response.status },
      },
      outputs,
    );
  },
});

/** What is wrong with inputs, as far as they are known. */
function findProblems(inputs: Values, written: Values): InputProblem[] {
  const problems: InputProblem[] = [];
  const report = (input: string, message: string): void => void problems.push(wrongInput(input, message));
  const { url, method = written["method"] === undefined ? "GET" : undefined, headers } = inputs;
  if (typeof url === "string" && originOf(url) === undefined) {
    report("url", 'The url is no absolute address of http or https without a user. Write it as "https://host/path".');
  }
  const sent = ["json", "body"].filter((name) => written[name] !== undefined && written[name] !== null);
  if (sent.length === 2) report("body", 'Both "json" and "body" are given. Leave one of them out.');
  else if (sent.length === 1 && WITHOUT_BODY.has(method)) {
    report(sent[0]!, `A ${String(method)} request carries no body. Give a method, POST for example, or use "query".`);
  }
  if (isRecord(headers)) {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) report("headers", `The header "${twice}" is given twice. Write it once.`);
    for (const [name, value] of Object.entries(headers)) {
      const problem = findHeaderProblem(name, String(value));
      if (problem) report("headers", problem);
    }
  }
  return problems;
}

/** The author's headers over our own; `null` leaves one out. Names in lower case, so that none goes out twice. */
function headersOf(given: Values, own: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const headers = new Map<string, Value>(Object.entries(own));
  for (const [name, value] of Object.entries(given)) headers.set(name.toLowerCase(), value);
  return Object.fromEntries([...headers].flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])));
}

function parsed(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}

/** Scheme and host of an address as it is written; what grants it reads it with the platform's own parser. */
const ABSOLUTE = /^(https?:\/\/[^\s/?#@\\]+)(?:[/?#][^\s]*)?$/i;

/** Scheme and host of an absolute address of http or https without a user; nothing for anything else. */
function originOf(url: string): string | undefined {
  return ABSOLUTE.exec(url)?.[1];
}

/** The address with more in its query. Lists repeat their name, `null` leaves it out. Throws `BLOCK_INPUT_INVALID`. */
function withQuery(url: string, query: Values): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => valuesOf(value).map((one) => `${encode(name)}=${encode(String(one))}`));
  const [address = ""] = url.split("#");
  if (pairs.length === 0) return address;
  const joint = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${joint}${pairs.join("&")}`;
}

function valuesOf(value: Value): readonly Value[] {
  if (value === null) return [];
  return Array.isArray(value) ? (value as readonly Value[]) : [value];
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (cause) {
    throw new WorkflowError("BLOCK_INPUT_INVALID", 'A text in "query" holds half a character (a lone surrogate). Correct it.', { cause });
  }
}
