import type { Run, RunView, Workflow } from "wavepoint";
import type { Engine } from "../engine.ts";
import type { TalkPanel } from "./talk-panel.ts";

/** The block types that only an executor with agents has. */
const AGENT_TYPES = /^(?:Agent|Linear|Graph|LLM|Tool_)/;

/** Whether something is done by agents or language models: then the engine has to be equipped for it. */
export function hasAgents({ blocks }: Pick<Workflow, "blocks">): boolean {
  return blocks.some(({ type }) => AGENT_TYPES.test(type));
}

/** The same of a run. */
export function isOfAgents({ waves }: Pick<RunView, "waves">): boolean {
  return waves.some(hasAgents);
}

/** What an agent and its tools say to each other, for a page that shows its run. */
export interface Talk {
  readonly element: HTMLElement;
  /** The page shows this run, or none. */
  show(run: Run | undefined): void;
}

/** Makes the conversation of the page. Its code is loaded for the first run that has an agent. */
export function agentTalk(engine: Engine, onProblem: (thrown: unknown) => void): Talk {
  const element = document.createElement("div");
  element.className = "talk-place";
  let loading: Promise<TalkPanel> | undefined;
  let run: Run | undefined;
  return {
    element,
    show(next) {
      run = next;
      if (!loading && !(next && isOfAgents(next.getSnapshot()))) return;
      loading ??= import("./talk-panel.ts").then(({ talkPanel }) => talkPanel({ engine, element, onProblem }));
      loading.then((panel) => panel.show(run), onProblem);
    },
  };
}
