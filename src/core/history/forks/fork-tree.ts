import { WorkflowError } from "../../model/errors.ts";
import { fullRunId } from "../../model/ids.ts";
import type { RunTree } from "../../model/history.ts";
import type { RunHead } from "../../model/run.ts";
import { groupBy } from "../../model/group-by.ts";
import { listHeads } from "../../journal/journal.ts";
import type { Services } from "../../run/run.ts";

/** See `Executor.runs.tree`. */
export async function forkTree(services: Services, id: string): Promise<RunTree> {
  const run = fullRunId(id);
  const head = await services.store.head(run);
  if (!head) throw new WorkflowError("RUN_NOT_FOUND", `Run ${JSON.stringify(run)} was not found.`, { details: { run } });
  const { heads } = await listHeads(services, { workflow: head.workflow });
  // By the run they come from, oldest first.
  const byAge = heads.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const forks = groupBy(byAge, ({ fork }) => fork?.run);
  let root: string = run;
  let first: RunHead | undefined = head;
  // A tampered store may hold runs that come from each other.
  const seen = new Set([run]);
  while (first?.fork && !seen.has(first.fork.run)) {
    root = first.fork.run;
    seen.add(root);
    first = await services.store.head(root);
  }
  return grow({ id: root, head: first, workflow: head.workflow, forks });
}

interface Growing {
  readonly id: string;
  readonly head: RunHead | undefined;
  readonly workflow: string;
  readonly forks: ReadonlyMap<string | undefined, readonly RunHead[]>;
}

type Branch = RunTree & { readonly forks: RunTree[] };

/** Without recursion: a run that is revised again and again makes a tree as deep as that. */
function grow({ id, head, workflow, forks }: Growing): RunTree {
  const oldest = forks.get(id)?.[0];
  const root: Branch = head ? branch(head) : { run: id, workflow, status: "deleted", createdAt: oldest?.createdAt ?? 0, forks: [] };
  const open = [root];
  const seen = new Set([id]);
  for (let next = open.pop(); next; next = open.pop()) {
    for (const child of forks.get(next.run) ?? []) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      const grown = branch(child);
      next.forks.push(grown);
      open.push(grown);
    }
  }
  return root;
}

function branch({ id, workflow, status, createdAt, fork }: RunHead): Branch {
  return {
    run: id,
    workflow,
    status,
    createdAt,
    ...(fork ? { checkpoint: fork.checkpoint } : {}),
    forks: [],
  };
}
