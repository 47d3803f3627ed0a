import { Effect, Layer, Schema } from "effect";
import { Activity, Workflow, WorkflowEngine } from "effect/workflow";

const OK = Schema.Struct({ ok: Schema.Boolean });
const activity = (name) => Activity.make({ name, success: OK, execute: Effect.promise(async () => ({ ok: true })) });

/** A durable workflow of Effect on its engine in memory: one activity, `width` beside each other, one more. */
export async function openEffectFan(width) {
  const Fan = Workflow.make("Fan", { payload: { id: Schema.String }, success: Schema.Number, idempotencyKey: ({ id }) => id });
  const body = Effect.fnUntraced(function* () {
    yield* activity("first");
    const all = yield* Effect.all(
      Array.from({ length: width }, (_, index) => activity(`work${index}`)),
      { concurrency: "unbounded" },
    );
    yield* activity("last");
    return all.length;
  });
  let runs = 0;
  return {
    /** Each with an engine of its own, as each sample of the others has a store of its own. */
    async run() {
      const engine = Fan.toLayer(body).pipe(Layer.provideMerge(WorkflowEngine.layerMemory));
      const count = await Effect.runPromise(Fan.execute({ id: `run${runs++}` }).pipe(Effect.provide(engine)));
      if (count !== width) throw new Error(`Effect ran ${count} activities.`);
    },
  };
}
