import { describe, expect, test } from "vitest";
import { defineBlock, type Network, success, type Workflow } from "wavepoint";
import { answer, place } from "./trip.ts";

const PASSPHRASE = "correct horse battery staple";
const CANARY = "canary-9f8e7d6c5b";

const deploy: Workflow = {
  name: "deploy",
  inputs: { token: { type: "string", secret: true }, target: { type: "string" } },
  blocks: [
    { id: "ask", type: "GetInput", inputs: { prompt: "Really ${inputs.target}?" } },
    {
      id: "send",
      type: "HttpCall",
      inputs: { url: "https://example.com/", headers: { Authorization: "${inputs.token}" } },
      dependsOn: ["ask"],
    },
  ],
  outputs: { status: "${blocks.send.status_code}" },
};

describe("a file with a passphrase", () => {
  test("shows nothing of the run, and is taken in with the same passphrase", async () => {
    const home = place();
    const run = await home.executor.start("trip", { who: "Wilhelmina" });
    await run.settled();
    const file = await home.executor.runs.export(run.id, { passphrase: PASSPHRASE });
    for (const word of ["Wilhelmina", "trip", run.id, "GetInput"]) expect(file).not.toContain(word);
    expect(file.split("\n")[0]).toMatch(/"format":"wavepoint-run","version":1,"sealed":/);
    const away = place();
    const moved = await away.executor.runs.import(file, { passphrase: PASSPHRASE });
    expect(await answer(moved, "Rome")).toBe("paused");
  });

  test("is refused with another passphrase, with none, and with any byte changed; nothing is stored", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    const file = await home.executor.runs.export(run.id, { passphrase: PASSPHRASE });
    const away = place();
    const refused = { code: "RUN_FILE_INVALID", details: { sealed: true } };
    await expect(away.executor.runs.import(file)).rejects.toMatchObject(refused);
    await expect(away.executor.runs.import(file, { passphrase: "Correct horse battery staple" })).rejects.toMatchObject(refused);
    const [first = ""] = file.split("\n");
    const places = [
      first.indexOf('"salt"') + 9,
      first.indexOf('"iv"') + 7,
      first.length + 10,
      Math.floor(file.length / 2),
      file.length - 3,
    ];
    for (const at of places) {
      const changed = file.slice(0, at) + (file[at] === "A" ? "B" : "A") + file.slice(at + 1);
      await expect(away.executor.runs.import(changed, { passphrase: PASSPHRASE }), `character ${at}`).rejects.toMatchObject(refused);
    }
    for (const changed of [
      file.slice(0, -1),
      `${file}\n`,
      file.slice(0, -20),
      first.replace('"version":1', '"version":1 ') + file.slice(first.length),
    ]) {
      await expect(away.executor.runs.import(changed, { passphrase: PASSPHRASE })).rejects.toMatchObject({ code: "RUN_FILE_INVALID" });
    }
    expect((await away.store.runs()).items).toEqual([]);
  });

  test("has a passphrase that is not empty", async () => {
    const home = place();
    const run = await home.executor.start("trip");
    await run.settled();
    await expect(home.executor.runs.export(run.id, { passphrase: "" })).rejects.toMatchObject({ code: "RUN_FILE_INVALID" });
    await expect(home.executor.runs.transfer(run.id, { to: "x", passphrase: "" })).rejects.toMatchObject({ code: "RUN_FILE_INVALID" });
    expect((await home.store.head(run.id))!.transferredTo).toBeUndefined();
  });
});

describe("secret inputs", () => {
  const sent: string[] = [];
  const network: Network = {
    async request({ url, headers }) {
      sent.push(JSON.stringify(headers));
      return { status: 200, headers: {}, body: new Uint8Array(), text: "", url };
    },
  };

  async function paused() {
    const home = place({ workflows: [deploy], grants: { network } });
    const run = await home.executor.start("deploy", { token: CANARY, target: "prod" });
    await run.settled();
    return { home, run };
  }

  test("go along only where they are asked for, in a sealed file", async () => {
    const { home, run } = await paused();
    await expect(home.executor.runs.export(run.id, { secrets: true })).rejects.toMatchObject({ code: "SECRET_MISPLACED" });
    expect(await home.executor.runs.export(run.id)).not.toContain(CANARY);
    const sealed = await home.executor.runs.export(run.id, { passphrase: PASSPHRASE, secrets: true });
    expect(sealed).not.toContain(CANARY);
    const away = place({ workflows: [deploy], grants: { network } });
    const moved = await away.executor.runs.import(sealed, { passphrase: PASSPHRASE });
    await answer(moved, "yes");
    expect(sent.at(-1)).toContain(CANARY);
    expect(JSON.stringify([await away.store.read(run.id), await away.store.head(run.id)])).not.toContain(CANARY);
  });

  test("are asked for where they were left out", async () => {
    const { home, run } = await paused();
    const file = await home.executor.runs.export(run.id, { passphrase: PASSPHRASE });
    const away = place({ workflows: [deploy], grants: { network } });
    const moved = await away.executor.runs.import(file, { passphrase: PASSPHRASE });
    await expect(answer(moved, "yes")).rejects.toMatchObject({ code: "SECRET_MISSING" });
  });
});

test("what stands under secret keys goes along with secret inputs", async () => {
  const seen: unknown[] = [];
  const logIn = defineBlock({
    type: "LogIn",
    effect: "once",
    execute: async () => success({ token: CANARY, device: { pin_secret: 7351 } }),
  });
  const use = defineBlock({
    type: "Use",
    execute: ({ inputs }) => {
      seen.push(inputs);
      return success({});
    },
  });
  const session: Workflow = {
    name: "session",
    blocks: [
      { id: "in", type: "LogIn" },
      { id: "ask", type: "GetInput", inputs: { prompt: "Go on?" }, dependsOn: ["in"] },
      {
        id: "use",
        type: "Use",
        inputs: { token: "${blocks.in.outputs.token}", device: "${blocks.in.outputs.device}" },
        dependsOn: ["ask"],
      },
    ],
  };
  const options = { workflows: [session], blocks: [logIn, use] };
  const home = place(options);
  const run = await home.executor.start("session");
  await run.settled();
  const file = await home.executor.runs.export(run.id, { passphrase: PASSPHRASE, secrets: true });
  const away = place(options);
  await answer(await away.executor.runs.import(file, { passphrase: PASSPHRASE }), "yes");
  expect(seen).toEqual([{ token: CANARY, device: { pin_secret: 7351 } }]);
  expect((await away.store.read(run.id)).join()).not.toContain(CANARY);
});
