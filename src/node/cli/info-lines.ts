import type { BlockInfo, InputInfo, OutputInfo, WorkflowInfo } from "../../registry/index.ts";
import { pickText } from "../../core/model/localized-text.ts";
import { plainLine, shorten, tableLines } from "./plain-text.ts";
import type { Output } from "./terminal.ts";

/** Characters of a value or a condition in a line. */
const MAX_VALUE = 60;

/** Everything about a workflow, for a person. */
export function infoLines(info: WorkflowInfo, output: Output): readonly string[] {
  const heading = (text: string): string => output.paint("bold", text);
  const about = [
    ...(info.author === undefined ? [] : [`by ${plainLine(info.author)}`]),
    ...(info.tags.length === 0 ? [] : [`tags: ${info.tags.map(plainLine).join(", ")}`]),
    ...(info.source === undefined ? [] : [`in ${plainLine(info.source)}`]),
  ];
  return [
    heading(`${info.name}${info.version === undefined ? "" : ` ${plainLine(info.version)}`}`),
    ...(info.description === undefined ? [] : [plainLine(info.description)]),
    ...about.map((line) => output.paint("dim", line)),
    ...section(heading("Inputs"), info.inputs.map(inputRow)),
    ...info.waves.flatMap((ids, wave) => [
      "",
      heading(`Wave ${wave + 1} of ${info.totalWaves}`),
      ...info.blocks.filter((block) => block.wave === wave && ids.length > 0).flatMap((block) => blockLines(block, output)),
    ]),
    ...section(heading("Outputs"), info.outputs.map(outputRow)),
  ];
}

function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : ["", title, ...tableLines(rows.map(([first = "", ...others]) => [`  ${first}`, ...others]))];
}

function inputRow({ name, type, required, secret, default: value, enum: choices, description }: InputInfo): readonly string[] {
  const facts = [
    required ? "required" : value === undefined ? "optional" : `default ${valueText(value)}`,
    ...(secret ? ["secret"] : []),
    ...(choices ? [`one of ${choices.map((choice) => valueText(choice)).join(", ")}`] : []),
  ];
  return [name, type, facts.join("; "), plainLine(description ?? "")];
}

function outputRow({ name, title, type, description, value }: OutputInfo): readonly string[] {
  const about = [...(title === undefined ? [] : [pickText(title)]), ...(description === undefined ? [] : [description])];
  return [name, type ?? "", valueText(value), plainLine(about.join(": "))];
}

function blockLines({ id, type, description, dependsOn, condition, forEach }: BlockInfo, output: Output): readonly string[] {
  const details = [
    ...(description === undefined ? [] : [plainLine(description)]),
    ...(dependsOn.length === 0 ? [] : [`after ${dependsOn.map(({ block, required }) => `${block}${required ? "" : "?"}`).join(", ")}`]),
    ...(condition === undefined ? [] : [`if ${shorten(plainLine(String(condition)), MAX_VALUE)}`]),
    ...(forEach === undefined ? [] : [`for each of ${valueText(forEach)}`]),
  ];
  return [`  ${id} ${output.paint("dim", `(${plainLine(type)})`)}`, ...details.map((line) => `    ${line}`)];
}

function valueText(value: unknown): string {
  return shorten(plainLine(typeof value === "string" ? value : JSON.stringify(value)), MAX_VALUE);
}
