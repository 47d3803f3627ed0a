import { isRecord } from "../../core/model/value.ts";
import { WorkflowError, type Pause, type Value, type Values } from "../../index.ts";
import { readDataFile } from "./workflow-file.ts";

/** Answers that were written down before the questions came. */
export interface AnswerBook {
  /** Returns the answer to a question, at most once for each; nothing if there is none. */
  take(pause: Pause): Value | undefined;
  /** What no question asked for. */
  unused(): readonly string[];
}

/** Reads the answers of `--answers FILE`, none without a file. Throws `COMMAND_INVALID`. */
export function readAnswers(path: string | undefined): AnswerBook {
  const answers = path === undefined ? [] : readDataFile(path);
  if (Array.isArray(answers) || isRecord(answers)) return answerBook(answers as Value);
  throw new WorkflowError("COMMAND_INVALID", "A file with answers holds a list, or a map from block ids to answers.", {
    place: { source: path! },
  });
}

/** A book of answers in the order of the questions, or of a map from block ids, or the paths of ids, to answers. */
export function answerBook(answers: Value): AnswerBook {
  return Array.isArray(answers) ? listOfAnswers(answers) : mapOfAnswers(new Map(Object.entries(answers as Values)));
}

function listOfAnswers(answers: readonly Value[]): AnswerBook {
  let next = 0;
  return {
    take: () => answers[next++],
    unused: () => answers.slice(next).map((answer) => JSON.stringify(answer)),
  };
}

function mapOfAnswers(answers: ReadonlyMap<string, Value>): AnswerBook {
  const used = new Set<string>();
  const answered = new Set<string>();
  return {
    take({ id, path }) {
      const key = [path.join("/"), path.at(-1)!].find((name) => answers.has(name));
      if (key === undefined || answered.has(id)) return undefined;
      used.add(key);
      answered.add(id);
      return answers.get(key);
    },
    unused: () => [...answers.keys()].filter((key) => !used.has(key)),
  };
}
