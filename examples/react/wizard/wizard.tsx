import type { Run } from "wavepoint";
import { define } from "wavepoint/elements";

define();

/** React 19 gives custom elements their properties. */
export function Wizard({ run }: { readonly run: Run }) {
  return (
    <>
      <wavepoint-run run={run} />
      <p id="run">{run.id}</p>
    </>
  );
}
