import { ADVICE, checkBlockInputs, checkDefinition, readReducers } from "../core/definition/definition.ts";
import { WorkflowError, type ErrorData, type Problem } from "../core/model/errors.ts";
import { notLoaded, rememberFailures } from "../core/model/load-failure.ts";
import { adviseName } from "../core/model/suggestions.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { BlockType } from "../core/ports/block.ts";
import type { ChannelReducer } from "../core/ports/reducer.ts";
import { checkText } from "../yaml/check-text.ts";
import { nameInText } from "./workflow-text.ts";
import { checkCalls } from "./check-calls.ts";
import { failedWorkflow, mergeReports, type FailedWorkflow, type LoadReport } from "./load-report.ts";
import { placeIn, sourceMember, type Registered } from "./registered.ts";
import { describeWorkflow, summarizeWorkflow, type WorkflowInfo, type WorkflowSummary } from "./workflow-info.ts";
import { assertOptions, type OptionNames } from "../core/model/assert-options.ts";

/** Workflows by name, with where they came from. */
export interface Registry {
  /** Adds a definition after checking it. */
  add(workflow: Workflow, options?: AddOptions): LoadReport;
  /** Adds a workflow written in YAML. */
  addText(text: string, options?: AddOptions): LoadReport;
  /** Adds texts by their sources, in their order. */
  addTexts(texts: { readonly [source: string]: string }, options?: DuplicateOptions): LoadReport;
  /**
   * Keeps in mind that the workflow of a file or an address could not be read at all, so that calls of it say why. What is added, and is
   * broken, is kept in mind without it.
   */
  addFailure(source: string, error: ErrorData): LoadReport;
  get(name: string): Workflow | undefined;
  has(name: string): boolean;
  /** Lines about workflows, by name. With `tags` only those that have all of them. */
  list(query?: { readonly tags?: readonly string[] }): readonly WorkflowSummary[];
  /** Everything about a workflow. Throws `WORKFLOW_NOT_FOUND`, with the reason where it is there and did not load. */
  info(name: string): WorkflowInfo;
  /** All workflows, as `createExecutor` takes them. */
  workflows(): readonly Workflow[];
  /**
   * What can only be seen once all workflows are there, and what block types look at with code of their own: calls of workflows that do not
   * exist or did not load, calls in a circle, patterns that are none.
   */
  check(): Promise<readonly Problem[]>;
}

/** What a registry checks workflows against. */
export interface RegistryOptions {
  /** The block types that will run the workflows. Default: types are looked at when an executor loads them. */
  readonly blocks?: readonly BlockType[];
  /** The reducers of channels that the host gives. Default: they are looked at when an executor loads a workflow. */
  readonly reducers?: { readonly [name: string]: ChannelReducer };
}

/** What happens to a second workflow of a name. */
export type OnDuplicate = "skip" | "overwrite" | "error";

/** What becomes of a second workflow of one name. Default: `skip`. */
export interface DuplicateOptions {
  /** `skip`: the first one stays. `overwrite`: the last one wins. `error`: the second one is reported as failed. Default: `skip`. */
  readonly onDuplicate?: OnDuplicate;
}

/** Where a workflow comes from that is added. */
export interface AddOptions extends DuplicateOptions {
  /** The file or address it came from, for messages and lists. */
  readonly source?: string;
}

const nothing: LoadReport = { loaded: [], skipped: [], overwritten: [], failed: [] };

const ADD: OptionNames<AddOptions> = { source: true, onDuplicate: true };

