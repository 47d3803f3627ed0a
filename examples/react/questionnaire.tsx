import { useState, type ReactNode } from "react";
import type { Run } from "wavepoint";
import { useRun } from "wavepoint/react";
import { startRun } from "../questionnaire/open-run.ts";
import { Question } from "./question.tsx";

/** A run from its first question to its end. */
export function Questionnaire({ first }: { readonly first: Run }): ReactNode {
  const [run, setRun] = useState(first);
  const { status, pauses, outputs, error } = useRun(run);
  if (pauses.length > 0) return <Question run={run} onBack={() => run.back()} />;
  return (
    <main>
      <h1>{status === "completed" ? "It is booked." : status === "running" ? "One moment…" : "That did not work."}</h1>
      <p role="status">{error?.message ?? String(outputs?.letter ?? "")}</p>
      {status !== "running" && (
        <footer>
          <button onClick={async () => setRun(await startRun())}>Once more</button>
        </footer>
      )}
    </main>
  );
}
