import type { Run } from "../core/run/run.ts";
import type { RunResult } from "../core/model/result.ts";
import { isWorkflowError } from "../core/model/errors.ts";
import type { Pause } from "../core/model/run.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import { isRecord, type Value } from "../core/model/value.ts";
import { findToolRegistry, type ToolRegistry, type WebTool } from "./web-mcp-registry.ts";

/** Longest name of a tool, as WebMCP says. */
const LONGEST_NAME = 128;
/** Under which member an answer stands that is no object. */
const ANSWER = "answer";

/**
 * Offers the open questions of a run to the language model of the browser: where there is WebMCP (`document.modelContext`, formerly
 * `navigator.modelContext`), each is a tool, withdrawn when it is answered; elsewhere nothing happens. What is `sensitive`, and files, are left to
 * people. Gives the function that withdraws all of them.
 */
export function offerPauses(run: Run): () => void {
  const registry = findToolRegistry();
  if (!registry) return () => {};
  const offered = new Map<string, () => void>();
  const leave = run.subscribe(({ pauses }) => {
    const open = pauses.filter(isForModels);
    for (const [id, withdraw] of offered) {
      if (open.some((pause) => pause.id === id)) continue;
      offered.delete(id);
      withdraw();
    }
    for (const pause of open) if (!offered.has(pause.id)) offered.set(pause.id, offer(registry, run, pause));
  });
  return () => {
    leave();
    for (const withdraw of offered.values()) withdraw();
    offered.clear();
  };
}

function offer(registry: ToolRegistry, run: Run, pause: Pause): () => void {
  const isObject = pause.schema.type === "object";
  const name = nameOf(registry, pause);
  const tool: WebTool = {
    name,
    ...(pause.title === undefined ? {} : { title: pause.title }),
    description: [pause.title, pause.prompt].filter((text) => text).join("\n") || `The answer that ${pause.path.join(" / ")} waits for.`,
    inputSchema: isObject ? pause.schema : { type: "object", properties: { [ANSWER]: pause.schema }, required: [ANSWER] },
    async execute(input) {
      const response = isObject ? input : isRecord(input) && Object.hasOwn(input, ANSWER) ? input[ANSWER] : undefined;
      try {
        return describe(registry, await run.answer(pause.id, response as Value));
      } catch (error) {
        if (isWorkflowError(error)) return `${error.code}: ${error.message}`;
        throw error;
      }
    },
  };
  registry.names.set(pause.id, name);
  const withdraw = registry.register(tool);
  return () => {
    registry.names.delete(pause.id);
    withdraw();
  };
}

function isForModels({ sensitive, schema }: Pause): boolean {
  return !sensitive && !holdsFile(schema);
}

function holdsFile({ format, properties = {}, items }: JsonSchema): boolean {
  return format === "file" || Object.values(properties).some(holdsFile) || (items !== undefined && holdsFile(items));
}

/** The way to the block that asks, which of its questions it is, and a number more where another run's question has that name. */
function nameOf({ names }: ToolRegistry, { path, id }: Pause): string {
  const known = names.get(id);
  if (known !== undefined) return known;
  const taken = new Set(names.values());
  const question = `-${id.slice(id.lastIndexOf(".") + 1)}`;
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? question : `${question}-${count}`;
    const name = `answer-${path.join(".")}`.replaceAll(/[^\w.-]+/g, "-").slice(0, LONGEST_NAME - end.length) + end;
    if (!taken.has(name)) return name;
  }
}

/** What came of an answer, for a model that wants to know how it goes on. */
function describe(registry: ToolRegistry, result: RunResult): string {
  if (result.status === "success") return `Done. The workflow has ended with ${JSON.stringify(result.outputs, tellable)}.`;
  if (result.status === "failure") return `${result.error.code}: ${result.error.message}`;
  const open = result.pauses.filter(isForModels).map((pause) => `${nameOf(registry, pause)}: ${pause.title ?? pause.prompt}`);
  return open.length > 0 ? `Taken. Now open:\n${open.join("\n")}` : "Taken. The next question is for a person.";
}

/** What a model gets for values that JSON cannot hold; of a file, how large it is. */
function tellable(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof Map) return Object.fromEntries(value);
  return value instanceof Set ? [...value] : typeof value === "bigint" ? String(value) : value;
}
