import { WorkflowError } from "../core/model/errors.ts";
import { adviseName } from "../core/model/suggestions.ts";
import type { Grants } from "../core/ports/grants.ts";

/**
 * A language model of the package `ai`, or of one of its providers: what all of them have. A name alone is none: it would lead to a service that the host did not choose.
 */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A model with what it costs, so that the record of a run says so and a limit can be set. */
export interface PricedModel {
  readonly model: Model;
  /** What a million tokens cost that it reads, in any currency that is the same for all models. */
  readonly inputPrice: number;
  /** What a million tokens cost that it writes. */
  readonly outputPrice: number;
}

/** What a host grants as `grants.models`. */
export interface GrantedModels {
  readonly [name: string]: Model | PricedModel;
}

const MILLION = 1_000_000;

/** A model of the host, with what its tokens cost; nothing where the host does not say. */
export interface FoundModel {
  readonly model: Model;
  readonly price: { readonly input: number; readonly output: number } | undefined;
}

/** The model of this name. Throws `CAPABILITY_MISSING` where the host granted none of it. */
export function findModel({ models = {} }: Grants, name: string): FoundModel {
  const granted = Object.hasOwn(models, name) ? (models as GrantedModels)[name] : undefined;
  if (!granted) {
    const { sentence, details } = adviseName(name, Object.keys(models));
    throw new WorkflowError("CAPABILITY_MISSING", `The host granted no model "${name}".${sentence} Name one of grants.models.`, {
      details: { model: name, ...details },
    });
  }
  if (!("model" in granted)) return { model: granted, price: undefined };
  const { model, inputPrice, outputPrice } = granted;
  return { model, price: { input: inputPrice / MILLION, output: outputPrice / MILLION } };
}
