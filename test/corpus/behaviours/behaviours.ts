import { defineBlock, pause, success, type Block, type BlockType, type Value, type Values, type Workflow } from "wavepoint";

/** What stands outside of a run, and outlives the processes that execute it. */
export interface World {
  /** Throws the first time it is asked for a name: a service that is out of order then. */
  failOnce(name: string): void;
  /** Calls a service; gives how often it was called under that name. */
  call(name: string): number;
  readonly sandboxes: Map<string, Set<string>>;
}

/** An example of the specifications that is told in code: a workflow of blocks that do in small what those of the example do, and what comes of it. */
export interface Behaviour {
  readonly workflow: Workflow;
  /** Workflows that it calls. */
  readonly calls?: readonly Workflow[];
  readonly inputs?: Values;
  /** What is answered, by the path of the question. Another process answers than the one that asked. */
  readonly answers?: { readonly [path: string]: Value };
  readonly blocks: (world: World) => readonly BlockType[];
  readonly expect: {
    /** What was executed, in its order: the unit, `#n` for its n-th iteration, and ` answered` where it went on with an answer. */
    readonly order: readonly string[];
    readonly outputs: Values;
    readonly channels?: Values;
    /** The metadata of the checkpoints that were asked for, in their order, without what the engine adds. */
    readonly requested?: readonly Values[];
    /** What was asked, as another process reads it. */
    readonly asked?: readonly string[];
    /** The outputs of the blocks of called runs, by the address of the run. */
    readonly called?: { readonly [address: string]: Values };
    /** How often services were called. */
    readonly calls?: { readonly [name: string]: number };
  };
}

const block = (id: string, type: string, dependsOn: readonly string[] = [], more: Partial<Block> = {}): Block => ({
  id,
  type,
  dependsOn,
  ...more,
});

/** A block that says what it was given, and gives that on. */
const tell: BlockType = defineBlock({ type: "Tell", execute: ({ inputs }) => success({ text: inputs["text"] }) });

/** Seed 3, "State vs steps": the state is what the steps gave, superstep by superstep. */
const retrieval: Behaviour = {
  workflow: {
    name: "retrieval",
    blocks: [
      block("embed", "Tell", [], { inputs: { text: [0.1, 0.2] } }),
      block("validate", "Tell", [], { inputs: { text: true } }),
      block("retrieve", "Tell", ["embed", "validate"], { inputs: { text: ["document"] } }),
      block("generate", "Tell", ["retrieve"], { inputs: { text: "from ${blocks.retrieve.text}" } }),
    ],
    outputs: { answer: "${blocks.generate.text}", embedding: "${blocks.embed.text}", valid: "${blocks.validate.text}" },
  },
  blocks: () => [tell],
  expect: {
    order: ["embed", "validate", "retrieve", "generate"],
    outputs: { answer: 'from ["document"]', embedding: [0.1, 0.2], valid: true },
  },
};

/** Seed 3, "Nested workflows": the inner graph is a run of its own, addressed by its caller and block. */
const nested: Behaviour = {
  workflow: {
    name: "order",
    blocks: [
      block("preprocess", "Tell", [], { inputs: { text: "clean" } }),
      block("rag", "ExecuteWorkflow", ["preprocess"], { inputs: { workflow: "rag", inputs: { query: "${blocks.preprocess.text}" } } }),
      block("postprocess", "Tell", ["rag"], { inputs: { text: "${blocks.rag.answer}." } }),
    ],
    outputs: { answer: "${blocks.postprocess.text}" },
  },
  calls: [
    {
      name: "rag",
      inputs: { query: { type: "string" } },
      blocks: [
        block("retrieve", "Tell", [], { inputs: { text: "documents on ${inputs.query}" } }),
        block("generate", "Tell", ["retrieve"], { inputs: { text: "${blocks.retrieve.text}, summed up" } }),
      ],
      outputs: { answer: "${blocks.generate.text}" },
    },
  ],
  blocks: () => [tell],
  expect: {
    order: ["preprocess", "retrieve", "generate", "postprocess"],
    outputs: { answer: "documents on clean, summed up." },
    called: { "example/rag": { retrieve: { text: "documents on clean" }, generate: { text: "documents on clean, summed up" } } },
  },
};

