import { WorkflowError } from "../model/errors.ts";
import type { Scope } from "../expression/scope.ts";

/** The secrets of a run, as expressions see them. */
interface VisibleSecrets {
  readonly named: ReadonlyMap<string, string>;
  readonly inputs: ReadonlyMap<string, string>;
  maskValue<T>(value: T): T;
}

/**
 * What expressions see of a run that has secrets: `secrets.NAME` and the secret inputs give their values, and what other blocks were given is seen
 * with the secrets in it masked. Where a secret may stand is checked when the workflow is loaded.
 */
export function secretScope(base: Scope, secrets: VisibleSecrets): Scope {
  return {
    lookup(path) {
      const [root, name] = path;
      const values = root === "secrets" ? secrets.named : root === "inputs" ? secrets.inputs : undefined;
      const value = values?.get(String(name));
      if (value === undefined) {
        const seen = base.lookup(path);
        return root === "blocks" && path[2] === "inputs" ? secrets.maskValue(seen) : seen;
      }
      if (path.length === 2) return value;
      throw new WorkflowError("REFERENCE_UNKNOWN", `\${${root}.${name}} is a secret, a text, and has no members.`);
    },
  };
}
