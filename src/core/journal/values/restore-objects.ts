import { WorkflowError } from "../../model/errors.ts";
import { MAX_VALUE_BYTES } from "../../model/limits.ts";
import type { ValueRules } from "../../ports/serializer.ts";
import { BYTE_KINDS, SerializedObject, StoredBytes } from "./stored-value.ts";

export interface RestoreOptions {
  readonly rules: ValueRules;
  /** The bytes of the value's blobs. */
  readonly blobs: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Puts bytes and objects of one's own in the places where they belong, in the value itself, which is not shared yet. Its depth and size
 * must have been checked.
 */
export function restoreObjects(value: unknown, { rules, blobs }: RestoreOptions): unknown {
  /** What was made out of each object, so that shared ones stay shared. */
  const made = new Map<object, unknown>();
  /** Blobs whose bytes are in the value already: the next one gets bytes of its own. */
  const taken = new Set<Uint8Array>();
  let bytesLeft = MAX_VALUE_BYTES;

  function restore(given: unknown): unknown {
    if (typeof given !== "object" || given === null) return given;
    if (made.has(given)) return made.get(given);
    const result = build(given);
    made.set(given, result);
    // What a serializer made may hold anything, circles too: it is not looked into.
    if (typeof result === "object" && result !== null) made.set(result, result);
    return result;
  }

  function build(given: object): unknown {
    if (given instanceof StoredBytes) return bytesOf(given);
    if (given instanceof SerializedObject) return deserialize(given.serializer, restore(given.data), rules);
    if (given instanceof Map) {
      const entries = [...given].map(([key, item]) => [restore(key), restore(item)] as const);
      given.clear();
      for (const [key, item] of entries) given.set(key, item);
    } else if (given instanceof Set) {
      const items = [...given].map(restore);
      given.clear();
      for (const item of items) given.add(item);
    } else if (!ArrayBuffer.isView(given) && !(given instanceof ArrayBuffer) && !(given instanceof Date)) {
      const members = given as { [key: string]: unknown };
      for (const key of Object.keys(members)) members[key] = restore(members[key]);
    }
    return given;
  }

  function bytesOf({ kind, blob }: StoredBytes): unknown {
    const content = blobs[blob];
    const Kind = BYTE_KINDS.get(kind);
    if (!content || (!Kind && kind !== "ArrayBuffer")) throw new TypeError("Bytes that are never written.");
    if ((bytesLeft -= content.length) < 0) throw new TypeError("A stored value holds more bytes than any that is written.");
    const { buffer } = taken.has(content) || content.byteLength < content.buffer.byteLength ? content.slice() : content;
    taken.add(content);
    return Kind ? new Kind(buffer) : buffer;
  }

  return restore(value);
}

function deserialize(name: string, data: unknown, { serializers }: ValueRules): unknown {
  const serializer = serializers.get(name);
  if (serializer) return serializer.deserialize(data);
  throw new WorkflowError(
    "SERIALIZER_MISSING",
    `A value of the run was stored by serializer "${name}", which this executor does not have. Give it to createExecutor in \`serializers\`; the run was left as it is.`,
    { details: { serializer: name } },
  );
}
