import { autocompletion, type CompletionResult, type CompletionSource } from "@codemirror/autocomplete";
import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentService, indentUnit, syntaxHighlighting, type IndentContext } from "@codemirror/language";
import { forceLinting, linter, lintGutter, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { tags } from "@lezer/highlight";
import type { Problem } from "wavepoint";
import type { Completions } from "./complete-yaml.ts";

/** An editor for the YAML of a workflow, with what is wrong shown where it is wrong. */
export interface YamlEditor {
  readonly element: HTMLElement;
  readonly text: string;
  /** Puts another text in the place of the one before; what was typed cannot be brought back with undo. */
  open(text: string, label: string): void;
  /** Puts the cursor where a problem is. */
  goTo(problem: Problem): void;
  /** Writes what a problem suggests, in the place of the name that is there. */
  mend(problem: Problem): void;
}

interface YamlEditorOptions {
  /** Everything that is wrong with a text. */
  check(text: string): Promise<readonly Problem[]>;
  /** What may be written at a place of a text. */
  complete(text: string, at: number): Completions | undefined;
  onChange(text: string): void;
}

/** How long the editor waits for the next key before it checks what was typed, in milliseconds. */
const CHECK_AFTER_MS = 250;

/**
 * Makes the editor. It lives in a shadow root of its own: there its styles are sheets that the page's content security policy has nothing
 * against, while colours and fonts come from the page.
 */
export function createYamlEditor({ check, complete, onChange }: YamlEditorOptions): YamlEditor {
  const element = document.createElement("div");
  element.className = "yaml-editor";
  const root = element.attachShadow({ mode: "open" });
  const view = new EditorView({ root, parent: root, state: stateOf("", "YAML") });

  return {
    element,
    get text() {
      return view.state.doc.toString();
    },
    open(text, label) {
      view.setState(stateOf(text, label));
      forceLinting(view);
    },
    goTo(problem) {
      const { from } = rangeOf(problem, view.state.doc);
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    mend(problem) {
      const { from, to } = rangeOf(problem, view.state.doc);
      const insert = problem.suggestion;
      // Only a name that is still there is written anew.
      if (insert === undefined || view.state.sliceDoc(from, to) !== misspelt(problem)) return view.focus();
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
      view.focus();
    },
  };

  async function diagnose({ state: { doc } }: EditorView): Promise<readonly Diagnostic[]> {
    const problems = await check(doc.toString());
    return problems.map((problem) => diagnosticOf(problem, doc));
  }

  /** Asked for at each key: in an empty place only where it was asked for by hand, so that Enter goes on to the next line. */
  function completing({ state: { doc }, pos, explicit }: Parameters<CompletionSource>[0]): CompletionResult | null {
    const found = complete(doc.toString(), pos);
    return found && (explicit || found.from < pos) ? { ...found, options: [...found.options], validFor: WORD } : null;
  }

  function stateOf(doc: string, label: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        minimalSetup,
        indentUnit.of("  "),
        indentService.of(indentBelowKey),
        keymap.of([indentWithTab]),
        yaml(),
        syntaxHighlighting(COLOURS),
        linter(diagnose, { delay: CHECK_AFTER_MS }),
        autocompletion({ override: [completing], icons: false }),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `${label}. To leave the editor press Escape, then Tab.` }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        LOOKS,
      ],
    });
  }
}

/** The column of a new line below a key whose value is still to come. Nothing elsewhere: the language knows those. */
function indentBelowKey(context: IndentContext, at: number): number | undefined {
  const key = KEY_ALONE.exec(context.lineAt(at, -1).text);
  return key ? key[1]!.length + context.unit : undefined;
}

function diagnosticOf(problem: Problem, doc: Text): Diagnostic {
  const { severity, message, code } = problem;
  return { ...rangeOf(problem, doc), severity, message, source: code };
}

/** What is underlined: the name that the message quotes where something else was likely meant, else the name at the place, or one character. */
function rangeOf(problem: Problem, doc: Text): { readonly from: number; readonly to: number } {
  const { line = 1, column = 1 } = problem;
  const { from: start, to: end, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const at = start + Math.min(Math.max(column - 1, 0), text.length);
  const rest = text.slice(at - start);
  const meant = misspelt(problem);
  const from = at + (meant === undefined ? 0 : Math.max(rest.indexOf(meant), 0));
  const name = NAME.exec(text.slice(from - start))?.[0] ?? "";
  return { from, to: Math.min(from + Math.max(name.length, 1), end) };
}

/** The name that a problem has a better one for: messages quote it right before the better one. */
function misspelt({ message, suggestion }: Problem): string | undefined {
  if (suggestion === undefined) return undefined;
  const names = [...message.matchAll(QUOTED)].map(([, name]) => name!);
  return names[names.lastIndexOf(suggestion) - 1];
}

const NAME = /^[\w-]+/;
/** A line that ends with a key, and what stands before that. */
const KEY_ALONE = /^(\s*(?:- +)*)[\w-]+:\s*$/;
/** As long as only this is typed, the same completions are narrowed down. */
const WORD = /^[\w-]*$/;
const QUOTED = /"([\w-]+)"/g;

const COLOURS = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--sea-strong)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--warm)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--ink-quiet)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--ink-quiet)" },
]);

const LOOKS = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--ink-quiet)", borderColor: "var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sea-wash) 45%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--sea-wash)", color: "var(--ink)" },
  "& .cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, & .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--sea) 28%, transparent)",
  },
  // Marks without pictures: those of CodeMirror are "data:" addresses, which the page refuses.
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--warm)" },
  ".cm-lintRange-active": { backgroundColor: "var(--bad-wash)" },
  ".cm-lint-marker": { content: "''", display: "block", width: "0.6em", height: "0.6em", margin: "0.5em 0.2em", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "''", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "''", backgroundColor: "var(--warm)", borderRadius: "2px" },
  ".cm-lintPoint::after": { borderBottomColor: "var(--bad)" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
    borderRadius: "8px",
    fontFamily: "var(--font)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.6rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--sea)",
    color: "var(--on-sea)",
    // Forced colours take the background away, and give this one a colour.
    outline: "2px solid transparent",
    outlineOffset: "-2px",
  },
  ".cm-tooltip.cm-completionInfo": { padding: "0.5rem 0.75rem", maxWidth: "min(22rem, 60vw)" },
  ".cm-diagnostic": { padding: "0.5rem 0.75rem", maxWidth: "min(30rem, 80vw)" },
  ".cm-diagnostic-error": { borderInlineStartColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderInlineStartColor: "var(--warm)" },
});
