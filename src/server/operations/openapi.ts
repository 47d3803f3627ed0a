import * as z from "zod/mini";
import { OPERATIONS, type OperationName } from "../protocol/operations.ts";
import { HEALTH_PATH } from "../health.ts";
import type { Definition } from "./definition.ts";
import { ERROR, type Schema } from "./schemas.ts";

/** A part of a document: plain JSON. */
interface Part {
  readonly [key: string]: unknown;
}

const jsonSchema = (schema: Schema): Part => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  return rest;
};

const json = (schema: unknown, description: string): Part => ({ description, content: { "application/json": { schema } } });

const HEALTH_STATUS = { type: "object", properties: { status: { enum: ["ok", "unavailable"] } }, required: ["status"] };

/** The one address that needs no right. */
const HEALTH: Part = {
  operationId: "server.health",
  summary: "Whether the server can do its work. Says no more, and needs no right.",
  security: [],
  parameters: [],
  responses: {
    "200": json(HEALTH_STATUS, "The store answers."),
    "503": json(HEALTH_STATUS, "It does not, or the server is being closed."),
  },
};

/** The operations as an OpenAPI document, made from the schemas against which inputs are checked. */
export function openApiDocument(definitions: { readonly [name in OperationName]: Definition }): Part {
  const paths: { [path: string]: { [verb: string]: Part } } = {};
  for (const [name, { verb, path }] of Object.entries(OPERATIONS)) {
    (paths[path] ??= {})[verb.toLowerCase()] = operationPart(name as OperationName, definitions[name as OperationName]);
  }
  paths[HEALTH_PATH] = { get: HEALTH };
  return {
    openapi: "3.1.0",
    info: {
      title: "Wavepoint",
      version: "1",
      description: 'Runs of workflows. A value that JSON cannot hold stands as {"~": [kind, content]}.',
    },
    paths,
    components: {
      schemas: { Error: jsonSchema(ERROR) },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{ token: [] }],
  };
}

function operationPart(name: OperationName, { summary, input, output }: Definition): Part {
  const { verb, path, right, answers } = OPERATIONS[name];
  const { properties = {}, required = [] } = jsonSchema(input) as {
    readonly properties?: Part;
    readonly required?: readonly string[];
  };
  const isInPath = (member: string): boolean => path.includes(`{${member}}`);
  const isRequired = (member: string): boolean => required.includes(member);
  const members = Object.entries(properties);
  const placed = members.filter(([member]) => isInPath(member) || verb === "GET");
  const parameters = placed.map(([member, schema]) => ({
    name: member,
    in: isInPath(member) ? "path" : "query",
    required: isInPath(member) || isRequired(member),
    schema,
  }));
  const inBody = members.filter(([member]) => !isInPath(member));
  const body = {
    required: inBody.some(([member]) => isRequired(member)),
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: Object.fromEntries(inBody),
          required: inBody.map(([member]) => member).filter(isRequired),
          additionalProperties: false,
        },
      },
    },
  };
  const done =
    answers === "events"
      ? { description: "A stream of server-sent events.", content: { "text/event-stream": { schema: { type: "string" } } } }
      : json(jsonSchema(output), "What came of it.");
  return {
    operationId: name,
    summary,
    description: `Needs the right \`${right}\`.`,
    parameters,
    ...(verb !== "GET" && inBody.length > 0 ? { requestBody: body } : {}),
    responses: {
      "200": done,
      default: json({ type: "object", properties: { error: { $ref: "#/components/schemas/Error" } }, required: ["error"] }, "Why not."),
    },
  };
}
