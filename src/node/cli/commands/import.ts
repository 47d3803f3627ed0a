import { type ConvertedForm, convertForm } from "../../../yaml/convert/index.ts";
import { isWorkflowError, type Executor, type Run, type WorkflowError } from "../../../index.ts";
import { JSON_OPTION, STORE_OPTIONS, type Call, type Command } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { readPassphrase } from "../passphrase.ts";
import { plainJson, plainText } from "../plain-text.ts";
import { runDocument } from "../run-report.ts";
import { writeTextFile } from "../write-output.ts";
import { note, type Terminal } from "../terminal.ts";
import { readTextFile } from "../workflow-file.ts";
import { commandText, withExecutor } from "../workspace.ts";

export const importCommand: Command = {
  name: "import",
  usage: "FILE [OPTIONS]",
  summary: "Take in a run from elsewhere, or make a workflow of another tool's form. Nothing is executed.",
  about: [
    "A form is the JSON of a SurveyJS survey, a GOV.UK form, a FHIR Questionnaire, or { schema, uiSchema } of react-jsonschema-form. The workflow is printed; what could not be carried over is said beside it.",
    "The file is checked as a whole before anything is stored; the same file twice does no harm. A run from elsewhere continues only with a workflow that you have: name its file with --workflows when you resume it, or import it with --accept.",
    "Where the file is sealed, the passphrase is taken from the environment variable WAVEPOINT_PASSPHRASE, else you are asked for it.",
  ],
  takes: { least: 1, most: 1 },
  options: [
    {
      name: "output",
      value: "FILE",
      about: "Of a form: write the workflow to this file, in place of what it held, and not to standard output.",
    },
    { name: "accept", about: "Let the run continue with the workflow in the file. Read it first, as you would a program." },
    ...STORE_OPTIONS,
    JSON_OPTION,
  ],
  run(call, terminal) {
    const text = readTextFile(call.places[0]!);
    const form = formIn(text);
    if (!isWorkflowError(form)) return Promise.resolve(writeWorkflow(form, call, terminal));
    // For JSON that is no run file, the message about forms says more.
    if (isPlainJson(text)) throw form;
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const run = await importText(executor, text, call, terminal);
      const view = run.getSnapshot();
      if (call.has("json")) terminal.out.write(`${plainJson(runDocument(view))}\n`);
      else {
        note(terminal, `Imported run ${run.id} of ${plainText(view.workflow)}: ${view.status}.`);
        const resume = commandText(call, "resume", run.id);
        if (view.status !== "completed")
          note(terminal, `Go on with: ${resume}${call.has("accept") ? "" : " --workflows FILE_OF_ITS_WORKFLOW"}`);
      }
      return EXIT.completed;
    });
  },
};

/** Returns a workflow made from the form in a file, or why the file holds no known form. */
function formIn(text: string): ConvertedForm | WorkflowError {
  try {
    return convertForm(text);
  } catch (error) {
    if (isWorkflowError(error) && error.code === "FORM_UNKNOWN") return error;
    throw error;
  }
}

/** Whether all of a file is one piece of JSON. A run file has one a line. */
function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function writeWorkflow(form: ConvertedForm, call: Call, terminal: Terminal): ExitCode {
  if (call.has("json")) {
    terminal.out.write(`${plainJson(form)}\n`);
    return EXIT.completed;
  }
  const output = call.value("output");
  if (output === undefined) terminal.out.write(plainText(form.yaml));
  else writeTextFile(output, form.yaml);
  for (const { pointer, message } of form.notes) note(terminal, `${plainText(pointer)}: ${plainText(message)}`);
  note(terminal, `Look at it, and check it: wavepoint validate ${output === undefined ? "FILE" : plainText(output)}`);
  return EXIT.completed;
}

/** Only the engine can tell whether a file is sealed. */
async function importText(executor: Executor, text: string, call: Call, terminal: Terminal): Promise<Run> {
  const accept = call.has("accept");
  try {
    return await executor.runs.import(text, { accept });
  } catch (error) {
    if (!isWorkflowError(error) || error.details["sealed"] !== true) throw error;
    return executor.runs.import(text, { accept, passphrase: await readPassphrase(terminal, { of: "file", isNew: false }) });
  }
}
