import { describe, expect, test } from "vitest";
import type { Block, RetryPolicy } from "wavepoint";
import {
  answered,
  attempted,
  began,
  block,
  compensating,
  completed,
  ended,
  failed,
  fold,
  items,
  iterated,
  next,
  paused,
  reopened,
  resumed,
  signalled,
  skipped,
  suspended,
  waiting,
  workflow,
  type Given,
} from "./machine.ts";

/** State in, action out: the entries that led to the state, the time, and what is to be done. */
type Row = readonly [what: string, given: readonly Given[], action: string, now?: number];

function table(flow: ReturnType<typeof workflow>, rows: readonly Row[]): void {
  for (const [what, given, action, now] of rows) test(what, () => expect(next(flow, given, now)).toBe(action));
}

describe("blocks", () => {
  table(workflow(block("a"), block("b"), block("c", ["a"]), block("d", ["b", "c"])), [
    ["all of the first wave run together", [], "run a b"],
    ["one that has settled is not run again", [completed("a")], "run b"],
    ["the next wave waits for all of this one", [completed("b")], "run a"],
    ["the next wave runs once this one has settled", [completed("a"), completed("b")], "run c"],
    ["a skipped block settles its wave", [completed("a"), skipped("b")], "run c"],
    ["the run completes with its last block", [completed("a"), completed("b"), completed("c"), completed("d")], "complete"],
    [
      "there is nothing to do after the end",
      [completed("a"), completed("b"), completed("c"), completed("d"), ended("completed")],
      "nothing",
    ],
    ["there is nothing to do once the run is cancelled", [completed("a"), ended("cancelled")], "nothing"],
  ]);
  test("a workflow without blocks completes at once", () => {
    expect(next(workflow(), [])).toBe("complete");
  });
});

describe("signals", () => {
  const forEvent = (id: string, until?: number, more: object = {}): Given => waiting(id, until, { events: ["e"], ...more });
  table(workflow(block("a"), block("b"), block("c", ["a"])), [
    ["what waits for an event waits as long as it takes", [forEvent("a"), completed("b")], "wait"],
    ["it goes on with one that comes", [forEvent("a"), completed("b"), signalled("s", "e")], "wake a by s"],
    ["and with one that had come", [signalled("s", "e"), forEvent("a"), completed("b")], "wake a by s"],
    ["not with one of another name", [forEvent("a"), completed("b"), signalled("s", "f")], "wait"],
    ["the same one again is no other", [forEvent("a"), forEvent("b"), signalled("s", "e"), signalled("s", "e")], "wake a by s"],
    [
      "the oldest goes to the first of the plan",
      [forEvent("b"), forEvent("a"), signalled("s", "e"), signalled("t", "e")],
      "wake b by t a by s",
    ],
    [
      "of several names the oldest",
      [waiting("a", undefined, { events: ["f", "e"] }), completed("b"), signalled("s", "e"), signalled("t", "f")],
      "wake a by s",
    ],
    ["one that was taken is gone", [forEvent("a"), signalled("s", "e"), completed("a", {}, { signal: "s" }), forEvent("b")], "wait"],
    ["an instant that comes first wins", [forEvent("a", 5), completed("b"), signalled("s", "e", null, { at: 6 })], "wake a"],
    [
      "one that comes before it wins, however late it is seen",
      [forEvent("a", 5), completed("b"), signalled("s", "e", null, { at: 4 })],
      "wake a by s",
    ],
    [
      "one that came too late is kept for another",
      [forEvent("a", 5), forEvent("b"), signalled("s", "e", null, { at: 6 })],
      "wake a b by s",
    ],
    ["until then it sleeps", [forEvent("a", 5), completed("b")], "sleep until 5", 4],
    [
      "what is tried again keeps its signal",
      [forEvent("a"), completed("b"), signalled("s", "e"), attempted("a", 5, { signal: "s" })],
      "wake a by s",
    ],
    [
      "what must not run twice keeps it over a crash",
      [forEvent("b"), signalled("s", "e"), began("b", { signal: "s" }), forEvent("a")],
      "wake b by s",
    ],
    ["a run that fails takes none", [failed("a"), forEvent("b")], "fail a"],
    [
      "a failed run that is resumed gives it once more",
      [forEvent("a"), completed("b"), signalled("s", "e"), failed("a", "no", { signal: "s" }), ended("failed"), resumed, forEvent("a")],
      "wake a by s",
    ],
  ]);
  const ends = { onEvent: { e: "skip" } };
  table(workflow(block("a"), block("b")), [
    ["a question is ended by its event", [paused("a", 0, ends), completed("b"), signalled("s", "e")], "expire 0 by s"],
    ["blocks that wait come before questions", [paused("a", 0, ends), forEvent("b"), signalled("s", "e")], "wake b by s"],
    ["one that was answered is not ended", [paused("a", 0, ends), completed("b"), answered(0), signalled("s", "e")], "resume 0"],
    [
      "a deadline that came first wins",
      [paused("a", 0, { ...ends, until: 5 }), completed("b"), signalled("s", "e", null, { at: 6 })],
      "expire 0",
    ],
  ]);
});

