import { isReference } from "../../expression/scope.ts";
import { CALLING_TYPES, type Workflow } from "../../model/workflow.ts";
import type { WrittenReference, WrittenText } from "./read-texts.ts";
import type { Checked } from "./rule.ts";

/** What may stand in a place: no secret, any, or only those of the workflow's own inputs; and what to do in another case. */
interface Allowed {
  readonly secrets: "none" | "all" | "inputs";
  readonly advice?: string;
}

const NONE: Allowed = { secrets: "none" };
const ALL: Allowed = { secrets: "all" };

/**
 * Reports secrets that stand where their value could be kept: `${secrets.NAME}` and secret inputs may only be used in inputs of blocks whose type
 * lists them. A secret input may also be passed on to a secret input of another workflow. Nor may lists show private answers, or find runs by them.
 */
export function checkSecrets(checked: Pick<Checked, "workflow" | "texts" | "blockTypes" | "findWorkflow" | "problems">): void {
  const { workflow, texts, problems } = checked;
  const secretInputs = secretInputsOf(workflow);
  const isPrivate = new Set(workflow.blocks.flatMap(({ id, inputs }) => ((inputs?.["sensitive"] ?? false) === false ? [] : [id])));
  for (const text of texts) {
    for (const reference of text.references) {
      const { path, column } = reference;
      if ((text.section === "label" || text.section === "search") && path[0] === "blocks" && isPrivate.has(path[1] as string)) {
        const message = `Lists would show the private answer of "${String(path[1])}" to everyone. Leave it out of the ${text.section}.`;
        problems.error("SECRET_MISPLACED", text.path, message, { column });
      }
      const secret = namedSecret(reference, secretInputs);
      if (secret === undefined) continue;
      const { secrets, advice = describePlaces(checked) } = reference.isNested ? NONE : allowedIn(text, checked);
      if (secrets === "all" || (secrets === "inputs" && path[0] === "inputs")) continue;
      const message = `\${${secret}} is secret and cannot stand here, where its value would be kept. ${advice}`;
      problems.error("SECRET_MISPLACED", text.path, message, { column });
    }
  }
}

/** The names of the inputs of a workflow that are secret. */
export function secretInputsOf({ inputs = {} }: Workflow): ReadonlySet<string> {
  return new Set(Object.entries(inputs).flatMap(([name, { secret }]) => (secret === true ? [name] : [])));
}

/** The secret that a reference names, or could name. */
export function namedSecret({ path: [root, name] }: WrittenReference, secretInputs: ReadonlySet<string>): string | undefined {
  if (root === "secrets") return `secrets.${String(name)}`;
  if (root !== "inputs" || secretInputs.size === 0) return undefined;
  if (isReference(name!)) return "inputs.…";
  return secretInputs.has(String(name)) ? `inputs.${String(name)}` : undefined;
}

function allowedIn(
  { block, section, keys }: WrittenText,
  { workflow, blockTypes, findWorkflow }: Pick<Checked, "workflow" | "blockTypes" | "findWorkflow">,
): Allowed {
  if (block === undefined || section !== "inputs") return NONE;
  const { type: name, inputs = {} } = workflow.blocks[block]!;
  const [input, member] = keys;
  if (CALLING_TYPES.has(name) && input === "inputs")
    return typeof member === "string" ? allowedInCall(member, inputs["workflow"], findWorkflow) : NONE;
  const type = blockTypes?.get(name);
  // Of a type that is not known, inputs are left to those who know it.
  return !type || type.secretInputs?.includes(input as string) ? ALL : NONE;
}

/** What a called workflow is given: secret inputs, where it keeps them secret too. */
function allowedInCall(name: string, called: unknown, findWorkflow: Checked["findWorkflow"]): Allowed {
  const declared = typeof called === "string" ? findWorkflow?.(called)?.inputs : undefined;
  const isOpen = declared !== undefined && Object.hasOwn(declared, name) && declared[name]!.secret !== true;
  if (!isOpen) return { secrets: "inputs" };
  return { secrets: "none", advice: `Declare the input "${name}" of workflow "${String(called)}" with secret: true.` };
}

function describePlaces({ blockTypes }: Pick<Checked, "blockTypes">): string {
  const places = [...(blockTypes?.values() ?? [])].flatMap(({ type, secretInputs = [] }) =>
    secretInputs.map((input) => `"${input}" of ${type}`),
  );
  return places.length > 0 ? `Secrets may stand in ${places.join(", ")}.` : "Secrets may stand in inputs of blocks whose type takes them.";
}