const interrupt = defineBlock({
  type: "Interrupt",
  execute: ({ inputs }) => pause({ prompt: `Approve: ${String(inputs["draft"])}?` }),
  resume: ({ response }) => success({ decision: response }),
});

/** Seed 3, "Pause persistence": what a run waits for can be read from outside. */
const interrupted: Behaviour = {
  workflow: {
    name: "interrupted",
    blocks: [
      block("draft", "Tell", [], { inputs: { text: "a letter" } }),
      block("approve", "Interrupt", ["draft"], { inputs: { draft: "${blocks.draft.text}" } }),
      block("send", "Tell", ["approve"], { inputs: { text: "${blocks.approve.decision}" } }),
    ],
    outputs: { sent: "${blocks.send.text}" },
  },
  answers: { approve: "yes" },
  blocks: () => [tell, interrupt],
  expect: {
    order: ["draft", "approve", "approve answered", "send"],
    outputs: { sent: "yes" },
    asked: ["Approve: a letter?"],
  },
};

/** Seed 4, example 1: an order goes from state to state, with a checkpoint after each, and the bank fails once. */
const order: Behaviour = {
  workflow: {
    name: "order_processing",
    channels: { order_state: { type: "string", default: "NEW" }, order_data: { default: { id: "ORD123", amount: 100 } } },
    blocks: [block("process_order", "ProcessOrder")],
    outputs: { result: "${blocks.process_order.result}" },
  },
  blocks: ({ failOnce }) => [
    defineBlock({
      type: "ProcessOrder",
      execute({ channels, checkpoint, nextIteration }) {
        const { id, amount } = channels.get("order_data") as { readonly id: string; readonly amount: number };
        const state = channels.get("order_state");
        if (state === "NEW") {
          channels.write("order_state", "VALIDATED");
          checkpoint({ stage: "validation_complete", order_id: id });
          return nextIteration();
        }
        if (state === "VALIDATED") {
          failOnce("bank");
          channels.write("order_state", "PAID");
          checkpoint({ stage: "payment_complete", amount });
          return nextIteration();
        }
        return success({ result: "ORDER_COMPLETE" });
      },
    }),
  ],
  expect: {
    order: ["process_order", "process_order#2", "process_order#2", "process_order#3"],
    outputs: { result: "ORDER_COMPLETE" },
    channels: { order_state: "PAID", order_data: { id: "ORD123", amount: 100 } },
    requested: [
      { stage: "validation_complete", order_id: "ORD123" },
      { stage: "payment_complete", amount: 100 },
    ],
  },
};

const EPOCHS = 24;

/** Seed 4, example 2: a training with a checkpoint every tenth epoch, until the model is accurate. */
const training: Behaviour = {
  workflow: {
    name: "training",
    channels: { epoch: { type: "integer", default: 0 }, model: { default: "none" }, metrics: {} },
    blocks: [block("ml_training", "Train")],
    outputs: { result: "${blocks.ml_training.result}" },
  },
  blocks: () => [
    defineBlock({
      type: "Train",
      execute({ channels, checkpoint, nextIteration }) {
        const epoch = (channels.get("epoch") as number) + 1;
        if (epoch === 1) channels.write("model", "initialized");
        const metrics = { loss: 100 - epoch, accuracy: epoch * 4 };
        channels.write("epoch", epoch);
        channels.write("metrics", metrics);
        if (epoch % 10 === 0) checkpoint({ epoch, ...metrics });
        return metrics.accuracy >= 95 ? success({ result: "TRAINING_COMPLETE" }) : nextIteration();
      },
    }),
  ],
  expect: {
    order: Array.from({ length: EPOCHS }, (_, i) => (i === 0 ? "ml_training" : `ml_training#${i + 1}`)),
    outputs: { result: "TRAINING_COMPLETE" },
    channels: { epoch: EPOCHS, model: "initialized", metrics: { loss: 76, accuracy: 96 } },
    requested: [
      { epoch: 10, loss: 90, accuracy: 40 },
      { epoch: 20, loss: 80, accuracy: 80 },
    ],
  },
};