describe("a run that is stopped for now", () => {
  table(workflow(block("a"), block("b", ["a"])), [
    ["does nothing", [suspended], "wait"],
    ["goes on where it stood once it is resumed", [completed("a"), suspended, resumed], "run b"],
    ["does not go on after what had ended meanwhile", [suspended, completed("a")], "wait"],
    ["does not try again what it is to be done", [attempted("a", 5), suspended], "wait"],
    ["tries it then", [attempted("a", 5), suspended, resumed], "wake a"],
    ["lets no question expire", [paused("a", 0, { until: 5 }), suspended], "wait"],
    ["resumes a question that was answered meanwhile", [paused("a", 0), suspended, answered(0), resumed], "resume 0"],
    ["does not fail", [suspended, failed("a")], "wait"],
    ["fails once it is resumed", [suspended, failed("a"), resumed], "fail a"],
    ["ends where it is cancelled", [suspended, ended("cancelled")], "nothing"],
  ]);
  table(workflow(block("a", [], { compensate: "undo" }), block("b", ["a"]), block("undo")), [
    ["undoes what it did where it is cancelled", [completed("a"), suspended, compensating("cancelled")], "run undo"],
    ["goes on undoing where it is stopped late", [completed("a"), compensating("cancelled"), suspended], "run undo"],
  ]);
  table(workflow(block("call")), [["looks at no run that it called", [waiting("call", undefined), suspended], "wait"]]);
});

describe("a block that waits for the run that it called, and that for no instant", () => {
  const rows: readonly (readonly [what: string, looked: ReadonlyMap<string, number> | undefined, action: string])[] = [
    ["is not due for those who only follow", undefined, "wait"],
    ["is looked at once by each process that executes the run", new Map(), "wake call"],
    ["and not again", new Map([["call", 0]]), "wait"],
  ];
  test.each(rows)("%s", (_, looked, action) => {
    expect(next(workflow(block("call")), [waiting("call", undefined)], 1_000, looked)).toBe(action);
  });
});

describe("blocks that are left out", () => {
  const dry = "${blocks.a.outputs.rain} == false";
  const flow = workflow(
    block("a"),
    block("b", ["a"], { condition: dry }),
    block("c", ["a"]),
    block("d", ["b"]),
    block("e", ["b", "c"], { dependsOn: [{ block: "b", required: false }, "c"] }),
  );
  const wet = completed("a", { rain: true });
  table(flow, [
    ["a block whose condition holds runs", [completed("a", { rain: false })], "run b c"],
    ["one whose condition does not hold is skipped before its wave runs", [wet], "skip b (condition)"],
    ["then the rest of its wave runs", [wet, skipped("b")], "run c"],
    ["a condition is not asked again once its block was skipped", [wet, skipped("b"), completed("c")], "skip d (dependency)"],
    ["what needs a skipped block is skipped, what does not runs", [wet, skipped("b"), completed("c"), skipped("d")], "run e"],
    ["a condition on an output that is not there does so too", [completed("a")], "refuse b (REFERENCE_UNKNOWN)"],
    ["after it the rest of the wave runs", [completed("a"), failed("b")], "run c"],
    ["then the run fails", [completed("a"), failed("b"), completed("c")], "fail b"],
  ]);
  table(workflow(block("a"), block("b", ["a"], { condition: dry, retry: { maxAttempts: 3 } })), [
    ["what cannot be evaluated is not tried again", [completed("a")], "refuse b (REFERENCE_UNKNOWN)"],
  ]);
  table(workflow(block("a"), block("b", ["a"], { condition: dry, forEach: [1, 2] })), [
    ["the items of a block that is skipped are not opened", [wet], "skip b (condition)"],
    ["the condition counts before its items begin", [completed("a", { rain: false }), items("b", 2)], "run b"],
  ]);
  table(workflow(block("a"), block("b")), [
    ["a question that was left out skips its block", [paused("a", 0), answered(0, null, { action: "skip" })], "skip a (left-out)"],
    ["a declined one resumes it", [paused("a", 0), completed("b"), answered(0, null, { action: "decline" })], "resume 0"],
  ]);
  table(workflow(block("a", [], { forEach: [1, 2] })), [
    [
      "of an item that asked, that item",
      [items("a", 2), completed("a", {}, { item: 0 }), paused("a", 0, { item: 1 }), answered(0, null, { action: "skip" })],
      "skip a[1] (left-out)",
    ],
  ]);
  table(workflow(block("a", [], { condition: false })), [["a condition may be a plain no", [], "skip a (condition)"]]);
  test("evaluating a condition changes nothing", () => {
    const { run } = fold(flow, [wet]);
    expect(run.decide(5)).toEqual(run.decide(5));
  });
});

