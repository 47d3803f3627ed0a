import type { ErrorPlace } from "../../../index.ts";
import { readBlocks } from "../block-modules.ts";
import { findCalled, readGiven } from "../called-workflows.ts";
import { caseFileOf, readCaseFile, type CaseFile } from "../case-file.ts";
import { BLOCKS_OPTION, JSON_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { plainJson, plainLine, plainText } from "../plain-text.ts";
import { type CaseWorld, playCase } from "../play-case.ts";
import { excerpt } from "../problem-lines.ts";
import type { Output } from "../terminal.ts";
import { reportInvalid } from "../validation-report.ts";
import { readWorkflowFile } from "../workflow-file.ts";

/** A case that was played. */
interface PlayedCase {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly differences: readonly PlacedDifference[];
}

interface PlacedDifference extends ErrorPlace {
  readonly message: string;
}

export const testCommand: Command = {
  name: "test",
  usage: "FILE... [OPTIONS]",
  summary: "Run the cases of files beside workflows, and tell what comes otherwise than they expect.",
  about: [
    "FILE is a file of cases: claim.cases.yaml tries claim.yaml. Named after the workflow, it is found by that name too. Each case runs in memory and touches nothing outside: what requests, commands and files give stands in the case.",
    "The exit code is 1 where a case differs.",
  ],
  takes: { least: 1, most: Infinity },
  options: [
    {
      name: "workflows",
      value: "PATH",
      several: true,
      about: "A file or a directory with workflows that may be called. May be given several times.",
    },
    BLOCKS_OPTION,
    JSON_OPTION,
  ],
  async run(call, terminal) {
    const { out } = terminal;
    const blocks = await readBlocks(call);
    const given = await readGiven(call.values("workflows"), { blocks, terminal });
    const played: PlayedCase[] = [];
    for (const path of call.places) {
      const cases = readCaseFile(caseFileOf(path));
      const file = await readWorkflowFile(cases.workflow, blocks);
      const { workflow } = file;
      if (!workflow) return reportInvalid(file, call, terminal);
      const workflows = [workflow, ...given, ...findCalled(cases.workflow, workflow, { given, blocks, terminal })] as const;
      for await (const one of playCases(cases, { workflows, blocks, signal: terminal.signal })) {
        played.push(one);
        if (!call.has("json")) for (const line of caseLines(one, out)) out.write(`${line}\n`);
      }
    }
    const failed = played.filter(({ differences }) => differences.length > 0).length;
    if (call.has("json")) out.write(`${plainJson({ status: failed === 0 ? "passed" : "failed", cases: played })}\n`);
    else out.write(`${played.length} ${played.length === 1 ? "case" : "cases"}, ${failed} of them failed\n`);
    return failed === 0 ? EXIT.completed : EXIT.failed;
  },
};

async function* playCases({ path: file, cases, placeOf }: CaseFile, world: CaseWorld): AsyncGenerator<PlayedCase> {
  for (const [index, one] of cases.entries()) {
    const found = await playCase(one, world);
    const differences = found.map(({ path, message }) => ({ message, ...placeOf(`cases[${index}].${path}`) }));
    yield { file, name: one.name, line: placeOf(`cases[${index}].name`).line!, differences };
  }
}

function* caseLines({ file, name, line, differences }: PlayedCase, out: Output): Generator<string> {
  const verdict = differences.length === 0 ? out.paint("green", "passed") : out.paint("red", "failed");
  yield `${verdict} ${plainText(file)}:${line} ${plainLine(name)}`;
  for (const { message, ...place } of differences) {
    yield `  ${plainText(file)}:${place.line}:${place.column} ${message}`;
    yield* excerpt(place, out);
  }
}
