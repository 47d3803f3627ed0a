import { describe, expect, test } from "vitest";
import { renderTemplateBlock } from "../../../src/core/blocks/render-template.ts";
import { mapFiles, type MapFiles } from "../../support/map-files.ts";
import { runBlock } from "./block-stage.ts";

const render = (files: MapFiles, inputs: object): Promise<unknown> => runBlock(renderTemplateBlock, inputs, { grants: { files } });

describe("RenderTemplate", () => {
  test("gives what it rendered, and writes nothing where no path is given", async () => {
    const files = mapFiles();
    expect(await render(files, { template: "Hi {{ name }}", variables: { name: "Ada" } })).toEqual({
      status: "success",
      outputs: { content: "Hi Ada", output_path: null, size_bytes: null },
    });
    expect(files.written).toEqual([]);
  });

  test("writes it where a path is given, in the place of what was there", async () => {
    const files = mapFiles({ "a/b": "old" });
    expect(await render(files, { template: "größe", output_path: "a/b" })).toEqual({
      status: "success",
      outputs: { content: "größe", output_path: "a/b", size_bytes: 7 },
    });
    expect(files.texts.get("a/b")).toBe("größe");
  });

  test("leaves a file alone where the inputs say so", async () => {
    const files = mapFiles({ a: "old" });
    expect(await render(files, { template: "new", output_path: "a", overwrite: false })).toHaveProperty("error.code", "FILE_EXISTS");
    expect(files.texts.get("a")).toBe("old");
  });

  test("writes nothing where the template fails", async () => {
    const files = mapFiles();
    const given = { template: "{{ name }}", strict: true, output_path: "a" };
    expect(await render(files, given)).toHaveProperty("error.code", "TEMPLATE_INVALID");
    expect(files.written).toEqual([]);
  });
});