describe("branches", () => {
  const isLeft = "${blocks.a.outputs.way} == 'left'";
  const left = completed("a", { way: "left" });
  const right = completed("a", { way: "right" });
  const fork = workflow(
    block("a", [], { next: [{ to: "l", when: isLeft }, "r"] }),
    block("l"),
    block("r"),
    block("end", ["l", "r"], { join: "any" }),
  );
  table(fork, [
    ["nothing that a block may choose runs before it", [], "run a"],
    ["the first way that holds is taken, the others are skipped", [left], "skip r (not-chosen)"],
    ["one without a condition always holds", [right], "skip l (not-chosen)"],
    ["then the taken one runs", [left, skipped("r")], "run l"],
    ["where branches meet one is enough", [left, skipped("r"), completed("l")], "run end"],
    ["what the block chose itself counts in the place of its conditions", [{ ...left, next: ["r"] }], "skip l (not-chosen)"],
    ["it may choose several", [{ ...left, next: ["r", "l"] }], "run l r"],
    ["and none", [{ ...left, next: [] }], "skip l (not-chosen) r (not-chosen)"],
    ["a block whose ways were all skipped is skipped", [{ ...left, next: [] }, skipped("l"), skipped("r")], "skip end (dependency)"],
    ["a skipped block leads nowhere", [skipped("a")], "skip l (dependency) r (dependency)"],
    ["a condition that cannot be evaluated fails what it is about", [completed("a")], "refuse l (REFERENCE_UNKNOWN) r (REFERENCE_UNKNOWN)"],
  ]);
  const guarded = workflow(block("a", [], { onFailure: "h", next: ["b"] }), block("b"), block("h"), block("c", ["a"]));
  table(guarded, [
    ["a failure takes the way for failures, and nothing of next", [failed("a")], "skip b (not-chosen)"],
    ["what just depends on the block runs too", [failed("a"), skipped("b")], "run h c"],
    ["without a failure its block is skipped", [completed("a")], "skip h (no-failure)"],
    ["it waits for the last attempt", [attempted("a", 500)], "sleep until 500", 100],
    ["where it was skipped there is no failure either", [skipped("a")], "skip b (dependency) h (dependency) c (dependency)"],
  ]);
  table(workflow(block("a", [], { continueOnError: true, next: ["b"] }), block("b")), [
    ["with continue_on_error a block that failed chooses all the same", [failed("a")], "run b"],
  ]);
  const shared = workflow(block("a", [], { onFailure: "h" }), block("b", [], { onFailure: "h" }), block("h", [], { join: "any" }));
  table(shared, [
    ["several may lead to one", [completed("a"), failed("b")], "run h"],
    ["which is skipped where none fails", [completed("a"), completed("b")], "skip h (no-failure)"],
  ]);
  table(workflow(block("a", [], { next: ["c"] }), block("b"), block("c", ["b", { block: "a", required: false }] as never)), [
    ["a way counts where the block is named as a dependency too", [{ ...left, next: [] }, completed("b")], "skip c (not-chosen)"],
  ]);
});