/** Seed 4, example 3, and "Checkpoint timing": a block asks for a checkpoint and works on; what goes on from it begins with the next block. */
const distributed: Behaviour = {
  workflow: {
    name: "distributed",
    channels: { state: { default: "none" }, log: { reduce: "append" } },
    blocks: [
      block("distributed_task", "Process", [], { writes: { state: "A", log: "one" } }),
      block("next_task", "Fail", ["distributed_task"], { inputs: { text: "${channels.state}" }, writes: { state: "B", log: "two" } }),
      block("last_task", "Tell", ["next_task"], { inputs: { text: "${channels.state} ${channels.log}" } }),
    ],
    outputs: { last: "${blocks.last_task.text}" },
  },
  blocks: ({ failOnce }) => [
    tell,
    defineBlock({
      type: "Process",
      async execute({ checkpoint }) {
        checkpoint({ worker: "worker-1" });
        await Promise.resolve();
        return success({ processed: true });
      },
    }),
    defineBlock({
      type: "Fail",
      execute({ inputs }) {
        failOnce("worker-1");
        return success({ text: inputs["text"] });
      },
    }),
  ],
  expect: {
    order: ["distributed_task", "next_task", "next_task", "last_task"],
    outputs: { last: 'B ["one","two"]' },
    channels: { state: "B", log: ["one", "two"] },
    requested: [{ worker: "worker-1" }],
  },
};

/** Seed 4, "Idempotency for iterative tasks": which step comes is read from a channel. */
const iterative: Behaviour = {
  workflow: {
    name: "iterative",
    channels: { state: { default: "STEP1" }, did: { reduce: "append" } },
    blocks: [block("iterative_task", "Iterate")],
    outputs: { done: "${blocks.iterative_task.done}" },
  },
  blocks: () => [
    defineBlock({
      type: "Iterate",
      execute({ channels, checkpoint, nextIteration }) {
        const state = channels.get("state");
        channels.write("did", state);
        checkpoint({ state });
        if (state === "STEP2") return success({ done: true });
        channels.write("state", "STEP2");
        return nextIteration();
      },
    }),
  ],
  expect: {
    order: ["iterative_task", "iterative_task#2"],
    outputs: { done: true },
    channels: { state: "STEP2", did: ["STEP1", "STEP2"] },
    requested: [{ state: "STEP1" }, { state: "STEP2" }],
  },
};

const mark = defineBlock({
  type: "Mark",
  execute({ block: id, checkpoint }) {
    checkpoint({ from: id });
    return success({ text: id });
  },
});

/** Seed 4, "Checkpoint during parallel execution", and the test plan's ParallelGroup: one of three siblings asks for a checkpoint. */
const parallel: Behaviour = {
  workflow: {
    name: "parallel",
    channels: { done: { reduce: "append" } },
    blocks: [
      block("left", "Tell", [], { inputs: { text: "l" }, writes: { done: "left" } }),
      block("middle", "Mark", [], { writes: { done: "middle" } }),
      block("right", "Tell", [], { inputs: { text: "r" }, writes: { done: "right" } }),
      block("merge", "Tell", ["left", "middle", "right"], { inputs: { text: "${channels.done}" } }),
    ],
    outputs: { merged: "${blocks.merge.text}" },
  },
  blocks: () => [tell, mark],
  expect: {
    order: ["left", "middle", "right", "merge"],
    outputs: { merged: ["left", "middle", "right"] },
    channels: { done: ["left", "middle", "right"] },
    requested: [{ from: "middle" }],
  },
};

/** Seed 4, "Full TaskSpec persistence", and the test plan's dynamic tasks: what was added while the run was under way goes on after a failure. */
const dynamic: Behaviour = {
  workflow: {
    name: "dynamic",
    channels: { results: { reduce: "append" } },
    blocks: [block("plan", "Plan"), block("report", "Tell", ["plan"], { inputs: { text: "planned" } })],
    outputs: { report: "${blocks.report.text}", results: "${channels.results}" },
  },
  blocks: ({ failOnce }) => [
    tell,
    defineBlock({
      type: "Plan",
      execute({ add, checkpoint }) {
        add([
          block("task4", "Work", [], { inputs: { text: "four" }, writes: { results: "four" } }),
          block("task5", "Work", ["task4"], { inputs: { text: "five" }, writes: { results: "five" } }),
        ]);
        checkpoint({ planned: 2 });
        return success({ planned: 2 });
      },
    }),
    defineBlock({
      type: "Work",
      execute({ inputs }) {
        if (inputs["text"] === "five") failOnce("five");
        return success({ text: inputs["text"] });
      },
    }),
  ],
  expect: {
    order: ["plan", "task4", "report", "task5", "task5"],
    outputs: { report: "planned", results: ["four", "five"] },
    channels: { results: ["four", "five"] },
    requested: [{ planned: 2 }],
  },
};

