import { choicesOf, otherOf } from "../../core/model/choices.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import { kindOf, type RareKind } from "./field-kind.ts";
import type * as Controls from "./rare/controls.ts";

/** A list of choices that is longer is searched. */
const MAX_MENU = 15;
/** A long text that may have as many characters shows how many it has. */
const MAX_COUNTED = 1_000;

/** The kind of a field whose control is rare. */
export function rareKindOf(schema: ShownSchema, isRequired: boolean): RareKind | undefined {
  const { format } = schema;
  switch (kindOf(schema, isRequired)) {
    case "list":
      return kindOf(schema.items!, true) === "file" ? "files" : "list";
    case "group":
      return format === "matrix" && Object.values(schema.properties!).every((row) => choicesOf(row).length > 0) ? format : undefined;
    case "choices":
      return format === "ranking" ? format : (otherOf(schema.items!) ?? schema.exclusive) && "other";
    case "number":
      return format === "rating" && schema.minimum !== undefined && schema.maximum !== undefined ? format : undefined;
    case "choice":
      return choicesOf(schema).length > MAX_MENU ? "search" : otherOf(schema) && "other";
    case "text":
      return format === "multiline" && schema.maxLength! <= MAX_COUNTED ? format : undefined;
    case "file":
      return schema.capture === "signature" ? "signature" : "file";
    default:
      return undefined;
  }
}

/** Whether a control of another kind does where a rare one cannot be loaded: a menu, a long text. */
export function hasPlainKind(kind: RareKind): boolean {
  return kind === "search" || kind === "multiline";
}

/** Whether a form wants a rare control. `isLost`: some kinds may do without. */
export function wantsRare(schema: ShownSchema, isLost = false): boolean {
  const { properties = {}, items } = schema;
  const kind = rareKindOf(schema, true);
  if (kind && !(isLost && hasPlainKind(kind))) return true;
  return [...Object.values(properties), ...(items ? [items] : [])].some((part) => wantsRare(part, isLost));
}

let controls: typeof Controls | undefined;

/** The controls of rare kinds, once they are loaded. */
export function rareControls(): typeof Controls | undefined {
  return controls;
}

export async function loadRareControls(): Promise<void> {
  controls ??= await import("./rare/controls.ts");
}
