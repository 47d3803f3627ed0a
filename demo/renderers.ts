import type { Run } from "wavepoint";

/** Draws an open question into a container. Gives the function that takes it away. */
export type DrawQuestion = (container: HTMLElement, question: { readonly run: Run; readonly pause: string }) => () => void;

/** Another library that can ask the questions of a run. */
export interface Renderer {
  readonly name: string;
  readonly title: string;
  load(): Promise<DrawQuestion>;
}

/** The name of the elements of the package. */
export const OWN = "wavepoint";

/** Each is loaded when it is chosen. */
export const RENDERERS: readonly Renderer[] = [
  { name: "rjsf", title: "react-jsonschema-form", load: async () => (await import("../examples/recipes/rjsf.tsx")).renderRjsf },
  { name: "json-forms", title: "JSON Forms", load: async () => (await import("../examples/recipes/json-forms.tsx")).renderJsonForms },
  { name: "survey-js", title: "SurveyJS", load: async () => (await import("../examples/recipes/survey-js.ts")).renderSurveyJs },
];
