import type { Block, Store, Values, Workflow } from "wavepoint";
import { attemptWorkflow, describeAttempt } from "./attempt.ts";
import { namesRefusal } from "./refusal-codes.ts";
import type { Site } from "./site.ts";
import { PASSED, failed, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

/** A path, and in which block of which workflow it stands. */
type Place = readonly [name: string, make: (path: string) => Block];

/** Judges one path in every place a path can stand, as the author writes it and as a run is given it. */
export async function judgePath(input: HostileInput, path: string, openStore: () => Promise<Store>, site: Site): Promise<Verdict> {
  const attempt = async (blocks: readonly Block[], given: Values = {}): ReturnType<typeof attemptWorkflow> => {
    const inputs = Object.fromEntries(Object.keys(given).map((name) => [name, { type: "string" as const }]));
    const workflow: Workflow = { name: "hostile", inputs, blocks };
    const tried = await attemptWorkflow(await openStore(), () => workflow, { grants: site.grants, inputs: given });
    await tried.executor.close();
    return tried;
  };

  async function refused([name, make]: Place): Promise<Verdict> {
    const tries = [await attempt([make(path)]), await attempt([make("${inputs.path}")], { path })];
    return worst(
      tries.map((tried) => {
        if (tried.reached === "load" && tried.writesAtLoad > 0) return failed("a refusal that writes nothing", `${name}: it wrote`);
        const { error } = tried;
        const isRefused = error !== undefined && (namesRefusal(input.expect.code, error) || namesRefusal("E_PATH_ESCAPE", error));
        return isRefused ? PASSED : failed(`${input.expect.outcome} ${input.expect.code}`, `${name}: ${describeAttempt(tried)}`);
      }),
    );
  }

  async function taken(paths: readonly string[]): Promise<Verdict> {
    for (const [i, written] of paths.entries()) {
      const create: Block = { id: "a", type: "CreateFile", inputs: { path: written, content: `content ${i}` } };
      const read: Block = { id: "b", type: "ReadFile", inputs: { path: written }, dependsOn: ["a"] };
      const tried = await attempt([create, read]);
      // Where capitals make no difference the second name is one that is taken.
      if (i > 0 && tried.error !== undefined && JSON.stringify(tried.error).includes("FILE_EXISTS")) continue;
      if (tried.result?.status !== "success") return failed("a file with that name", describeAttempt(tried));
      const normal = written
        .split("/")
        .filter((part) => part !== "" && part !== ".")
        .join("/");
      const files = await site.list();
      if (!files.includes(normal)) return failed(`a file ${normal}`, files.join(", "));
    }
    return PASSED;
  }

  switch (input.expect.outcome) {
    case "reject":
      return worst(await Promise.all(places(path, site).map(refused)));
    case "literal":
    case "accept":
      return taken([path]);
    case "documented":
      return taken(path.split(" vs "));
    default:
      return failed(`outcome "${input.expect.outcome}"`, "an outcome this runner does not know");
  }
}

function places(path: string, { grants }: Site): readonly Place[] {
  const block = (type: string, inputs: (path: string) => Values): Place => [
    type,
    (written) => ({ id: "a", type, inputs: inputs(written) }),
  ];
  const ofFiles = [
    block("ReadFile", (written) => ({ path: written })),
    block("CreateFile", (written) => ({ path: written, content: "x", overwrite: true })),
    block("EditFile", (written) => ({ path: written, edits: [{ find: "a", replace: "b" }] })),
    block("ReadState", (written) => ({ path: written })),
    block("SetState", (written) => ({ path: written, data: {} })),
    block("MergeState", (written) => ({ path: written, updates: {} })),
  ];
  if (grants.shell === undefined) return ofFiles;
  // A worktree takes the folders on the way to it; the root itself is a folder like any other to start in.
  const isRoot = path === "" || path === ".";
  const ofCommands = [
    block("CreateWorktree", (written) => ({ branch: "b", path: written })),
    ...(isRoot ? [] : [block("Shell", (written) => ({ command: "true", working_dir: written }))]),
  ];
  return [...ofFiles, ...ofCommands];
}
