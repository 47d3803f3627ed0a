import type { ErrorData } from "../../core/model/errors.ts";
import type { FieldError } from "../pause-form.ts";
import type { Messages } from "./messages.ts";

/** German. */
export const de: Messages = {
  lang: "de",
  send: "Weiter",
  sending: "Wird gesendet …",
  back: "Zurück",
  skip: "Diese Frage überspringen",
  decline: "Nicht beantworten",
  cancel: "Abbrechen",
  yes: "Ja",
  no: "Nein",
  optional: "freiwillig",
  fieldError,
  error: ({ code, message }) => ERRORS[code] ?? message,
  progress: ({ answered, remaining: { min, max } }) => {
    const [least, most] = [Math.max(0, min - 1), max === undefined ? undefined : Math.max(0, max - 1)];
    if (most === 0) return `Frage ${answered + 1}, die letzte`;
    if (most === undefined) return `Frage ${answered + 1}${least === 0 ? "" : `, danach noch mindestens ${least}`}`;
    const more = least === most ? `${least}` : least === 0 ? `bis zu ${most}` : `${least} bis ${most}`;
    return `Frage ${answered + 1}, danach noch ${more}`;
  },
  progressLabel: "Fortschritt",
  review: "Ihre Antworten",
  leaveReview: "Zurück zur Frage",

  cancelQuestion: "Damit ist alles beendet, und nichts kann mehr beantwortet werden.",
  cancelSurely: "Ja, beenden",
  cancelNot: "Nein, weitermachen",
  choose: "Bitte wählen …",
  json: "Als JSON geschrieben.",
  fileHint: "Sie können die Datei auch hierher ziehen.",
  removeFile: "Entfernen",
  addTo: (list) => (list ? `${list}: hinzufügen` : "Hinzufügen"),
  remove: (name) => `${name} entfernen`,
  item: (list, number) => `${list || "Eintrag"} ${number}`,
  problems: (count) => (count > 1 ? `${count} Angaben brauchen noch einen Blick` : "Eine Angabe braucht noch einen Blick"),
  fieldSentence: (label, problem) => `${label || "Die Antwort"}: ${problem}.`,
  earlier: (answer, state) => {
    const then = {
      ok: "",
      needs_review: "Davor hat sich etwas geändert, bitte sehen Sie sie noch einmal an.",
      invalid: "Davor hat sich etwas geändert, und sie passt nicht mehr.",
    }[state];
    return (answer.includes("\n") ? `Ihre Antwort war:\n${answer}\n${then}` : `Ihre Antwort war: ${answer}. ${then}`).trim();
  },
  deadline: (instant) => `Bitte antworten Sie bis zum ${instant}.`,
  draftKept: "Was Sie eingegeben haben, bleibt erhalten.",
  filesLater: "Dateien werden aufgehoben, sobald Sie weitergehen.",
  saveFile: (file) => `${file} sichern`,
  draftLost: (problem) => `Was Sie eingegeben haben, ist nicht gesichert: ${problem}`,
  unsent: (question) => `„${question}“ wartet nicht mehr auf eine Antwort. Was Sie dort eingegeben haben, wurde nicht gesendet:`,
  waitingToo: "Auch diese Fragen sind offen:",
  working: "In Arbeit …",
  stopped: "Das wurde unterbrochen, bevor es fertig war.",
  stoppedForNow: "Das ist vorerst angehalten.",
  waitingUntil: (instant) => `Hier geht es am ${instant} weiter.`,
  waitingFor: (events) => `Das geht weiter, sobald dies gemeldet ist: ${events}.`,
  goOn: "Weitermachen",
  tryAgain: "Noch einmal versuchen",
  completed: "Fertig",
  failed: "Das hat nicht geklappt",
  cancelled: "Beendet",
  transferred: (to) => `Hier geht es anderswo weiter: ${to}.`,
  change: "Ändern",
  keepAnswer: "So lassen",
  preview: "Ansehen, was sich ändert",
  whatChanges: "Das würde sich ändern",
  consequences: {
    kept: "Bleibt",
    asked: "Wird gefragt",
    rerun: "Wird noch einmal ausgeführt",
    effects: "Ändert etwas außerhalb dieser Seite",
    once: "Geschieht nur einmal: vor einem zweiten Mal werden Sie gefragt",
    leftDone: "Ist schon geschehen und wird nicht rückgängig gemacht",
    skipped: "Entfällt",
    uncertain: "Wird vielleicht gefragt oder noch einmal ausgeführt",
  },
  noConsequences: "Sonst ändert sich nichts.",
  revise: "Antwort ändern",
  answersStay: "Das ist abgeschlossen, deshalb bleiben die Antworten, wie sie sind.",
  reviewStatus: {
    answered: "Beantwortet",
    open: "Wartet auf Sie",
    declined: "Nicht beantwortet",
    expired: "Niemand hat rechtzeitig geantwortet",
    skipped: "Nicht gefragt",
    pending: "Noch nicht gefragt",
  },
  wave: (number) => `Welle ${number}`,
  undoing: "Rückgängig machen",
  waves: "Wellen",
  status: {
    pending: "noch nicht begonnen",
    running: "läuft",
    completed: "fertig",
    failed: "fehlgeschlagen",
    paused: "fragt",
    waiting: "wartet",
    skipped: "übersprungen",
    stopped: "angehalten",
  },

  history: {
    title: "Verlauf",
    runs: "Läufe",
    runStatus: {
      running: "läuft",
      paused: "fragt",
      completed: "fertig",
      failed: "fehlgeschlagen",
      cancelled: "beendet",
      deleted: "gelöscht",
    },
    thisRun: "hier gezeigt",
    open: "Öffnen",
    checkpoints: "Sicherungspunkte",
    afterWave: "Nach Welle",
    state: "Zeigen",
    fork: "Hier abzweigen",
    compareFrom: "Von",
    compareTo: "bis",
    compare: "Vergleichen",
    same: "Es gibt keinen Unterschied.",
    nothing: "nichts",
    inputs: "Eingaben",
    answers: "Antworten",
    change: (before, after) => `${before} → ${after}`,
  },
};