/** Seed 4, the test plan's nested workflows: a called workflow asks for checkpoints of its own. */
const nestedCheckpoints: Behaviour = {
  workflow: {
    name: "outer",
    blocks: [
      block("before", "Mark"),
      block("inner", "ExecuteWorkflow", ["before"], { inputs: { workflow: "inner" } }),
      block("after", "Tell", ["inner"], { inputs: { text: "${blocks.inner.gave}" } }),
    ],
    outputs: { gave: "${blocks.after.text}" },
  },
  calls: [{ name: "inner", blocks: [block("one", "Mark"), block("two", "Mark", ["one"])], outputs: { gave: "${blocks.two.text}" } }],
  blocks: () => [tell, mark],
  expect: {
    order: ["before", "one", "two", "after"],
    outputs: { gave: "two" },
    requested: [{ from: "before" }],
    called: { "example/inner": { one: { text: "one" }, two: { text: "two" } } },
  },
};

/** Seed 4, the test plan's errors: a failed attempt makes no checkpoint, and its retry does. */
const retried: Behaviour = {
  workflow: {
    name: "retried",
    blocks: [block("flaky", "Flaky", [], { retry: { maxAttempts: 3, delayMs: 10 } }), block("report", "Mark", ["flaky"])],
    outputs: { report: "${blocks.report.text}" },
  },
  blocks: ({ failOnce }) => [
    mark,
    defineBlock({
      type: "Flaky",
      execute({ checkpoint }) {
        checkpoint({ from: "flaky" });
        failOnce("network");
        return success({});
      },
    }),
  ],
  expect: {
    order: ["flaky", "flaky", "report"],
    outputs: { report: "report" },
    requested: [{ from: "flaky" }, { from: "report" }],
  },
};

const LOOPS = 15;
const TOOLS = ["search", "read", "sum"];