describe("what is undone", () => {
  const flow = workflow(
    block("a", [], { compensate: "x" }),
    block("b", ["a"], { compensate: "y" }),
    block("c", ["b"]),
    block("x"),
    block("y"),
  );
  const done = [completed("a"), completed("b"), failed("c")];
  table(flow, [
    ["what undoes a block is no part of the plan", [], "run a"],
    ["a run that completes undoes nothing", [completed("a"), completed("b"), completed("c")], "complete"],
    ["a failure ends the plan first", done, "fail c"],
    ["what completed last is undone first", [...done, compensating()], "run y"],
    ["then what completed before", [...done, compensating(), completed("y")], "run x"],
    ["the run ends once all is undone", [...done, compensating(), completed("y"), completed("x")], "end"],
    ["what did not complete is not undone", [completed("a"), failed("b"), compensating()], "run x"],
    ["one that cannot undo does not keep the others from it", [...done, compensating(), failed("y")], "run x"],
    ["it is tried again as its policy says", [...done, compensating(), attempted("y", 500)], "sleep until 500", 100],
    ["and then it goes on", [...done, compensating(), attempted("y", 500)], "wake y", 500],
    ["it may ask", [...done, compensating(), paused("y", 0)], "wait"],
    ["and takes the answer", [...done, compensating(), paused("y", 0), answered(0)], "resume 0"],
    ["nothing follows the end", [...done, compensating(), completed("y"), completed("x"), ended("failed")], "nothing"],
    ["a run that is cancelled undoes too", [completed("a"), compensating("cancelled")], "run x"],
  ]);
  table(workflow(block("a", [], { compensate: "x" }), block("b"), block("c", ["b"]), block("x")), [
    ["an open question is none any more", [completed("a"), paused("b", 0), compensating("cancelled"), completed("x")], "end"],
  ]);
  table(workflow(block("a", [], { forEach: [1, 2], compensate: "x" }), block("b"), block("x")), [
    [
      "each item is undone by itself",
      [items("a", 2), completed("a", {}, { item: 1 }), failed("a", "no", { item: 0 }), completed("b"), compensating(), completed("x")],
      "end",
    ],
    [
      "one after the other",
      [items("a", 2), completed("a", {}, { item: 1 }), completed("a", {}, { item: 0 }), failed("b"), compensating(), completed("x")],
      "run x",
    ],
  ]);
  test.each<[string, readonly Given[]]>([
    ["what was not undone yet out of its turn", [completed("x")]],
    ["a block of the plan", [completed("c")]],
    ["a resumption", [resumed]],
    ["a second beginning", [compensating()]],
  ])("cannot be followed by %s", (_, given) => {
    expect(() => fold(flow, [...done, compensating(), ...given])).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
  });
  test("cannot begin where there is nothing to undo", () => {
    expect(() => fold(flow, [failed("a"), compensating()])).toThrow(expect.objectContaining({ code: "RUN_CORRUPT" }));
  });
});

describe("failures", () => {
  const flow = workflow(block("a"), block("b"), block("c", ["a"]));
  table(flow, [
    ["siblings of what failed come to their end first", [failed("a")], "run b"],
    ["then the run fails", [failed("a"), completed("b")], "fail a"],
    ["of several failures the first of the definition counts", [failed("a"), failed("b")], "fail a"],
    ["also where another one was quicker", [failed("b"), failed("a")], "fail a"],
    ["an open question of a sibling does not hold the failure up", [paused("b", 0), failed("a")], "fail a"],
    ["a sibling that is tried again does", [attempted("b", 5_000), failed("a")], "sleep until 5000"],
    ["a sibling that waits for an instant of its own does not", [waiting("b", 5_000), failed("a")], "fail a"],
    ["an answer that came is given to its block before the run fails", [paused("b", 0), answered(0), failed("a")], "resume 0"],
    ["a failed run that is resumed runs what failed", [completed("b"), failed("a"), ended("failed"), resumed], "run a"],
    ["and nothing else", [failed("a"), failed("b"), ended("failed"), resumed, completed("a")], "run b"],
  ]);
  const lenient = workflow(block("a", [], { continueOnError: true }), block("b", ["a"]));
  table(lenient, [["with continue_on_error the dependents run", [failed("a")], "run b"]]);
});

