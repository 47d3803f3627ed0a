import type { Values } from "wavepoint";
import type { ExampleWorld } from "./run-example.ts";

/** What each YAML example of the guides is run with, and gives; fragments by their first block. */
export const GUIDE_RUNS: { readonly [example: string]: ExampleWorld & { readonly outputs: Values } } = {
  "sign-up": {
    inputs: { plan: "team" },
    answers: { email: "ada@example.org", seats: "2", confirm: "yes" },
    outputs: { letter: "Welcome, ada@example.org! Your team: six to twenty." },
  },
  order: {
    answers: { size: "extra large", code: "BOAT26", sure: "y" },
    outputs: { order: "Extra large, voucher BOAT26", placed: true },
  },
  parcel: { outputs: { ended_by: "time" } },
  refund: { answers: { amount: "5" }, outputs: {} },
  letter: { outputs: { text: "Yours, Ada", size: 10 } },
  greet: { inputs: { language: "fr" }, answers: { who: "Ada" }, outputs: { text: "Bonjour, Ada!" } },
  "release-notes": {
    inputs: { version: "1.2" },
    outputs: { text: "# 1.2\n\nToday\n", releases: { latest: "1.2" } },
  },
  "book-seat": {
    answers: { booking: { name: "Ada", email: "ada@example.org", seats: 2, wood: "Oak", pays: "club" } },
    outputs: { text: "Ada, 2 seats, a boat of Oak", tools: null, pays: "club" },
  },
  claim: {
    answers: {
      claim: { what: "It rained in.", receipt: { name: "bill.pdf", type: "application/pdf", size: 1, bytes: new Uint8Array([37]) } },
    },
    outputs: { receipt: { name: "bill.pdf", type: "application/pdf", size: 1, bytes: new Uint8Array([37]) } as never },
  },
  "check-up": {
    answers: { person: { born: "2000-02-29", weight: 81.5, height: 178 }, coach: "no" },
    outputs: { age: 26, bmi: 25.7, advice: "Walk more" },
  },
  quiz: { answers: { answers: { sail: 3, row: 0, swim: 1 } }, outputs: { percent: 67, passed: true } },
  "pick-a-boat": { answers: { boat: { boat: 4 } }, outputs: { boat: 4 } },
  hire: { answers: { boat: "petrel", trip: { harbour: "RY" } }, outputs: { boat: 9, harbour: "RY" } },
  chat: { outputs: { lines: ["Hello"] } },
  groceries: { answers: { ask: "done" }, outputs: { items: ["done"], questions: 1 } },
  score: { outputs: { notes: ["hi", "ho"], praise: "5 points" } },
  delivery: { outputs: { how: "By air", sent: "Sent to France" } },
  rescue: { outputs: { excuse: "No letter: TEMPLATE_INVALID", letter: "failed" } },
  journey: { outputs: { trip: "No ticket, but room 12" } },
  kitchen: { answers: { note: "No onions" }, outputs: { order: "Ordered" } },
  "send-invoice": { answers: { sure: "yes" }, outputs: { note: "Invoice 7, sent" } },
  "order-book": { inputs: { isbn: "9780000000000" }, response: { title: "Boats" }, outputs: { answer: 201 } },
  publish: { inputs: { version: "1.2", otp: "123456" }, response: { id: 7 }, outputs: { answer: { id: 7 } } },
  "count-words": { files: { "texts/notes.txt": "Three short words\n" }, outputs: { words: "3 notes.txt\n" } },
  "count-lines": { files: { "notes.txt": "one\ntwo\none\n" }, outputs: { lines: "2\n" } },
  lint: { files: { "lint.sh": "#!/bin/sh\necho two warnings\nexit 2\n" }, outputs: {} },
  visit: { answers: { name: "Ada", guests: "2" }, outputs: { badge: "Ada + 2" } },
  seat: { answers: { guest: { name: "Ada", email: "ada@example.org" }, evening: "Monday" }, outputs: { seat: "Ada: Monday" } },
  trip: {
    answers: { guest: { name: "Ada", email: "ada@example.org" }, transport: "Plane", passport: "X123456", confirm: "yes" },
    outputs: { booked: true },
  },
  inspection: {
    inputs: { service: "https://reports.example.org" },
    answers: { report: { place: "Cellar", state: "Worn" } },
    response: { number: 12 },
    outputs: { number: 12 },
  },
  safe: { outputs: {} },
  "say-hello": { outputs: {} },
  holiday: { answers: { transport: "plane", nights: "3", passport: "X1", seat: "aisle", book: "yes" }, outputs: { booked: true } },
  "- fetch": { answers: { discount: "no" }, outputs: {} },
  "- approve": { answers: { approve: "yes" }, outputs: {} },
  "- forecast": { outputs: {} },
  "- invite": { outputs: {} },
  "- sign_off": { answers: { sign_off: "yes" }, outputs: {} },
  "- counted": { files: { "out/total.txt": "12\n" }, outputs: {} },
  "- no block": { outputs: { plain: "12", number: 12, both: { as_text: "12", doubled: ["12", "12"] } } },
  "- prices": { outputs: {} },
  "- discount": { outputs: {} },
};
