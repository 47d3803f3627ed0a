import { describe, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

const flow = (condition: string, more = "") => `
name: flow
blocks:
  - { id: a, type: EchoBlock, inputs: { message: a }${more} }
  - { id: b, type: EchoBlock, inputs: { message: b }, depends_on: [a], condition: ${JSON.stringify(condition)} }
`;

async function findings(condition: string, more?: string): Promise<readonly string[]> {
  const { problems } = await checkWorkflow(flow(condition, more));
  return problems.map(({ severity, code, line }) => `${severity} ${code} ${line}`);
}

describe("a comparison of how a block ended with what it can never be is an error at load", () => {
  test.each([
    "${blocks.a.metadata.status} == 'success'",
    "'done' != ${blocks.a.metadata.status}",
    "${blocks.a.metadata.status} in ['completed', 'ok']",
    "not (${blocks.a.metadata.status} not in ['running'])",
    "true and (false or ${blocks.a.metadata.status} == null)",
    "${blocks.a.metadata.outcome} == 'completed'",
    "${blocks.a.metadata.succeeded} == 'true'",
    "${blocks.a.metadata.skipped} == 1",
    "${blocks.a.metadata.execution_order} == -1",
    "${blocks.a.metadata.execution_order} == 0.5",
    "${blocks.a.metadata.execution_order} < 'b'",
  ])("%s", async (condition) => {
    expect(await findings(condition)).toEqual(["error CONDITION_IMPOSSIBLE 5"]);
  });

  test("and names what it can be", async () => {
    const [problem] = (await checkWorkflow(flow("${blocks.a.metadata.status} == 'success'"))).problems;
    expect(problem?.message).toBe('The status of block "a" is never "success". It is one of: "completed", "failed", "skipped", "paused".');
  });

  test.each([
    "${blocks.a.metadata.status} == 'completed'",
    "${blocks.a.metadata.status} in ['skipped', 'paused']",
    "${blocks.a.metadata.outcome} == 'n/a'",
    "${blocks.a.metadata.succeeded} == true",
    "${blocks.a.metadata.execution_order} < 3",
    "${blocks.a.outputs.echoed} == 'success'",
    "${blocks.a.outputs.status} == 'success'",
  ])("while %s may hold", async (condition) => {
    expect((await findings(condition)).filter((finding) => finding.includes("IMPOSSIBLE"))).toEqual([]);
  });
});

describe("asking whether a block failed whose failure ends the run is a warning", () => {
  const asked = [
    "${blocks.a.metadata.failed}",
    "not ${blocks.a.metadata.failed}",
    "${blocks.a.metadata.status} == 'failed'",
    "${blocks.a.metadata.outcome} in ['failure']",
  ];

  test.each(asked)("%s", async (condition) => {
    expect(await findings(condition)).toEqual(["warning CONDITION_IMPOSSIBLE 5"]);
  });

  test.each(asked)("%s, and none where the run goes on", async (condition) => {
    expect(await findings(condition, ", continue_on_error: true")).toEqual([]);
  });
});

test("execution_order is the place in the order of execution, not in the file", async () => {
  const workflow = loadWorkflow(`
name: order
blocks:
  - { id: last, type: EchoBlock, inputs: { message: x }, depends_on: [second] }
  - { id: second, type: EchoBlock, inputs: { message: x }, depends_on: [first] }
  - { id: first, type: EchoBlock, inputs: { message: x } }
  - { id: beside, type: EchoBlock, inputs: { message: x } }
outputs:
  all: "\${blocks.first.metadata.execution_order} \${blocks.beside.metadata.execution_order} \${blocks.second.metadata.execution_order} \${blocks.last.metadata.execution_order}"
`);
  const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("order");
  expect((await run.settled()).outputs).toEqual({ all: "0 1 2 3" });
});

test("what looks at a skipped block runs nothing, negated or not", async () => {
  const ask = (id: string, condition: string) =>
    `  - { id: ${id}, type: EchoBlock, inputs: { message: x }, depends_on: [{ block: a, required: false }], condition: ${JSON.stringify(condition)} }\n`;
  const workflow = loadWorkflow(
    `name: unknown\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: a }, condition: false }\n${ask(
      "same",
      "${blocks.a.outputs.echoed} == 'a'",
    )}${ask("other", "not ${blocks.a.outputs.echoed} == 'a'")}${ask(
      "neither",
      "not (${blocks.a.outputs.echoed} == 'a' or ${blocks.a.outputs.echoed} == 'b')",
    )}${ask("skipped", "${blocks.a.skipped} and not ${blocks.a.succeeded}")}`,
  );
  const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("unknown");
  await run.settled();
  const ran = (await run.steps()).filter(({ status }) => status === "completed").map(({ block }) => block);
  expect(ran).toEqual(["skipped"]);
});
