import type { Block, Pause, Run, Workflow } from "wavepoint";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const call = (id: string, workflow: string): Block => ({ id, type: "ExecuteWorkflow", inputs: { workflow } });

/**
 * An order with a question two calls down, `parcel/label/size`, whose answer goes to a service. `note` is open beside the call, and `sure`
 * comes behind both.
 */
export const ORDERS: readonly Workflow[] = [
  {
    name: "label",
    blocks: [ask("size"), { id: "print", type: "Put", inputs: { value: "${blocks.size.input_value}" }, dependsOn: ["size"] }],
    outputs: { printed: "${blocks.print.value}" },
  },
  { name: "parcel", blocks: [call("label", "label")], outputs: { printed: "${blocks.label.printed}" } },
  {
    name: "order",
    blocks: [call("parcel", "parcel"), ask("note"), ask("sure", { dependsOn: ["parcel"] })],
    outputs: { printed: "${blocks.parcel.printed}", note: "${blocks.note.input_value}", sure: "${blocks.sure.input_value}" },
  },
];

/** The path of the question two calls down. */
export const SIZE = "parcel/label/size";

/** A payment that must not be made twice, between two questions that stand before it and one behind it. What is paid depends on `amount` alone. */
export const PAYMENT: Workflow = {
  name: "payment",
  blocks: [
    ask("amount"),
    ask("note"),
    { id: "pay", type: "Once", inputs: { value: "${blocks.amount.input_value}" }, dependsOn: ["amount", "note"] },
    ask("sure", { dependsOn: ["pay"] }),
  ],
  outputs: { paid: "${blocks.pay.value}", note: "${blocks.note.input_value}" },
};

/** The paths of the questions that wait. */
export function openIn(run: Run): readonly string[] {
  return run
    .getSnapshot()
    .pauses.map(({ path }) => path.join("/"))
    .toSorted();
}

/** The first question that waits. */
export function firstOpen(run: Run): Pause | undefined {
  return run.getSnapshot().pauses[0];
}
