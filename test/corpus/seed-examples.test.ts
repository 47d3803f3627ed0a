/// <reference types="vite/client" />
import { expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type BlockType, type Executor, type Run, type Store, type Values } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { loadWorkflow } from "wavepoint/yaml";

const TEXTS = import.meta.glob("./seeds/*.yaml", { eager: true, query: "?raw", import: "default" }) as { readonly [path: string]: string };

const nameOf = (path: string): string => path.slice("./seeds/".length, -".yaml".length);

/** What a command comes to, by a part of it. Others print nothing and exit with 0. */
type Commands = { readonly [part: string]: { readonly exit_code?: number; readonly stdout?: string } };

/** An example, what is answered, and what comes of it. */
interface Example {
  readonly what?: string;
  readonly inputs?: Values;
  readonly commands?: Commands;
  readonly answers?: readonly string[];
  /** Workflows that it calls. */
  readonly calls?: readonly string[];
  readonly expect: {
    readonly status: "success" | "failure" | "refused";
    readonly outputs?: unknown;
    readonly waves?: readonly (readonly string[])[];
    readonly skipped?: readonly string[];
    /** The commands that ran, and the files that were written. */
    readonly did?: readonly string[];
    readonly prompts?: readonly string[];
    readonly code?: string;
  };
}

/** The blocks that the examples use outside of a page, without what they do there. */
function blocksFor(commands: Commands, did: string[]): readonly BlockType[] {
  const run = (command: string, mayFail: boolean) => {
    did.push(command);
    const { exit_code = 0, stdout = "" } = Object.entries(commands).find(([part]) => command.includes(part))?.[1] ?? {};
    const outputs = { exit_code, stdout, stderr: "", success: exit_code === 0 };
    return exit_code === 0 || mayFail ? success(outputs) : failure(`The command exited with ${exit_code}.`, outputs);
  };
  return [
    defineBlock({ type: "Shell", execute: ({ inputs }) => run(String(inputs["command"]), false) }),
    defineBlock({ type: "Give", execute: ({ inputs }) => success({ ...inputs }) }),
    defineBlock({ type: "CreateWorktree", execute: ({ inputs }) => run(`worktree ${String(inputs["path"])}`, false) }),
    defineBlock({
      type: "CreateFile",
      execute({ inputs }) {
        did.push(`${String(inputs["path"])}: ${String(inputs["content"])}`);
        return success({ file_path: String(inputs["path"]), success: true });
      },
    }),
  ];
}

const echo = (name: string, inputs: readonly string[], outputs: Values): string =>
  JSON.stringify({
    name,
    inputs: Object.fromEntries(inputs.map((input) => [input, { type: "string" }])),
    blocks: [{ id: "a", type: "EchoBlock", inputs: { message: inputs.map((input) => `\${inputs.${input}}`).join(" ") } }],
    outputs: { ...outputs, said: "${blocks.a.outputs.echoed}" },
  });

const int = (value: number): Values => ({ value: String(value), type: "integer" });

