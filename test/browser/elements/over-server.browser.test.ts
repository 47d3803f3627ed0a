import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, keys, part, show, startAsking, textOf } from "../../support/page-elements.ts";
import { expect, test } from "vitest";
import { readLink, remoteExecutor } from "wavepoint/remote";
import { serve } from "wavepoint/server";
import { overServer } from "../../server/served.ts";

test("a run of a server is answered in the page, which says that the server is away, and goes on with the next one", async () => {
  const {
    executor,
    openTab,
    run: own,
  } = await startAsking({
    name: { prompt: "What is your name?" },
    wood: { prompt: "Which wood?", schema: { enum: ["Larch", "Oak"] } },
  });
  const { client, network } = overServer(executor);
  const element = show("wavepoint-run", { run: await client.open(own.id) });
  const heading = () => textOf(part(element, "heading"));
  await expect.poll(heading).toBe("What is your name?");

  network.cut();
  await keys("{Tab}Ada{Enter}");
  await expect.poll(() => textOf(element)).toContain("The connection is gone. What you typed is still here: try again in a moment.");
  expect(heading()).toBe("What is your name?");
  expect(element.querySelector("input")!.value).toBe("Ada");
  await assertAccessible(element);

  network.served = serve({ executor: openTab(), authorize: () => true });
  network.isCut = false;
  await click(part(element, "primary")!);
  await expect.poll(heading).toBe("Which wood?");
  expect(textOf(element)).not.toContain("The connection is gone");
  await keys("{Tab} {Tab}{Tab}{Enter}");
  await expect.poll(heading).toBe("Done");
  await own.refresh();
  expect(own.getSnapshot()).toMatchObject({ status: "completed", outputs: { name: "Ada", wood: "Larch" } });
});

test("a page with a link to one question shows that question, answers it and is done, though its run asks more", async () => {
  const { executor, run: own } = await startAsking({
    name: { prompt: "What is your name?" },
    wood: { prompt: "Which wood?", schema: { enum: ["Larch", "Oak"] } },
  });
  const served = serve({ executor, token: "of-the-owner", linkKey: "0123456789abcdef0123456789abcdef" });
  const token = await served.link({ pause: own.getSnapshot().pauses[0]!.id });
  const guest = remoteExecutor("http://server.test", {
    fetch: (url, init) => served.fetch(new Request(url, { ...init, keepalive: false })),
    headers: { authorization: `Bearer ${token}` },
  });
  const element = show("wavepoint-run", { run: await guest.open(readLink(token).run) });
  const heading = () => textOf(part(element, "heading"));
  await expect.poll(heading).toBe("What is your name?");
  await keys("{Tab}Ada{Enter}");
  await expect.poll(heading).toBe("Done");
  await assertAccessible(element);
  expect(own.getSnapshot().pauses.map(({ prompt }) => prompt)).toEqual(["Which wood?"]);
  expect(textOf(element)).not.toContain("Which wood?");
  await guest.close();
});
