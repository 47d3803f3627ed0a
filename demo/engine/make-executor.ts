import { createExecutor, type Executor, type RunEvent, type SecretsProvider, type Store, type Workflow } from "wavepoint";
import { pageGrants } from "../grants.ts";
import { demoBlockTypes } from "./block-types.ts";
import { openEffects } from "./effects.ts";
import type { Faults } from "./faults.ts";
import { grantsWithFaults } from "./grants-with-faults.ts";
import { storeWithFaults } from "./store-with-faults.ts";

export interface DemoExecutorOptions {
  readonly store: Store;
  readonly workflows: readonly Workflow[];
  /** Whether runs may have agents, whose code is loaded then. */
  readonly agents: boolean;
  readonly secrets: SecretsProvider;
  /** Asked at each call, so that faults come and go while runs execute. */
  faults(): Faults;
  onEvent(event: RunEvent): void;
}

/** The executor of the demo, wherever it runs: with the block types of the demo, and with the faults that are switched on. */
export async function makeDemoExecutor({ store, workflows, agents, secrets, faults, onEvent }: DemoExecutorOptions): Promise<Executor> {
  const effects = openEffects();
  const equipment = agents ? (await import("../agent/equipment.ts")).agentEquipment(effects) : undefined;
  return createExecutor({
    store: storeWithFaults(store, faults),
    workflows,
    blocks: [...demoBlockTypes(effects), ...(equipment?.blocks ?? [])],
    grants: { ...grantsWithFaults(pageGrants(), faults), ...equipment?.grants },
    secrets,
    onEvent,
  });
}
