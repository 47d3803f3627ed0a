import { useState } from "react";
import { createExecutor } from "wavepoint";
import { define } from "wavepoint/elements";
import { useWizard } from "wavepoint/react";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./visit.yaml?raw";

define();
const visit = loadWorkflow(yaml);
const executor = createExecutor({ store: indexedDbStore({ name: "visits" }), workflows: [visit] });

/** The run of this number goes on after a reload, too. */
export function Wizard() {
  const [number, setNumber] = useState(() => Number(localStorage.getItem("visit") ?? 1));
  const { isLoading, error, run, view } = useWizard(executor, visit, { id: `visit-${number}` });
  if (isLoading) return <p>One moment…</p>;
  if (error) return <p role="alert">{error.message}</p>;
  const startAgain = () => {
    localStorage.setItem("visit", String(number + 1));
    setNumber(number + 1);
  };
  return (
    <>
      <wavepoint-run run={run} />
      {view.status === "completed" && <button onClick={startAgain}>Another visit</button>}
    </>
  );
}