/** Makes an empty registry. */
export function createRegistry(options: RegistryOptions = {}): Registry {
  assertOptions("createRegistry", options, { blocks: true, reducers: true });
  const { blocks, reducers } = options;
  const byName = new Map<string, Registered>();
  /** By source, else by name: what is added again and loads has not failed any more. */
  const failures = new Map<string | undefined, FailedWorkflow>();
  const findFailure = (name: string): FailedWorkflow | undefined => [...failures.values()].find((failed) => failed.name === name);
  const known = reducers && { reducers: readReducers(reducers) };
  const blockTypes = blocks && new Map(blocks.map((block) => [block.type, block]));
  const sorted = (): readonly Registered[] => [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, registered]) => registered);

  const registry: Registry = {
    add(workflow, options = {}) {
      assertOptions("add", options, ADD);
      const problems = checkDefinition(workflow, { advice: ADVICE, ...known, ...(blockTypes && { blockTypes }) });
      const { source } = options;
      return register(
        problems.map((problem) => ({ ...problem, ...sourceMember(source) })),
        workflow,
        options,
        workflow.name,
      );
    },
    addText(text, options = {}) {
      assertOptions("addText", options, ADD);
      const { source } = options;
      const { problems, workflow } = checkText(text, { ...sourceMember(source), ...(blocks && { blocks }), ...(reducers && { reducers }) });
      return register(problems, workflow, options, nameInText(text));
    },
    addTexts(texts, options = {}) {
      assertOptions("addTexts", options, { onDuplicate: true });
      return mergeReports(Object.entries(texts).map(([source, text]) => registry.addText(text, { ...options, source })));
    },
    addFailure: (source, error) => fail(failedWorkflow([{ severity: "error", ...error, source }], { source })),
    get: (name) => byName.get(name)?.workflow,
    has: (name) => byName.has(name),
    list: ({ tags = [] } = {}) =>
      sorted()
        .filter(({ workflow }) => tags.every((tag) => workflow.tags?.includes(tag)))
        .map(summarizeWorkflow),
    info(name) {
      const registered = byName.get(name);
      if (registered) return describeWorkflow(registered);
      const failed = findFailure(name);
      if (failed) throw notLoaded(name, failed);
      const { sentence, details } = adviseName(name, byName.keys());
      throw new WorkflowError("WORKFLOW_NOT_FOUND", `There is no workflow "${name}".${sentence}`, {
        details: { workflow: name, ...details },
      });
    },
    workflows: () => sorted().map(({ workflow }) => workflow),
    async check() {
      const problems = [...checkCalls(byName, findFailure)];
      for (const registered of sorted()) {
        const found = await checkBlockInputs(registered.workflow, blockTypes ?? new Map());
        problems.push(...found.map((problem) => ({ ...problem, ...placeIn(registered, problem.path!) })));
      }
      return problems;
    },
  };
  return registry;

  function fail(failed: FailedWorkflow): LoadReport {
    failures.set(failed.source ?? failed.name, failed);
    return { ...nothing, failed: [failed] };
  }

  function register(
    problems: readonly Problem[],
    workflow: Workflow | undefined,
    { source, onDuplicate = "skip" }: AddOptions,
    named: string | undefined,
  ): LoadReport {
    if (workflow === undefined || problems.some(({ severity }) => severity === "error")) {
      return fail(failedWorkflow(problems, { name: named, source }));
    }
    const { name } = workflow;
    failures.delete(source ?? name);
    rememberFailures(workflow, findFailure);
    const registered: Registered = { workflow, ...sourceMember(source) };
    const done = { name, ...sourceMember(source), warnings: problems };
    const known = byName.get(name);
    if (known === undefined) {
      byName.set(name, registered);
      return { ...nothing, loaded: [done] };
    }
    const duplicate = { ...done, ...(known.source === undefined ? {} : { other: known.source }) };
    switch (onDuplicate) {
      case "skip":
        return { ...nothing, skipped: [duplicate] };
      case "overwrite":
        byName.set(name, registered);
        return { ...nothing, overwritten: [duplicate] };
      case "error":
        return { ...nothing, failed: [{ name, ...sourceMember(source), problems: [...problems, secondOfName(registered, known)] }] };
    }
  }
}

function secondOfName(second: Registered, first: Registered): Problem {
  const where = first.source === undefined ? "" : `, from ${first.source}`;
  return {
    severity: "error",
    code: "WORKFLOW_DUPLICATE",
    message: `There is a workflow named "${second.workflow.name}" already${where}. Rename one of them.`,
    ...placeIn(second, "name"),
  };
}
