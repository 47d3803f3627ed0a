import * as z from "zod/mini";
import { WorkflowError } from "../core/model/errors.ts";
import { DEFINITIONS } from "./operations/definitions.ts";
import { OPERATIONS, type OperationName } from "./protocol/operations.ts";
import { decodeWire } from "./protocol/wire-values.ts";

/** Problems of an input that are named. */
const MAX_PROBLEMS = 20;

/** Reads and checks the input of an operation. Throws `REQUEST_INVALID`, `LIMIT_EXCEEDED`, `VALUE_UNSERIALIZABLE`. */
export async function readInput(
  request: Request,
  operation: OperationName,
  { parameters, maxBytes }: { readonly parameters: { readonly [name: string]: string }; readonly maxBytes: number },
): Promise<object> {
  const given =
    OPERATIONS[operation].verb === "GET" ? readQuery(new URL(request.url).searchParams, operation) : await readBody(request, maxBytes);
  const parsed = z.safeParse(DEFINITIONS[operation].input, { ...given, ...parameters });
  if (parsed.success) return parsed.data as object;
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const keys = issue.code === "unrecognized_keys" ? `, which are unknown: ${issue.keys.join(", ")}` : "";
    return { path: issue.path.join("."), problem: `${issue.code}${keys}`.slice(0, 200) };
  });
  const [first] = problems;
  const where = first?.path ? `"${first.path}"` : "The input";
  throw new WorkflowError("REQUEST_INVALID", `${where} does not fit: ${first?.problem}. openapi.json says what ${operation} takes.`, {
    details: { operation, problems },
  });
}

/** What of JSON Schema says how a text of an address is read. */
interface MemberSchema {
  readonly type?: string;
}

function readQuery(query: URLSearchParams, operation: OperationName): object {
  const { properties = {} } = z.toJSONSchema(DEFINITIONS[operation].input, { io: "input", unrepresentable: "any" }) as {
    readonly properties?: { readonly [name: string]: MemberSchema };
  };
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const type = Object.hasOwn(properties, name) ? properties[name]!.type : undefined;
      return [name, type === "array" ? query.getAll(name) : readText(query.get(name)!, type)];
    }),
  );
}

function readText(text: string, type: string | undefined): unknown {
  if (type === "integer" || type === "number") return text.trim() === "" ? text : Number(text);
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  return type === "object" ? decodeWire(readJson(text)) : text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WorkflowError("REQUEST_INVALID", "What was sent is no JSON.", { cause });
  }
}

async function readBody(request: Request, maxBytes: number): Promise<object> {
  const text = await readUtf8(request, maxBytes);
  if (text === "") return {};
  // Pages elsewhere can send other types without asking first.
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw new WorkflowError("REQUEST_INVALID", "Send the input as application/json.");
  }
  const body = decodeWire(readJson(text));
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new WorkflowError("REQUEST_INVALID", "The input is an object of named members.");
}

/** The body as UTF-8. No header is believed about its length. */
async function readUtf8(request: Request, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = request.body?.getReader();
  if (!reader) return "";
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    length += value?.byteLength ?? 0;
    if (length > maxBytes) {
      // The rest is not read: whether it comes makes no difference.
      reader.cancel().catch(() => {});
      throw new WorkflowError("LIMIT_EXCEEDED", `The body of a request may have ${maxBytes} bytes.`, { details: { limit: maxBytes } });
    }
    try {
      text += decoder.decode(value, { stream: !done });
    } catch (cause) {
      throw new WorkflowError("REQUEST_INVALID", "What was sent is no UTF-8.", { cause });
    }
    if (done) return text;
  }
}