/** What is wrong with a field, by the keyword it does not meet; in English where a block says it in words of its own. */
function fieldError({ code, message, params = {} }: FieldError): string {
  const limit = String(params["limit"]);
  const choices = params["titles"] ?? params["enum"];
  const listed = Array.isArray(choices) ? choices.map(String).join(", ") : "";
  switch (code) {
    case "required":
      return "wird gebraucht";
    case "type":
      return TYPES[String(params["type"])] ?? "hat die falsche Form";
    case "enum":
      return `muss eines davon sein: ${listed}`;
    case "const":
      return params["const"] === true ? "muss angekreuzt sein" : `muss ${String(params["const"])} sein`;
    case "minLength":
      return limit === "1" ? "darf nicht leer sein" : `muss mindestens ${limit} Zeichen haben`;
    case "maxLength":
      return `darf höchstens ${limit} lang sein`;
    case "minimum":
      return `muss mindestens ${limit} sein`;
    case "maximum":
      return `darf höchstens ${limit} sein`;
    case "exclusiveMinimum":
      return `muss größer als ${limit} sein`;
    case "exclusiveMaximum":
      return `muss kleiner als ${limit} sein`;
    case "multipleOf":
      return `muss ein Vielfaches von ${limit} sein`;
    case "minItems":
      return `braucht mindestens ${limit}`;
    case "maxItems":
      return `darf höchstens ${limit} enthalten`;
    case "uniqueItems":
      return "darf nichts doppelt enthalten";
    case "pattern":
      return "hat nicht die verlangte Form";
    case "format":
      return FORMATS[String(params["format"])] ?? "hat nicht die verlangte Form";
    case "contentMediaType":
      return "ist nicht die verlangte Art von Datei";
    case "additionalProperties":
      return "wird hier nicht gebraucht";
    case "json":
      return "ist noch kein gültiges JSON: sehen Sie nach Anführungszeichen, Kommas und Klammern";
    default:
      return message.replace(/\.$/, "");
  }
}

const TYPES: { readonly [type: string]: string | undefined } = {
  number: "muss eine Zahl sein",
  integer: "muss eine ganze Zahl sein",
  string: "muss ein Text sein",
  boolean: "muss Ja oder Nein sein",
  array: "muss eine Liste sein",
};

const FORMATS: { readonly [format: string]: string | undefined } = {
  email: "muss eine E-Mail-Adresse sein",
  uri: "muss eine Internet-Adresse sein",
  date: "muss ein Datum sein",
  "date-time": "muss ein Datum mit Uhrzeit sein",
};

/** The errors that people see; the others are for the developer of the page. */
const ERRORS: { readonly [code in ErrorData["code"]]?: string } = {
  RESPONSE_REQUIRED: "Hier wird eine Antwort gebraucht.",
  RESPONSE_INVALID: "Die Antwort passt nicht zur Frage.",
  PAUSE_ALREADY_ANSWERED: "Diese Frage wurde inzwischen anderswo beantwortet.",
  PAUSE_DECLINED: "Eine Frage wurde nicht beantwortet. Ändern Sie das unter „Ihre Antworten“, oder versuchen Sie es noch einmal.",
  PAUSE_TIMEOUT: "Niemand hat rechtzeitig geantwortet.",
  PAUSE_EXPIRED: "Hier hat niemand rechtzeitig geantwortet, also gibt es keine Antwort zu ändern.",
  CHECKPOINT_PRUNED: "So weit zurück wurde nichts aufgehoben.",
  PAUSE_WITHDRAWN:
    "Eine frühere Antwort wurde inzwischen geändert, deshalb wird das jetzt nicht gefragt. Was Sie geschrieben haben, bleibt erhalten.",
  RUN_ENDED: "Das ist abgeschlossen. Die Antworten lassen sich nicht mehr ändern.",
  RUN_NOT_FOUND: "Das wurde inzwischen gelöscht. Laden Sie die Seite neu, um von vorn zu beginnen.",
  RUN_TRANSFERRED: "Hier geht es nicht weiter: Das wurde an einen anderen Ort gegeben.",
  STORE_QUOTA: "Auf diesem Gerät ist kein Platz mehr. Schaffen Sie Platz, und versuchen Sie es noch einmal.",
  STORE_LOST: "Der Speicher des Browsers war nicht zu erreichen. Versuchen Sie es noch einmal.",
  STORE_UNAVAILABLE: "Der Browser lässt hier nichts speichern.",
  STORE_RESET:
    "Was in diesem Browser gespeichert war, ist weg: Es wurde gelöscht. Beginnen Sie von vorn, oder holen Sie es aus einer Datei.",
  STORE_CONFLICT: "In einem anderen Fenster ging es inzwischen weiter. Versuchen Sie es noch einmal.",
};
