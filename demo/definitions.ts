import type { Engine } from "./engine.ts";
import type { Examples } from "./examples.ts";
import type { OwnWorkflows } from "./own-workflows.ts";

/** The workflows of the page, including those changed in this browser. */
export interface Definitions {
  /** Keeps a workflow in the place of the one of its name: what starts from now on is of this one. Gives whether it survives a reload. */
  keep(name: string, source: string): Promise<boolean>;
  /** Takes the own workflow of a name away. */
  forget(name: string): Promise<void>;
}

interface DefinitionsOptions {
  readonly own: OwnWorkflows;
  readonly examples: Examples;
  readonly engine: Pick<Engine, "use">;
  onChange(): void;
  onProblem(thrown: unknown): void;
}

/** Has the page and the engine follow the own workflows, also those that another tab keeps. */
export function followDefinitions({ own, examples, engine, onChange, onProblem }: DefinitionsOptions): Definitions {
  let taking = Promise.resolve();
  own.subscribe(() => {
    taking = taking.then(take).catch(onProblem);
  });

  async function take(): Promise<void> {
    await examples.takeOwn(own.sources.values());
    await engine.use(examples.runnable);
    onChange();
  }

  return {
    async keep(name, source) {
      const survives = own.keep(name, source);
      await taking;
      return survives;
    },
    async forget(name) {
      own.remove(name);
      await taking;
    },
  };
}
