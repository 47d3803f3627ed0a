import { indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter, lintGutter, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { tags } from "@lezer/highlight";
import type { Problem } from "wavepoint";

/** An editor for the YAML of a workflow, with what is wrong shown where it is wrong. */
export interface YamlEditor {
  readonly element: HTMLElement;
  readonly text: string;
  /** Puts another text in the place of the one before; what was typed cannot be brought back with undo. */
  open(text: string, label: string): void;
  /** Puts the cursor there. Both count from 1. */
  goTo(line: number, column: number): void;
}

interface YamlEditorOptions {
  /** Everything that is wrong with a text. */
  check(text: string): readonly Problem[];
  onChange(text: string): void;
}

/** How long the editor waits for the next key before it checks what was typed, in milliseconds. */
const CHECK_AFTER_MS = 250;

/**
 * Makes the editor. It lives in a shadow root of its own: there its styles are sheets that the page's content security policy has nothing
 * against, while colours and fonts come from the page.
 */
export function createYamlEditor({ check, onChange }: YamlEditorOptions): YamlEditor {
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
    goTo(line, column) {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };

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
        keymap.of([indentWithTab]),
        yaml(),
        syntaxHighlighting(COLOURS),
        linter((editor) => check(editor.state.doc.toString()).map((problem) => diagnosticOf(problem, editor.state.doc)), {
          delay: CHECK_AFTER_MS,
        }),
        EditorView.contentAttributes.of({ "aria-label": `${label}. To leave the editor press Escape, then Tab.` }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        LOOKS,
      ],
    });
  }
}

function diagnosticOf({ line = 1, column = 1, message, code, severity, suggestion }: Problem, doc: Text): Diagnostic {
  const from = offsetOf(doc, line, column);
  const written = WORD.exec(doc.lineAt(from).text.slice(from - doc.lineAt(from).from))?.[0] ?? "";
  const to = Math.max(from + written.length, Math.min(from + 1, doc.lineAt(from).to));
  const fix = {
    name: `Write ${suggestion}`,
    apply: (editor: EditorView, start: number, end: number) =>
      editor.dispatch({ changes: { from: start, to: end, insert: suggestion ?? "" } }),
  };
  return { from, to, severity, message, source: code, ...(suggestion === undefined || written === "" ? {} : { actions: [fix] }) };
}

/** What is underlined: the name at the place of a problem. */
const WORD = /^[\w-]+/;

/** The place of a line and a column, or the nearest there is. */
function offsetOf(doc: Text, line: number, column: number): number {
  const { from, length } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return from + Math.min(Math.max(column - 1, 0), length);
}

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
  ".cm-diagnostic": { padding: "0.5rem 0.75rem", maxWidth: "min(30rem, 80vw)" },
  ".cm-diagnostic-error": { borderInlineStartColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderInlineStartColor: "var(--warm)" },
  ".cm-diagnosticAction": {
    minHeight: "24px",
    borderRadius: "999px",
    padding: "0.1rem 0.75rem",
    backgroundColor: "var(--sea)",
    color: "var(--on-sea)",
  },
});