describe("what follows a failure", () => {
  const follows = (retry: RetryPolicy | undefined, given: readonly Given[], failure: object = {}, more: Partial<Block> = {}): string => {
    const { run } = fold(workflow(block("a", [], { ...(retry ? { retry } : {}), ...more })), given);
    const next = run.decideFailure({ unit: { block: 0 }, code: "BLOCK_FAILED", at: 10_000, chance: 0, ...failure });
    return next.do === "retry" ? `retry at ${next.until}` : next.do;
  };
  const thrice: RetryPolicy = { maxAttempts: 3 };
  const once = attempted("a", 5);
  const rows: readonly (readonly [what: string, ...given: Parameters<typeof follows>, action: string])[] = [
    ["without a policy the block fails", undefined, [], {}, {}, "fail"],
    ["one attempt in all is no second one", { maxAttempts: 1 }, [], {}, {}, "fail"],
    ["it is tried again after a second", thrice, [], {}, {}, "retry at 11000"],
    ["then after two", thrice, [once], {}, {}, "retry at 12000"],
    ["the last attempt is final", thrice, [once, once], {}, {}, "fail"],
    ["the policy says how long the first delay is", { ...thrice, delayMs: 50 }, [], {}, {}, "retry at 10050"],
    ["and what it is multiplied with", { ...thrice, delayMs: 50, backoff: 10 }, [once], {}, {}, "retry at 10500"],
    ["no delay is longer than the longest", { ...thrice, delayMs: 50, backoff: 10, maxDelayMs: 60 }, [once], {}, {}, "retry at 10060"],
    ["chance makes it shorter", { ...thrice, jitter: 0.5 }, [], { chance: 0.5 }, {}, "retry at 10750"],
    ["what a person has decided is final", thrice, [], { code: "PAUSE_DECLINED" }, {}, "fail"],
    ["so is what the definition says", thrice, [], { code: "REFERENCE_UNKNOWN" }, {}, "fail"],
    ["a time limit is not", thrice, [], { code: "BLOCK_TIMEOUT" }, {}, "retry at 11000"],
    ["an iteration has all attempts of its own", thrice, [once, once, iterated("a", 1)], {}, {}, "retry at 11000"],
    ["what gives the items of a block is not tried again", thrice, [], {}, { forEach: [1] }, "fail"],
    ["an item is", thrice, [items("a", 1)], { unit: { block: 0, item: 0 } }, { forEach: [1] }, "retry at 11000"],
  ];
  test.each(rows)("%s", (_, retry, given, failure, more, action) => expect(follows(retry, given, failure, more)).toBe(action));
});

describe("attempts and instants", () => {
  table(workflow(block("a"), block("b")), [
    ["what is tried again sleeps until its delay is over", [completed("b"), attempted("a", 500)], "sleep until 500", 499],
    ["and wakes at that instant", [completed("b"), attempted("a", 500)], "wake a", 500],
    ["the earliest of several instants counts", [waiting("b", 700), attempted("a", 500)], "sleep until 500", 100],
    ["what is due runs beside what is pending", [waiting("a", 500)], "run b, wake a", 500],
    ["what is not due does not keep others from running", [waiting("a", 500)], "run b", 100],
    ["a sleeper that has woken and completed is done", [waiting("a", 500), completed("a"), completed("b")], "complete"],
  ]);
});

describe("questions", () => {
  const flow = workflow(block("a"), block("b"), block("c", ["a", "b"]));
  table(flow, [
    ["siblings of a block that asks run", [paused("a", 0)], "run b"],
    ["then the run waits", [paused("a", 0), completed("b")], "wait"],
    ["an answer resumes the block that asked", [paused("a", 0), completed("b"), answered(0)], "resume 0"],
    ["answers come in any order", [paused("a", 0), paused("b", 1), answered(1)], "resume 1"],
    ["several answers are given together", [paused("a", 0), paused("b", 1), answered(1), answered(0)], "resume 1 0"],
    ["an answered block that has settled is not resumed again", [paused("a", 0), completed("b"), answered(0), completed("a")], "run c"],
    ["a refused answer opens the question again", [paused("a", 0), completed("b"), answered(0), reopened(0)], "wait"],
    ["a block may ask again", [paused("a", 0), completed("b"), answered(0), paused("a", 1)], "wait"],
    ["the second question is answered by itself", [paused("a", 0), completed("b"), answered(0), paused("a", 1), answered(1)], "resume 1"],
    [
      "a block may wait for an instant after its answer",
      [paused("a", 0), completed("b"), answered(0), waiting("a", 50, { pause: 0 })],
      "wake a",
      60,
    ],
  ]);
});