const EXAMPLES: { readonly [name: string]: readonly Example[] } = {
  "example-workflow": [
    {
      inputs: { branch_name: "dev" },
      expect: {
        status: "success",
        waves: [["setup"], ["run_tests"], ["deploy"]],
        did: ["worktree .worktrees/dev", "pytest .", "echo 'Deploying...'"],
        outputs: { test_result: 0 },
      },
    },
    {
      what: "a test fails",
      inputs: { branch_name: "dev" },
      commands: { pytest: { exit_code: 1 } },
      expect: { status: "failure", code: "BLOCK_FAILED" },
    },
    { what: "an input is missing", expect: { status: "refused", code: "INPUT_INVALID" } },
  ],
  diamond: [{ expect: { status: "success", waves: [["start"], ["parallel_a", "parallel_b"], ["merge"]] } }],
  resolution: [
    {
      inputs: { workspace: "ws" },
      commands: { mkdir: { stdout: "ws/output" } },
      expect: { status: "success", did: ["mkdir -p ws/output", "ws/output/data.txt: data"] },
    },
  ],
  conditional: [
    { calls: [echo("deploy-production", [], {})], expect: { status: "success", did: ["pytest tests/"], skipped: [] } },
    { what: "without the workflow that is called", expect: { status: "failure", code: "WORKFLOW_NOT_FOUND" } },
  ],
  references: [
    {
      inputs: { project_name: "my-project" },
      commands: { pytest: { stdout: "All tests passed" } },
      expect: {
        status: "success",
        outputs: {
          said: expect.stringMatching(
            /^my-project .*\n\. .*\nreferences .*\n[\dTZ:.-]+ .*\n0 .*\nAll tests passed .*\ntrue .*\n0 .*\nAll tests passed .*\npytest .*\n\d+ .*\n0 /,
          ),
        },
      },
    },
  ],
  "inline-workflow": [{ expect: { status: "success", waves: [["echo"]] } }],
  conditions: [
    {
      inputs: { environment: "production", version: "2.0.0", status: "done", skip_deployment: false },
      commands: { pytest: { stdout: "an error" } },
      expect: { status: "success", skipped: [] },
    },
    {
      what: "that do not hold",
      inputs: { environment: "staging", version: "1.9.9", status: "failed", skip_deployment: true },
      commands: { pytest: { stdout: "fine" } },
      expect: { status: "success", skipped: ["production", "newer", "deployed", "alive", "broken"] },
    },
  ],
  "block-outputs": [
    {
      commands: { pytest: { stdout: "All tests passed" } },
      expect: {
        status: "success",
        did: ["pytest tests/", "a.txt: text"],
        outputs: {
          said: expect.stringMatching(/^0 All tests passed true\n\d+\nhello hello 0\na\.txt a\.txt\n[\d-]+T[\d:.]+Z\n$/),
        },
      },
    },
  ],
  internal: [{ expect: { status: "refused", code: "REFERENCE_FORBIDDEN" } }],
  "build-and-test": [
    {
      inputs: { version: "1.0.0" },
      expect: {
        status: "success",
        waves: [["run_tests"], ["build_package"], ["create_readme"]],
        did: [
          "pytest tests/",
          "python -m build",
          expect.stringMatching(
            /^\.\/README\.md: # my-project\nVersion: 1\.0\.0\n\n## Test Results\nTests: true\nBuild time: \d+ms\n$/,
          ) as string,
        ],
        outputs: { test_success: true, build_success: true, total_time: expect.any(Number) },
      },
    },
  ],
  "pattern-inputs": [{ inputs: { username: "Ada" }, expect: { status: "success", did: ['echo "Hello, Ada!"'] } }],
  "pattern-metadata": [{ expect: { status: "success" } }],
  "pattern-outputs": [
    {
      commands: { which: { stdout: "/usr/bin/python3" } },
      expect: { status: "success", did: ["which python", "/usr/bin/python3 -m pytest"] },
    },
  ],
  "pattern-shortcut": [{ expect: { status: "success", did: ["pytest tests/", "deploy.sh"] } }],
  "pattern-block-inputs": [{ expect: { status: "success", did: ["pytest tests/"] } }],
  "pattern-block-metadata": [{ expect: { status: "success", did: ["pytest tests/"] } }],
  deployment: [
    {
      inputs: { environment: "production" },
      expect: { status: "success", skipped: [], waves: [["run_tests", "run_linter"], ["deploy_staging"], ["deploy_production"]] },
    },
    {
      what: "to another place",
      inputs: { environment: "staging" },
      expect: { status: "success", skipped: ["deploy_production"], did: ["pytest tests/", "ruff check .", "deploy.sh staging"] },
    },
  ],
  "parent-workflow": [
    {
      commands: { which: { stdout: "/usr/bin/python3" } },
      calls: [
        echo("pytest-workflow", ["python_path", "test_dir"], { exit_code: int(0), passed: int(42) }),
        echo("build-workflow", ["project_path"], { success: { value: "true", type: "boolean" } }),
      ],
      expect: { status: "success", outputs: { tests_passed: 42, build_success: true } },
    },
    {
      what: "tests fail",
      calls: [
        echo("pytest-workflow", ["python_path", "test_dir"], { exit_code: int(1), passed: int(41) }),
        echo("build-workflow", ["project_path"], {}),
      ],
      expect: { status: "success", skipped: ["build_package"], outputs: { tests_passed: 41, build_success: null } },
    },
  ],
  "interactive-blocks": [
    {
      answers: ["yes", "2", "1.2.3"],
      expect: {
        status: "success",
        prompts: [
          "Deploy to production?",
          expect.stringContaining("Select deployment environment:") as string,
          "Enter version number (e.g., 1.2.3):",
        ],
      },
    },
  ],
  "multi-pause": [
    {
      answers: ["yes", "2", "yes"],
      expect: {
        status: "success",
        skipped: [],
        prompts: [
          expect.stringContaining("Start deployment?"),
          expect.stringContaining("Select version:"),
          expect.stringContaining("Proceed with version 2.0.0?"),
        ] as never,
      },
    },
    { what: "not begun", answers: ["no"], expect: { status: "success", skipped: ["select_version", "confirm_final"] } },
  ],
  "interactive-approval": [
    {
      answers: ["yes"],
      expect: {
        status: "success",
        outputs: { deployment_approved: true, deployment_success: true },
        did: ["pytest tests/ -v", "kubectl apply -f k8s/"],
      },
    },
    {
      what: "refused",
      answers: ["no"],
      expect: { status: "success", skipped: ["deploy"], outputs: { deployment_approved: false, deployment_success: null } },
    },
  ],
  "config-wizard": [
    {
      answers: ["1", "my-app", "yes"],
      expect: {
        status: "success",
        prompts: [
          expect.stringContaining("What type of project?"),
          "Enter project name (lowercase, hyphens):",
          expect.stringContaining("Create my-app (python-fastapi)?"),
        ] as never,
        did: ["mkdir -p my-app"],
        outputs: { project_name: "my-app", project_type: "python-fastapi", created: true },
      },
    },
  ],
  "project-approval": [
    {
      inputs: { project: "shop", environment: "production" },
      answers: ["yes"],
      expect: {
        status: "success",
        prompts: [expect.stringContaining("Deploy shop to production?")] as never,
        outputs: { deployment_approved: true, deployment_success: true },
      },
    },
    {
      what: "tests fail",
      inputs: { project: "shop", environment: "production" },
      commands: { pytest: { exit_code: 1 } },
      expect: {
        status: "success",
        skipped: ["confirm_deploy", "deploy"],
        outputs: { deployment_approved: null, deployment_success: null },
      },
    },
  ],
  "setup-wizard": [
    {
      answers: ["yes", "react-app", "my-app", "yes"],
      expect: {
        status: "success",
        did: ["mkdir -p my-app"],
        prompts: [
          expect.stringContaining("Start interactive project setup wizard?"),
          expect.stringContaining("What type of project?"),
          "Enter project name (lowercase, hyphens):",
          expect.stringContaining("- Name: my-app\n- Type: react-app"),
        ] as never,
        outputs: { project_name: "my-app", project_type: "react-app", project_created: true },
      },
    },
    {
      what: "not begun",
      answers: ["no"],
      expect: { status: "success", skipped: ["select_type", "get_name", "confirm_creation", "create_project"] },
    },
  ],
};

