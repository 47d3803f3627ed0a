import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, WorkflowError, type Executor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { surveyExecutor } from "../browser/worker/survey.ts";
import { readEvents, type ServerEvent } from "../../src/server/client/read-events.ts";
import { serve, type Asked } from "wavepoint/server";
import { ADDRESS, overServer } from "./served.ts";

async function asking() {
  const executor = surveyExecutor(memoryStore());
  const own = await executor.start("survey", { who: "Ada" }, { id: "one" });
  const { pauses } = await own.settled();
  return { executor, own, pause: pauses![0]!.id };
}

/** The calls of an executor as an object of its own. */
function bound(executor: Executor): Executor {
  return new Proxy(executor, {
    ownKeys: () => ["open", "runs", "checkpoints"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

describe("a run that a page shows", () => {
  test("follows what happens elsewhere", async () => {
    const { executor, own, pause } = await asking();
    const { client } = overServer(executor);
    const run = await client.open("run_one");
    const end = run.subscribe(() => {});
    await own.answer(pause, "tea");
    await expect.poll(() => run.getSnapshot()).toEqual(own.getSnapshot());
    end();
  });

  test("says that the server cannot be reached, keeps its question, and goes on when it can", async () => {
    const { executor, own, pause } = await asking();
    const { client, network } = overServer(executor);
    const run = await client.open("run_one");
    const end = run.subscribe(() => {});
    await expect.poll(() => run.getSnapshot().status).toBe("paused");
    network.cut();
    await expect.poll(() => run.getSnapshot().error?.code).toBe("STORE_UNREACHABLE");
    expect(run.getSnapshot().pauses.map(({ id }) => id)).toEqual([pause]);
    await expect(run.answer(pause, "tea")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    await own.saveDraft(pause, "cof");
    network.isCut = false;
    await expect.poll(() => run.getSnapshot().pauses[0]?.draft).toBe("cof");
    expect(run.getSnapshot().error).toBeUndefined();
    expect((await run.answer(pause, "tea")).status).toBe("paused");
    end();
  });

  test("goes on with a server that took the place of the first", async () => {
    const { executor, own, pause } = await asking();
    const { client, network } = overServer(executor);
    const run = await client.open("run_one");
    const end = run.subscribe(() => {});
    network.cut();
    network.served = serve({ executor, authorize: () => true });
    network.isCut = false;
    await own.answer(pause, "tea");
    await expect.poll(() => run.getSnapshot()).toEqual(own.getSnapshot());
    end();
  });

  test("lists get changes", async () => {
    const { executor } = await asking();
    const { client } = overServer(executor);
    const told: (string | undefined)[] = [];
    const end = client.runs.watch((run) => told.push(run));
    const change = async (): Promise<number> => {
      await executor.start("survey", { who: "x" });
      return told.length;
    };
    await expect.poll(change).toBeGreaterThan(0);
    end();
  });

  test("a client that does not read takes little memory, and is asked to read all again", async () => {
    const { executor } = await asking();
    let tell = (_run?: string): void => {};
    const runs: Executor["runs"] = {
      ...executor.runs,
      watch: (listener) => {
        tell = listener;
        return () => {};
      },
    };
    const { fetch, close } = serve({ executor: { ...bound(executor), runs }, authorize: () => true });
    const { body } = await fetch(new Request(`${ADDRESS}/changes`));
    const changes = 20_000;
    for (let i = 0; i < changes; i += 1) {
      tell(`run_${i}`);
      if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    const events: unknown[] = [];
    const reading = (async () => {
      for await (const { data } of readEvents(body as ReadableStream<Uint8Array<ArrayBuffer>>)) events.push(JSON.parse(data));
    })();
    await expect.poll(() => events.length).toBeGreaterThan(0);
    tell("run_last");
    await expect.poll(() => events.at(-1)).toEqual({ run: "run_last" });
    expect(events).toContainEqual({});
    expect(events.length).toBeLessThan(10);
    close();
    await reading;
  });

  test("a right that cannot be looked up is reported, and the server lives on", async () => {
    const { executor } = await asking();
    const errors: unknown[] = [];
    const authorize = (_request: Request, { run }: Asked): boolean => {
      if (run !== undefined) throw new Error("The directory of people is away.");
      return true;
    };
    const { client } = overServer(executor, { authorize, onError: (error) => errors.push(error) });
    const told: (string | undefined)[] = [];
    const end = client.runs.watch((run) => told.push(run));
    const change = async (): Promise<number> => {
      await executor.start("survey", { who: "x" });
      return errors.length;
    };
    await expect.poll(change).toBeGreaterThan(0);
    expect(errors[0]).toMatchObject({ message: "The directory of people is away." });
    expect(told.filter((run) => run !== undefined)).toEqual([]);
    end();
  });
});

/** A block that writes word by word, as the test lets it. */
function writing(): { readonly executor: (onEvent: (event: never) => void) => Executor; write(text: string): void; end(): void } {
  let write!: (text: string) => void;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const writer = defineBlock({
    type: "Writer",
    async execute(context) {
      write = (text) => context.output("stdout", text);
      await ended;
      return success({ done: true });
    },
  });
  const workflows = [{ name: "write", blocks: [{ id: "words", type: "Writer" }] }];
  return {
    executor: (onEvent) => createExecutor({ store: memoryStore(), blocks: [writer], workflows, onEvent: onEvent as never }),
    write: (text) => write(text),
    end: () => end(),
  };
}

describe("what a block writes", () => {
  test("comes as it is written, with what was there before, and a client that comes again gets the rest", async () => {
    const pen = writing();
    let tell = (_event: never): void => {};
    const executor = pen.executor((event) => tell(event));
    const { fetch, onEvent, close } = serve({ executor, authorize: () => true });
    tell = onEvent as never;
    await executor.start("write", {}, { id: "w" });
    await expect
      .poll(() => {
        try {
          pen.write("Once ");
          return true;
        } catch {
          return false;
        }
      })
      .toBe(true);

    const listen = async (lastId?: string): Promise<AsyncGenerator<ServerEvent>> => {
      const response = await fetch(
        new Request(`${ADDRESS}/runs/w/events`, lastId === undefined ? {} : { headers: { "last-event-id": lastId } }),
      );
      return readEvents(response.body as never);
    };
    const nextText = async (events: AsyncGenerator<ServerEvent>): Promise<readonly [text: string, id: string | undefined]> => {
      for (;;) {
        const { value } = await events.next();
        if (value?.event === "output") return [(JSON.parse(value.data) as { readonly text: string }).text, value.id];
      }
    };
    const first = await listen();
    expect((await nextText(first))[0]).toBe("Once ");
    pen.write("upon ");
    const [text, id] = await nextText(first);
    expect(text).toBe("upon ");
    await first.return(undefined);

    pen.write("a time");
    expect((await nextText(await listen(id)))[0]).toBe("a time");
    expect((await nextText(await listen("other.1:1=3")))[0]).toBe("Once upon a time");
    pen.end();
    await (await executor.open("w")).settled();
    const { value } = await (await listen()).next();
    expect(value?.event).toBe("view");
    close();
  });
});

describe("schedules that a client has a server keep", () => {
  const nightly: Workflow = { name: "nightly", blocks: [], schedule: { cron: "* * * * *", timeZone: "UTC" } };

  test("are kept over a lost connection, until the client ends it", async () => {
    const host = fakeHost({ autoAdvance: false });
    const executor = createExecutor({ store: memoryStore(), workflows: [nightly], host });
    const { client, network } = overServer(executor);
    const ending = new AbortController();
    const keeping = client.runSchedules({ signal: ending.signal });
    keeping.catch(() => {});
    const afterAMinute = async (): Promise<number> => {
      await host.advance(60_000);
      return (await client.runs.list({ workflow: "nightly" })).items.length;
    };
    await expect.poll(afterAMinute).toBeGreaterThan(0);
    network.cut();
    network.isCut = false;
    const before = await afterAMinute();
    await expect.poll(afterAMinute).toBeGreaterThan(before);
    ending.abort();
    await expect(keeping).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("end with what makes them fail", async () => {
    const broken = new Proxy(surveyExecutor(memoryStore()), {
      get: (target, name) =>
        name === "runSchedules" ? () => Promise.reject(new WorkflowError("STORE_QUOTA", "Full.")) : target[name as "load"],
    });
    await expect(overServer(broken).client.runSchedules()).rejects.toMatchObject({ code: "STORE_QUOTA" });
  });
});
