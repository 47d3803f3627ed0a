import { isName } from "../../model/ids.ts";
import { adviseName } from "../../model/suggestions.ts";
import { showValue, withArticle } from "../../model/value-type.ts";
import type { ChannelDeclaration } from "../../model/workflow.ts";
import { type Channel, describeChannel, REDUCER_NAMES, schemaProblem, typesOfReducer } from "../channels.ts";
import { memberPath } from "../compile-value.ts";
import type { ProblemList } from "./problem-list.ts";
import { holdsReference, walkTexts } from "./read-texts.ts";
import type { Checked } from "./rule.ts";

/** Reports channels that cannot be, writes to channels that are not declared, changes that do not fit, and references to inputs made from channels. */
export function checkChannels(checked: Checked): void {
  const { workflow, problems, reducers } = checked;
  const declared = workflow.channels ?? {};
  const names = Object.keys(declared);
  const sound = new Set(names.filter((name) => checkChannel(name, declared[name]!, checked)));
  const channels = new Map(names.map((name) => [name, describeChannel(name, declared[name]!, reducers)]));
  for (const [i, { id, writes }] of workflow.blocks.entries()) {
    for (const [name, change] of Object.entries(writes ?? {})) {
      if (problems.isFull) return;
      const path = memberPath(`blocks[${i}].writes`, name);
      if (!channels.has(name)) {
        const { sentence, details } = adviseName(name, names);
        const message = `Block "${id}" writes to the channel "${name}", which is not declared.${sentence} Declare it under channels.`;
        problems.error("CHANNEL_UNKNOWN", path, message, { isKey: true, ...details });
      } else if (sound.has(name) && !holdsReference(change)) checkChange(id, channels.get(name)!, { change, path, problems });
    }
  }
  checkInputReferences(checked);
}

/** Gives whether what is declared can be used to check changes. */
function checkChannel(name: string, declared: ChannelDeclaration, { problems, reducers }: Checked): boolean {
  const { type, schema, reduce = "replace", default: initial } = declared;
  const path = memberPath("channels", name);
  const report = (key: string, message: string, more = {}): false => {
    problems.error("CHANNEL_INVALID", `${path}${key}`, message, more);
    return false;
  };
  if (!isName(name)) {
    const message = `${showValue(name)} is not a valid name of a channel. Use 1 to 128 letters (a to z), digits, "_" or "-".`;
    problems.error("ID_INVALID", path, message, { isKey: true });
  }
  if (reducers && !REDUCER_NAMES.includes(reduce) && !reducers.has(reduce)) {
    const { sentence, details } = adviseName(reduce, [...REDUCER_NAMES, ...reducers.keys()]);
    return report(
      ".reduce",
      `There is no reducer "${reduce}" for channel "${name}".${sentence} Give it to the executor in reducers.`,
      details,
    );
  }
  const types = typesOfReducer(reduce);
  if (type !== undefined && types && !types.includes(type)) {
    return report(
      ".type",
      `Channel "${name}" is reduced by ${reduce}, so it must be ${types.map(withArticle).join(" or ")}, not ${withArticle(type)}.`,
    );
  }
  const problem = schema && schemaProblem(schema);
  if (problem !== undefined) return report(".schema", `Channel "${name}" has a schema that cannot be used: ${problem}`);
  if (initial === undefined) return true;
  const reason = describeChannel(name, declared).refuseWhole(initial);
  if (reason !== undefined) return report(".default", `The default of channel "${name}" ${reason}`);
  walkTexts(initial, `${path}.default`, { problems, visit: () => undefined });
  return true;
}

interface Change {
  readonly change: unknown;
  readonly path: string;
  readonly problems: ProblemList;
}

function checkChange(block: string, channel: Channel, { change, path, problems }: Change): void {
  const reason = channel.refuse(change);
  if (reason !== undefined) problems.error("CHANNEL_INVALID", path, `What block "${block}" writes to channel "${channel.name}" ${reason}`);
}

/** What a block was given is resolved again where another one refers to it: by then a channel may hold something else. */
function checkInputReferences({ workflow, texts, problems }: Checked): void {
  if (workflow.channels === undefined) return;
  const readers = new Map<string, Set<string>>();
  for (const { block, section, keys, references } of texts) {
    if (section !== "inputs" || !references.some(({ path: [root] }) => root === "channels")) continue;
    const { id } = workflow.blocks[block!]!;
    readers.set(id, (readers.get(id) ?? new Set()).add(String(keys[0])));
  }
  for (const { path: at, block, references } of texts) {
    for (const { path, column } of references) {
      const [root, id, part, input] = path;
      if (root !== "blocks" || part !== "inputs" || !readers.get(String(id))?.has(String(input))) continue;
      if (block !== undefined && workflow.blocks[block]!.id === id) continue;
      const message = `The input "${String(input)}" of block "${String(id)}" is made from a channel, which may hold something else by now. Refer to the channel, or to an output of the block.`;
      problems.error("REFERENCE_UNKNOWN", at, message, { column });
    }
  }
}