const cases = Object.entries(TEXTS).flatMap(([path, text]) =>
  (EXAMPLES[nameOf(path)] ?? []).map(
    (example) => [`${nameOf(path)}${example.what === undefined ? "" : `: ${example.what}`}`, text, example] as const,
  ),
);

test("there are examples, and each says what comes of it", () => {
  expect(cases.length).toBeGreaterThan(20);
  expect(Object.keys(TEXTS).map(nameOf).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
});

test("simple-workflow: a definition in code, with the input that is given in the place of its default", async () => {
  const executor = createExecutor({ store: memoryStore(), host: fakeHost() });
  const run = await executor.start(
    {
      name: "simple-workflow",
      description: "Programmatic workflow example",
      inputs: { name: { type: "string", description: "User name", default: "World", required: false } },
      blocks: [
        { id: "echo_hello", type: "EchoBlock", inputs: { message: "Hello ${name}" }, dependsOn: [] },
        { id: "echo_goodbye", type: "EchoBlock", inputs: { message: "Goodbye ${name}" }, dependsOn: ["echo_hello"] },
      ],
    },
    { name: "Claude" },
  );
  expect((await run.settled()).status).toBe("success");
  expect((await run.state()).values).toMatchObject({ echo_hello: { echoed: "Hello Claude" }, echo_goodbye: { echoed: "Goodbye Claude" } });
});

/** The workflow starts, pauses are answered, each in another process; gives how the run stands, and what was asked. */
async function play(text: string, { inputs = {}, answers = [], calls = [], commands = {} }: Example) {
  const store: Store = memoryStore();
  const did: string[] = [];
  const workflow = loadWorkflow(text);
  let seed = 1;
  const open = (): Executor =>
    createExecutor({
      store,
      blocks: blocksFor(commands, did),
      workflows: [workflow, ...calls.map((called) => loadWorkflow(called))],
      host: fakeHost({ autoAdvance: true, seed: seed++ }),
    });
  let executor = open();
  let run: Run = await executor.start(workflow, inputs);
  let result = await run.settled();
  const prompts: string[] = [];
  for (const answer of answers) {
    const [pause] = run.getSnapshot().pauses;
    prompts.push(pause!.prompt);
    await executor.close();
    executor = open();
    run = await executor.open(run.id);
    result = await run.answer(pause!.id, answer);
  }
  return { run, result, prompts, did };
}

test.each(cases)("%s", async (_, text, example) => {
  const { status, outputs, waves, skipped, did, prompts, code } = example.expect;
  const played = await play(text, example).catch((error: unknown) => error as { readonly code: string });
  if ("code" in played) return expect([status, played.code], String(played)).toEqual(["refused", code]);
  const { run, result } = played;
  expect([result.status, "error" in result ? result.error.message : ""]).toEqual([status, status === "success" ? "" : expect.any(String)]);
  const view = run.getSnapshot();
  const all = view.waves.flatMap(({ blocks }) => blocks);
  if (code !== undefined) expect(result).toMatchObject({ error: { code } });
  if (outputs !== undefined) expect(run.getSnapshot().outputs).toEqual(outputs);
  if (waves !== undefined) expect(view.waves.map(({ blocks }) => blocks.map(({ id }) => id))).toEqual(waves);
  if (skipped !== undefined) expect(all.filter((block) => block.status === "skipped").map(({ id }) => id)).toEqual(skipped);
  if (did !== undefined) expect(played.did).toEqual(did);
  if (prompts !== undefined) expect(played.prompts).toEqual(prompts);
});
