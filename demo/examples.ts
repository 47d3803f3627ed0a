import { isWorkflowError, type Values, type Workflow } from "wavepoint";
import { GALLERY, type Shelf } from "./gallery.ts";

/** A workflow of the demo. */
export interface Example {
  readonly workflow: Workflow;
  /** Gives the text it was read from. */
  readSource(): Promise<string>;
  readonly shelf: Shelf;
  /** How long it takes, in words; not known of workflows written in this browser. */
  readonly takes?: string;
  /** Inputs that its start form holds at first, which only the page knows. */
  readonly presets?: Values;
  /** The line that runs it where a page cannot. */
  readonly command?: string;
  /** The workflows that it calls. */
  readonly called: readonly Workflow[];
}

/** Every workflow of the demo. */
export interface Examples {
  /** Those that the page shows, in its order. */
  readonly shown: readonly Example[];
  /** Those that the page can run, with the ones that only other workflows call. */
  readonly runnable: readonly Workflow[];
  /** The tags that several workflows have, the most frequent first. */
  readonly tags: readonly string[];
  /** Takes workflows written in this browser; one with the name of a shipped one takes its place. What is broken stays out. */
  takeOwn(sources: Iterable<string>): Promise<void>;
  /** The names of the workflows that have all of these tags. */
  tagged(tags: readonly string[]): ReadonlySet<string>;
  find(workflow: string): Example | undefined;
}

/** The workflows of the page. */
export function loadExamples(): Examples {
  const shipped = GALLERY.map(({ file, called = [], ...rest }): Example => {
    return { ...rest, workflow: file.workflow, readSource: file.readSource, called: called.map(({ workflow }) => workflow) };
  });
  let shown: readonly Example[] = shipped;
  return {
    get shown() {
      return shown;
    },
    get runnable() {
      return shown.flatMap(({ command, workflow, called }) => (command === undefined ? [workflow, ...called] : []));
    },
    get tags() {
      return tagsOf(shown);
    },
    async takeOwn(sources) {
      const own = await readOwn([...sources]);
      const names = new Set(own.map(({ workflow }) => workflow.name));
      shown = [...own, ...shipped.filter(({ workflow }) => !names.has(workflow.name))];
    },
    tagged: (tags) => new Set(shown.filter((example) => hasAll(example, tags)).map(({ workflow }) => workflow.name)),
    find: (name) => shown.find(({ workflow }) => workflow.name === name),
  };

  async function readOwn(sources: readonly string[]): Promise<readonly Example[]> {
    if (sources.length === 0) return [];
    const { loadWorkflow } = await import("wavepoint/yaml");
    return sources.flatMap((source): Example[] => {
      const workflow = readIfValid(source, loadWorkflow);
      if (!workflow) return [];
      const before = shipped.find((example) => example.workflow.name === workflow.name);
      return [{ called: [], ...before, workflow, readSource: () => Promise.resolve(source), shelf: "own" }];
    });
  }
}

function readIfValid(source: string, read: (source: string) => Workflow): Workflow | undefined {
  try {
    return read(source);
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return undefined;
  }
}

function hasAll({ workflow }: Example, tags: readonly string[]): boolean {
  return tags.every((tag) => workflow.tags?.includes(tag));
}

function tagsOf(examples: readonly Example[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { workflow } of examples) for (const tag of workflow.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .toSorted(([, a], [, b]) => b - a)
    .map(([tag]) => tag);
}