describe("called runs", () => {
  const flow = workflow(block("a"), block("b"));
  const asks = (pause: number): Given => paused("a", pause, { child: pause });
  const one = [completed("b"), asks(0)];
  const two = [...one, asks(1)];

  describe("for a process that only follows", () => {
    table(flow, [
      ["the run waits as long as something is asked", [...two, answered(0)], "wait"],
      ["it is due once nothing is asked any more", [...two, answered(0), answered(1)], "resume 1"],
      ["also where a sibling still asks", [paused("b", 0), paused("a", 1, { child: 0 }), answered(1)], "resume 1"],
      ["a block that has settled waits for no call", [...one, answered(0), completed("a")], "complete"],
    ]);
  });

  describe("for the process that executes it", () => {
    const rows: readonly (readonly [
      what: string,
      given: readonly Given[],
      looked: readonly (readonly [string, number])[],
      action: string,
    ])[] = [
      ["a call that was never looked at is looked at before the run waits", one, [], "resume 0"],
      ["once", one, [["a", 0]], "wait"],
      ["and again after an answer, although more is asked", [...two, answered(0)], [["a", 0]], "resume 0"],
      ["each answer counts", [...two, answered(0), answered(1)], [["a", 1]], "resume 1"],
      ["a question that follows does not", [...one, answered(0), asks(1)], [["a", 1]], "wait"],
      ["it is looked at before the run sleeps", [waiting("b", 5_000), asks(0)], [], "resume 0"],
      ["the run sleeps afterwards", [waiting("b", 5_000), asks(0)], [["a", 0]], "sleep until 5000"],
      ["it is looked at before the run fails", [failed("b"), asks(0)], [], "resume 0"],
      ["the run fails afterwards", [failed("b"), asks(0)], [["a", 0]], "fail b"],
      ["it is looked at beside what runs", [asks(0)], [], "run b, resume 0"],
    ];
    test.each(rows)("%s", (_, given, looked, action) => expect(next(flow, given, 1_000, new Map(looked))).toBe(action));
  });

  test("of an item is looked at with its block", () => {
    const each = workflow(block("a", [], { forEach: [1, 2] }));
    const given = [items("a", 2), completed("a", {}, { item: 0 }), paused("a", 0, { item: 1, child: 0 })];
    expect(next(each, given, 0, new Map())).toBe("run a");
    expect(next(each, given, 0, new Map([["a[1]", 0]]))).toBe("wait");
  });
});

describe("questions with a deadline", () => {
  const flow = workflow(block("a"), block("b"));
  const asked = paused("a", 0, { until: 100 });
  table(flow, [
    ["the run sleeps until the deadline", [asked, completed("b")], "sleep until 100", 99],
    ["and lets the question expire then", [asked, completed("b")], "expire 0", 100],
    ["siblings run first, also when the time is up", [asked], "run b", 100],
    ["an answer before the deadline ends it", [asked, completed("b"), answered(0)], "resume 0", 100],
    ["the nearest of several deadlines counts", [asked, paused("b", 1, { until: 50 })], "sleep until 50", 10],
    ["all that is over expires together", [asked, paused("b", 1, { until: 50 })], "expire 0 1", 200],
    ["a run that fails waits for no deadline", [asked, failed("b")], "fail b", 10],
    ["a question of a called run expires there", [paused("a", 0, { until: 100, child: 0 }), completed("b")], "wait", 200],
  ]);
});

describe("items of a block", () => {
  const flow = workflow(block("a", [], { forEach: [1, 2] }), block("b", ["a"]));
  const opened = items("a", 2);
  table(flow, [
    ["the block is run as long as an item is pending", [opened], "run a"],
    ["also when others have settled", [opened, completed("a", {}, { item: 1 })], "run a"],
    ["the dependents follow the last item", [opened, completed("a", {}, { item: 1 }), completed("a", {}, { item: 0 })], "run b"],
    ["an item may ask while others are pending", [opened, paused("a", 0, { item: 0 })], "run a"],
    ["the run waits once all others have settled", [opened, paused("a", 0, { item: 0 }), completed("a", {}, { item: 1 })], "wait"],
    [
      "an answer to an item is work of its block",
      [opened, paused("a", 0, { item: 0 }), completed("a", {}, { item: 1 }), answered(0)],
      "run a",
    ],
    ["the run fails once all items have settled", [opened, failed("a", "no", { item: 0 })], "run a"],
    ["with the last of them", [opened, failed("a", "no", { item: 0 }), completed("a", {}, { item: 1 })], "fail a"],
  ]);
});

describe("iterations", () => {
  table(workflow(block("a"), block("b", ["a"])), [
    ["a block that asked to runs again", [iterated("a", 1)], "run a"],
    ["its dependents wait for the last iteration", [iterated("a", 1), iterated("a", 2)], "run a"],
    ["and run after it", [iterated("a", 1), completed("a")], "run b"],
  ]);
});
