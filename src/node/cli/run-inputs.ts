import { isRecord } from "../../core/model/value.ts";
import { WorkflowError, type InputDeclaration, type Value, type Values, type Workflow } from "../../index.ts";
import { readDataFile } from "./workflow-file.ts";

/**
 * Returns the inputs of a run from `--inputs FILE` and `--input k=v`, which wins. Reads a value on the command line by the type that the workflow declares: a
 * number, `true` or `false`, a list or an object as JSON, a text as it is. Throws `COMMAND_INVALID`; the engine checks the values.
 */
export function readInputs(
  workflow: Pick<Workflow, "inputs">,
  given: { readonly file: string | undefined; readonly pairs: readonly string[] },
): Values {
  const inputs = new Map<string, Value>(given.file === undefined ? [] : Object.entries(readInputFile(given.file)));
  for (const pair of given.pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw new WorkflowError("COMMAND_INVALID", `"${pair}" is no input. Write --input name=value.`);
    const name = pair.slice(0, at);
    const declared = workflow.inputs && Object.hasOwn(workflow.inputs, name) ? workflow.inputs[name] : undefined;
    inputs.set(name, readValue(name, pair.slice(at + 1), declared));
  }
  return Object.fromEntries(inputs);
}

function readInputFile(path: string): Values {
  const inputs = readDataFile(path);
  if (isRecord(inputs)) return inputs as Values;
  throw new WorkflowError("COMMAND_INVALID", "A file with inputs holds one object of names and values.", { place: { source: path } });
}

function readValue(name: string, text: string, declared: InputDeclaration | undefined): Value {
  switch (declared?.type) {
    case "integer":
    case "number":
      return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "array":
    case "object":
      return readJson(name, text, declared.type);
    default:
      return text;
  }
}

function readJson(name: string, text: string, type: "array" | "object"): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    const example = type === "array" ? `'${name}=["a", "b"]'` : `'${name}={"a": 1}'`;
    throw new WorkflowError("COMMAND_INVALID", `The input "${name}" is an ${type} and wants JSON: --input ${example}.`, { cause: error });
  }
}
