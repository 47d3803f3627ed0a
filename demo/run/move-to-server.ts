import { transferRun, type Executor, type Run } from "wavepoint";
import { remoteExecutor } from "wavepoint/remote";

/** A server, and what this page says to it. */
export interface Server {
  readonly address: string;
  /** Empty where it wants none. */
  readonly token: string;
  /** Whether it is asked to take the workflow from this page, too. */
  readonly accept: boolean;
}

/** A run at a server. */
export interface RunThere {
  readonly run: Run;
  /** The executor behind the server. Close it when the run is no longer shown. */
  readonly executor: Executor;
}

/** Moves a run of this page to a server; where it is there already, it only opens it. */
export async function sendToServer(run: string, here: Executor, server: Server): Promise<RunThere> {
  const executor = executorOf(server);
  try {
    const there = await transferRun(run, { from: here, to: executor, place: server.address, accept: server.accept });
    return { run: there, executor };
  } catch (thrown) {
    await executor.close();
    throw thrown;
  }
}

/** Moves a run back to this page. */
export async function fetchFromServer(run: string, here: Executor, server: Server): Promise<void> {
  const executor = executorOf(server);
  try {
    await transferRun(run, { from: executor, to: here, place: `the page at ${location.origin}` });
  } finally {
    await executor.close();
  }
}

function executorOf({ address, token }: Server): Executor {
  return remoteExecutor(address, token === "" ? {} : { headers: { authorization: `Bearer ${token}` } });
}
