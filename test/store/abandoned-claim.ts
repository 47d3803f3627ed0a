import { openStore } from "wavepoint/store/open";

// A process that takes a run of the store at an address, and dies before it can release it.
const [address, run] = process.argv.slice(2) as [string, string];
const release = await (await openStore(address)).claim(run);
process.stdout.write(release ? "taken" : "refused", () => process.kill(process.pid, "SIGKILL"));
