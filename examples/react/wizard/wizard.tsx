import type { Run } from "wavepoint";
import { define } from "wavepoint/elements";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "wavepoint-run": { run: Run };
    }
  }
}

define();

/** React 19 gives custom elements their properties. */
export const Wizard = ({ run }: { readonly run: Run }) => <wavepoint-run run={run} />;
