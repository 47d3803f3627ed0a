import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createExecutor, type HttpRequest, type Network, type Workflow } from "wavepoint";
import { signWebhooks } from "wavepoint/network";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** The example of the scheme's own libraries: https://github.com/standard-webhooks/standard-webhooks. */
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const EXAMPLE = {
  url: "https://crm.example/hooks",
  method: "POST",
  headers: { "Idempotency-Key": "msg_p5jXN8AQM9LWM0D4loKWxJek", "content-type": "application/json" },
  body: '{"test": 2432232314}',
  followRedirects: true,
  timeoutMs: 1_000,
  signal: new AbortController().signal,
} satisfies HttpRequest;

/** A network that answers with the given statuses, one after another, and then with 200. */
function receiver(statuses: readonly number[] = []): Network & { readonly got: HttpRequest[] } {
  const got: HttpRequest[] = [];
  return {
    got,
    async request(request) {
      got.push(request);
      return { status: statuses[got.length - 1] ?? 200, headers: {}, body: new Uint8Array(), text: "", url: request.url };
    },
  };
}

function atInstant(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: seconds * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
}

describe("a webhook", () => {
  test("is signed as Standard Webhooks says", async () => {
    atInstant(1_614_265_330);
    const network = receiver();
    await signWebhooks(network, { "https://crm.example": SECRET }).request(EXAMPLE);
    expect(network.got[0]!.headers).toEqual({
      "idempotency-key": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "content-type": "application/json",
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test("has a signature for each secret, while one takes the place of another", async () => {
    atInstant(1_614_265_330);
    const network = receiver();
    const secrets = [`whsec_${btoa("another secret of 24 bytes")}`, SECRET];
    await signWebhooks(network, { "https://crm.example": secrets }).request(EXAMPLE);
    expect(network.got[0]!.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,g0hM9SsE\+OTPJTGt\/tmIKtSyZlE3uFJELVlNIOLJ1OE=$/);
  });

  test("is one only for its receiver, and where something is sent", async () => {
    const network = receiver();
    const signing = signWebhooks(network, { "https://crm.example": SECRET });
    for (const url of ["https://crm.example:8443/hooks", "http://crm.example/hooks", "https://x.crm.example/"])
      await signing.request({ ...EXAMPLE, url });
    await signing.request({ ...EXAMPLE, method: "GET", headers: {} });
    expect(network.got.flatMap(({ headers }) => Object.keys(headers)).filter((name) => name.startsWith("webhook"))).toEqual([]);
  });

  test.each([
    [{ "crm.example": SECRET }, /no origin/],
    [{ "https://crm.example/hooks": SECRET }, /no origin/],
    [{ "https://crm.example": "secret" }, /whsec_/],
    [{ "https://crm.example": "whsec_c2hvcnQ=" }, /24 to 64/],
  ])("is not made with %j", (secrets, message) => {
    expect(() => signWebhooks(receiver(), secrets)).toThrow(message);
  });
});

const order: Workflow = {
  name: "order",
  blocks: [
    {
      id: "tell",
      type: "HttpCall",
      inputs: { url: "https://crm.example/hooks", method: "POST", json: { type: "order.placed" } },
      retry: { maxAttempts: 3 },
    },
  ],
};

describe("a webhook as a step of a run", () => {
  test("is tried again with the same id, and recorded", async () => {
    const network = receiver([503, 500]);
    const grants = { network: signWebhooks(network, { "https://crm.example": SECRET }) };
    const executor = createExecutor({ store: memoryStore(), workflows: [order], host: fakeHost({ autoAdvance: true }), grants });
    const run = await executor.start("order");
    expect((await run.settled()).status).toBe("success");
    expect(new Set(network.got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(network.got.length).toBe(3);
    expect(await run.steps()).toMatchObject([{ block: "tell", status: "completed", attempts: 3 }]);
    expect(JSON.stringify([await run.steps(), run.getSnapshot()])).not.toContain("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  });

  test("is sent once more by the next process where the first one ended before the answer, with the same id", async () => {
    const store = memoryStore();
    const sent = receiver();
    const unanswered: Network = {
      request: (request) => {
        sent.got.push(request);
        return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason as Error)));
      },
    };
    const executorWith = (network: Network) =>
      createExecutor({ store, workflows: [order], grants: { network: signWebhooks(network, { "https://crm.example": SECRET }) } });
    const first = executorWith(unanswered);
    const { id } = await first.start("order");
    await expect.poll(() => sent.got.length).toBe(1);
    await first.close();
    const next = executorWith(sent);
    expect((await (await next.open(id)).resume()).status).toBe("success");
    expect(sent.got.map(({ headers }) => headers["webhook-id"])).toEqual([expect.any(String), sent.got[0]!.headers["webhook-id"]]);
    await next.close();
  });
});
