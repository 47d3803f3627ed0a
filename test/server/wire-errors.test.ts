import { expect, test } from "vitest";
import { isWorkflowError, type WorkflowError } from "wavepoint";
import { remoteExecutor } from "wavepoint/remote";

/** What a client throws where a server answers with this error. */
async function thrownFor(error: unknown, status = 404): Promise<WorkflowError> {
  const fetch = async (): Promise<Response> => Response.json({ error }, { status });
  const executor = remoteExecutor("http://server.test", { fetch });
  try {
    await executor.runs.list();
  } catch (thrown) {
    if (isWorkflowError(thrown)) return thrown;
    throw thrown;
  } finally {
    await executor.close();
  }
  throw new Error("The client threw nothing.");
}

const known = { code: "RUN_NOT_FOUND", message: "There is no such run.", path: "blocks[0]", line: 2, column: 3, details: { run: "run_1" } };

test("what an error says is what the server said", async () => {
  expect((await thrownFor(known)).toJSON()).toEqual(known);
});

test("members that no error has are left behind", async () => {
  const thrown = await thrownFor({ ...known, stack: "at evil", cause: { secret: 1 }, toString: "x", name: "TypeError", severity: "error" });
  expect(thrown.toJSON()).toEqual(known);
  expect(Object.keys(thrown.place).toSorted()).toEqual(["column", "line", "path"]);
});

test.each([
  ["a place of another type", { ...known, path: { toString: "x" }, line: "2", column: 1.5, source: 7 }, { place: {} }],
  ["details of another type", { ...known, details: "none" }, { details: {} }],
  ["a message of another type", { ...known, message: { html: "<b>" } }, { message: "No reason was given." }],
  ["a code that is none", { ...known, code: "<script>" }, { code: "STORE_FAILED" }],
  ["no object", "gone", { code: "STORE_FAILED", message: "gone" }],
])("%s is not taken over", async (_, error, expected) => {
  expect(await thrownFor(error)).toMatchObject(expected);
});

test("a proxy that may work later counts as unreachable, with any error", async () => {
  expect((await thrownFor({ message: 5 }, 503)).code).toBe("STORE_UNREACHABLE");
});
