import { useState } from "react";
import type { Run } from "wavepoint";
import { define } from "wavepoint/elements";

define();

/** React 19 gives custom elements their properties. Back goes on in another run, which the page keeps. */
export function Wizard({ first }: { readonly first: Run }) {
  const [run, setRun] = useState(first);
  return (
    <>
      <wavepoint-run run={run} onwavepoint-run-changed={({ detail }) => setRun(detail.run)} />
      <p id="run">{run.id}</p>
    </>
  );
}
