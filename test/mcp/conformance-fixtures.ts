import { completable, fromJsonSchema, type McpServer, ResourceTemplate, type CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";

/** A picture of one dot, and no sound at all. */
const IMAGE = {
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  mimeType: "image/png",
};
const AUDIO = { data: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=", mimeType: "audio/wav" };

const text = (words: string) => ({ type: "text" as const, text: words });
const resource = (uri: string, words: string, mimeType = "text/plain") => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});
const user = <Content>(content: Content) => ({ role: "user" as const, content });

/** What the conformance suite calls: tools, prompts and resources by the names that it gives. */
export function addFixtures(server: McpServer): void {
  const gives = (name: string, ...content: CallToolResult["content"]) =>
    server.registerTool(name, { description: "A fixture." }, () => ({ content }));
  gives("test_simple_text", text("This is a simple text response for testing."));
  gives("test_image_content", { type: "image", ...IMAGE });
  gives("test_audio_content", { type: "audio", ...AUDIO });
  gives("test_embedded_resource", resource("test://embedded-resource", "This is an embedded resource content."));
  gives(
    "test_multiple_content_types",
    text("Multiple content types test:"),
    { type: "image", ...IMAGE },
    resource("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
  );
  server.registerTool("test_error_handling", { description: "A fixture." }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool("test_tool_with_progress", { description: "A fixture." }, async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
    }
    return { content: [text("done")] };
  });
  const asks = (name: string, properties: object, required: readonly string[] = []) =>
    server.registerTool(
      name,
      { description: "A fixture.", inputSchema: fromJsonSchema<{ message?: string }>({ type: "object" }) },
      async ({ message = "Please answer." }, { mcpReq }) => {
        const { action, content } = await mcpReq.elicitInput({
          message,
          requestedSchema: { type: "object", properties, required } as never,
        });
        return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)] };
      },
    );
  asks("test_elicitation", { username: { type: "string" }, email: { type: "string" } }, ["username", "email"]);
  asks("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  });
  const options = ["option1", "option2", "option3"];
  const titled = ["First", "Second", "Third"].map((title, i) => ({ const: `value${i + 1}`, title: `${title} Option` }));
  asks("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  });

  server.registerPrompt("test_simple_prompt", { description: "A fixture." }, () => ({
    messages: [user(text("This is a simple prompt for testing."))],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "A fixture.", argsSchema: z.object({ arg1: completable(z.string(), () => ["paris", "park"]), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "A fixture.", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [user(resource(resourceUri, "Embedded resource content for testing.")), user(text("Please process it."))],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "A fixture." }, () => ({
    messages: [user({ type: "image" as const, ...IMAGE }), user(text("Please analyze the image above."))],
  }));

  server.registerResource("static-text", "test://static-text", { mimeType: "text/plain" }, ({ href }) => ({
    contents: [{ uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." }],
  }));
  server.registerResource("static-binary", "test://static-binary", { mimeType: IMAGE.mimeType }, ({ href }) => ({
    contents: [{ uri: href, mimeType: IMAGE.mimeType, blob: IMAGE.data }],
  }));
  server.registerResource("template", new ResourceTemplate("test://template/{id}/data", { list: undefined }), {}, ({ href }, { id }) => ({
    contents: [
      { uri: href, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) },
    ],
  }));
}
