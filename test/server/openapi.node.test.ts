import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { serve } from "wavepoint/server";
import { memoryStore } from "wavepoint/store/memory";
import { OPERATIONS } from "../../src/server/protocol/operations.ts";
import { surveyExecutor } from "../browser/worker/survey.ts";
import { ADDRESS } from "./served.ts";

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: object } } };
  readonly responses: { readonly 200: { readonly content: { readonly [type: string]: { readonly schema: object } } } };
}

const { fetch } = serve({ executor: surveyExecutor(memoryStore()), authorize: () => true });
const document = (await (await fetch(new Request(`${ADDRESS}/openapi.json`))).json()) as {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: { readonly [verb: string]: Described } };
};
const described = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, part]) => ({ path, verb, part })),
);

test("every operation of the table is described once, where it is found", () => {
  expect(document.openapi).toBe("3.1.0");
  const operations = described.filter(({ path }) => path !== "/health");
  expect(described.length - operations.length).toBe(1);
  const found = Object.fromEntries(operations.map(({ path, verb, part }) => [part.operationId, `${verb.toUpperCase()} ${path}`]));
  expect(found).toEqual(Object.fromEntries(Object.entries(OPERATIONS).map(([name, { verb, path }]) => [name, `${verb} ${path}`])));
  expect(operations.length).toBe(Object.keys(OPERATIONS).length);
});

test("every member of a path is a parameter, and every schema compiles", () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { path, part } of described) {
    const inPath = part.parameters.filter((one) => one.in === "path").map(({ name }) => name);
    expect(inPath.toSorted()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted());
    const answers = Object.values(part.responses[200].content).map(({ schema }) => schema);
    const schemas = [
      ...part.parameters.map(({ schema }) => schema),
      ...answers,
      ...(part.requestBody ? [part.requestBody.content["application/json"].schema] : []),
    ];
    for (const schema of schemas) expect(() => ajv.compile(schema)).not.toThrow();
  }
});