/** Seed 5, "Agent mid-loop": stopped at turn 6 of 15, it goes on there with its messages, and asks no tool for what is known. */
const agent: Behaviour = {
  workflow: {
    name: "agent",
    channels: { messages: { reduce: "append" } },
    blocks: [block("agent", "Agent", [], { maxIterations: LOOPS })],
    outputs: { answer: "${blocks.agent.answer}" },
  },
  blocks: ({ failOnce, call }) => [
    defineBlock({
      type: "Agent",
      async execute({ channels, iteration, nextIteration, once }) {
        const tool = TOOLS[iteration % TOOLS.length]!;
        const observed = await once(tool, () => {
          call(tool);
          return `result of ${tool}`;
        });
        if (iteration === 6) failOnce("model");
        channels.write("messages", `${iteration}: ${observed}`);
        return iteration < LOOPS ? nextIteration() : success({ answer: observed });
      },
    }),
  ],
  expect: {
    order: [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((turn) => (turn === 1 ? "agent" : `agent#${turn}`)),
    outputs: { answer: "result of search" },
    channels: { messages: Array.from({ length: LOOPS }, (_, i) => `${i + 1}: result of ${TOOLS[(i + 1) % TOOLS.length]!}`) },
    calls: { search: 1, read: 1, sum: 1 },
  },
};

const ITEMS = 10;

/** Seed 5, "Map partial": three of ten items are done when the fourth fails; the resume runs that one and those behind it. */
const map: Behaviour = {
  workflow: {
    name: "map",
    blocks: [
      block("map", "Double", [], { forEach: Array.from({ length: ITEMS }, (_, i) => i), maxParallel: 1, inputs: { n: "${each.value}" } }),
    ],
    outputs: { doubled: "${blocks.map.results}" },
  },
  blocks: ({ failOnce, call }) => [
    defineBlock({
      type: "Double",
      execute({ inputs }) {
        const n = inputs["n"] as number;
        if (n === 3) failOnce("four");
        call("double");
        return success({ n: n * 2 });
      },
    }),
  ],
  expect: {
    order: ["map[0]", "map[1]", "map[2]", "map[3]", "map[4]", "map[5]", "map[6]", "map[7]", "map[8]", "map[9]", "map[3]"],
    outputs: { doubled: Array.from({ length: ITEMS }, (_, i) => ({ n: i * 2 })) },
    calls: { double: ITEMS },
  },
};

/** Seed 5, "E2B expired": the sandbox is gone after the pause; it is opened anew, and what was installed is installed again. */
const sandbox: Behaviour = {
  workflow: {
    name: "sandbox",
    channels: { packages: { reduce: "union" } },
    blocks: [
      block("install", "Sandbox", [], { inputs: { install: "pandas" }, writes: { packages: ["pandas"] } }),
      block("approve", "Interrupt", ["install"], { inputs: { draft: "the analysis" } }),
      block("analyse", "Sandbox", ["approve"]),
    ],
    outputs: { installed: "${blocks.analyse.installed}" },
  },
  answers: { approve: "yes" },
  blocks: ({ sandboxes }) => [
    interrupt,
    defineBlock({
      type: "Sandbox",
      resources: {
        sandbox: {
          open({ idempotencyKey }) {
            sandboxes.set(idempotencyKey, new Set());
            return { live: idempotencyKey, reference: { id: idempotencyKey } };
          },
          reconnect({ id }: { readonly id: string }): string {
            throw new Error(`${id} has expired.`);
          },
          close: ({ id }: { readonly id: string }) => void sandboxes.delete(id),
        },
      },
      async execute({ channels, inputs, resource }) {
        const held = sandboxes.get(await resource("sandbox"))!;
        for (const name of [channels.get("packages"), inputs["install"] ?? []].flat()) held.add(String(name));
        return success({ installed: [...held] });
      },
    }),
  ],
  expect: {
    order: ["install", "approve", "approve answered", "analyse"],
    outputs: { installed: ["pandas"] },
    channels: { packages: ["pandas"] },
    asked: ["Approve: the analysis?"],
  },
};

/** Seed 5, "Orchestrator mid-state": states share a context and a history, and the second fails once. */
const orchestrator: Behaviour = {
  workflow: {
    name: "orchestrator",
    channels: { state: { default: "research" }, chat_history: { reduce: "append" }, context: { reduce: "merge" } },
    blocks: [block("graph", "Graph")],
    outputs: { context: "${blocks.graph.context}" },
  },
  blocks: ({ failOnce }) => [
    defineBlock({
      type: "Graph",
      execute({ channels, nextIteration }) {
        const states = ["research", "write", "review"];
        const state = channels.get("state") as string;
        if (state === "write") failOnce("writer");
        channels.write("chat_history", { role: "assistant", content: state });
        channels.write("context", { [state]: "done" });
        const next = states[states.indexOf(state) + 1];
        if (next === undefined) return success({ context: { ...(channels.get("context") as object), [state]: "done" } });
        channels.write("state", next);
        return nextIteration();
      },
    }),
  ],
  expect: {
    order: ["graph", "graph#2", "graph#2", "graph#3"],
    outputs: { context: { research: "done", write: "done", review: "done" } },
    channels: {
      state: "review",
      chat_history: ["research", "write", "review"].map((content) => ({ role: "assistant", content })),
      context: { research: "done", write: "done", review: "done" },
    },
  },
};

/** Seed 5, "LinearOrchestrator": tasks one after another, each with the results before it; what is done is not done again. */
const linear: Behaviour = {
  workflow: {
    name: "linear",
    channels: { results: { reduce: "merge" } },
    blocks: ["one", "two", "three"].map((id, i, ids) =>
      block(id, "Task", ids.slice(0, i).slice(-1), { writes: { results: { [id]: `did ${id}` } } }),
    ),
    outputs: { results: "${channels.results}" },
  },
  blocks: ({ failOnce, call }) => [
    defineBlock({
      type: "Task",
      execute({ block: id }) {
        if (id === "two") failOnce("two");
        call(id);
        return success({});
      },
    }),
  ],
  expect: {
    order: ["one", "two", "two", "three"],
    outputs: { results: { one: "did one", two: "did two", three: "did three" } },
    channels: { results: { one: "did one", two: "did two", three: "did three" } },
    calls: { one: 1, two: 1, three: 1 },
  },
};

/** Seed 5, "HITL pending" and "Nested HITL": the items of a map are agents that ask; the page is closed before each answer. */
const nestedQuestions: Behaviour = {
  workflow: {
    name: "nested_questions",
    blocks: [
      block("agents", "ExecuteWorkflow", [], {
        forEach: ["a", "b"],
        inputs: { workflow: "assistant", inputs: { topic: "${each.value}" } },
      }),
      block("report", "Tell", ["agents"], { inputs: { text: "${blocks.agents.results[0].said} ${blocks.agents.results[1].said}" } }),
    ],
    outputs: { report: "${blocks.report.text}" },
  },
  calls: [
    {
      name: "assistant",
      inputs: { topic: { type: "string" } },
      blocks: [
        block("think", "Tell", [], { inputs: { text: "on ${inputs.topic}" } }),
        block("feedback", "Interrupt", ["think"], { inputs: { draft: "${blocks.think.text}" } }),
        block("say", "Tell", ["feedback"], { inputs: { text: "${inputs.topic} ${blocks.feedback.decision}" } }),
      ],
      outputs: { said: "${blocks.say.text}" },
    },
  ],
  answers: { "agents[0]/feedback": "yes", "agents[1]/feedback": "no" },
  blocks: () => [tell, interrupt],
  expect: {
    order: ["think", "think", "feedback", "feedback", "feedback answered", "say", "feedback answered", "say", "report"],
    outputs: { report: "a yes b no" },
    asked: ["Approve: on a?", "Approve: on b?"],
  },
};

const CHART = new Uint8Array([137, 80, 78, 71]);

/** Seed 5, "Tool outputs with binary data" and the working directory of an agent: files are there for the blocks behind, in another process too. */
const files: Behaviour = {
  workflow: {
    name: "files",
    blocks: [
      block("tool", "Draw"),
      block("approve", "Interrupt", ["tool"], { inputs: { draft: "the chart" } }),
      block("size", "Measure", ["approve"]),
    ],
    outputs: { size: "${blocks.size.bytes}", text: "${blocks.tool.content}" },
  },
  answers: { approve: "yes" },
  blocks: () => [
    interrupt,
    defineBlock({
      type: "Draw",
      async execute({ files: written }) {
        await written.write("chart.png", CHART, { type: "image/png" });
        return success({ content: "Analysis complete" });
      },
    }),
    defineBlock({
      type: "Measure",
      async execute({ files: found }) {
        const { bytes } = await found.read("chart.png");
        return success({ bytes: bytes.length });
      },
    }),
  ],
  expect: {
    order: ["tool", "approve", "approve answered", "size"],
    outputs: { size: CHART.length, text: "Analysis complete" },
    asked: ["Approve: the chart?"],
  },
};

/** By the specification that tells it, and what it is about. */
export const BEHAVIOURS: { readonly [name: string]: Behaviour } = {
  "S3 state folded from steps": retrieval,
  "S3 a nested workflow": nested,
  "S3 a step that is paused": interrupted,
  "S4 a state machine with checkpoints": order,
  "S4 a training with periodic checkpoints": training,
  "S4 a worker that fails after a checkpoint": distributed,
  "S4 an iterative task": iterative,
  "S4 a parallel group": parallel,
  "S4 dynamic tasks": dynamic,
  "S4 checkpoints in a nested workflow": nestedCheckpoints,
  "S4 an attempt that fails": retried,
  "S5 an agent in the middle of its loop": agent,
  "S5 a map that is partly done": map,
  "S5 a sandbox that expired": sandbox,
  "S5 an orchestrator between two states": orchestrator,
  "S5 tasks one after another": linear,
  "S5 agents in a map that ask": nestedQuestions,
  "S5 files of a tool": files,
};
