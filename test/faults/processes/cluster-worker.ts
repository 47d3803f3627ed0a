import { createExecutor } from "wavepoint";
import { openCluster } from "wavepoint/cluster/dbos";
import { clusterBlocks, CLUSTER_WORKFLOWS } from "../../support/cluster-runs.ts";

// A worker of a cluster, until it is stopped, or killed.
const [address, ledger, leaseMs] = process.argv.slice(2) as [string, string, string];
const onWarning = (message: string): void => void process.stderr.write(`${process.pid}: ${message}\n`);
const store = await openCluster(address, { leaseMs: Number(leaseMs), pollMs: 50, graceMs: 2_000, concurrency: 16, onWarning });
const executor = createExecutor({ store, workflows: CLUSTER_WORKFLOWS, blocks: clusterBlocks(ledger, String(process.pid)) });
const ending = new AbortController();
process.on("SIGTERM", () => ending.abort());
process.stdout.write("ready\n");
await executor.recover({ watch: true, signal: ending.signal }).catch((error: unknown) => {
  if (!ending.signal.aborted) throw error;
});
await executor.close();
await store.close();
