import type { Block, NextBlock, Workflow } from "../core/model/workflow.ts";

/** Characters of a condition or a list that a label shows. */
const MAX_DETAIL = 120;

/** What there is to say about a block beside its id and type, a line each. */
export function blockDetails(block: Block): readonly string[] {
  return [...(block.description === undefined ? [] : [oneLine(block.description)]), ...blockRules(block)];
}

/** When and how often a block runs, a line each. */
export function blockRules({ condition, forEach, join, next, onFailure, compensate }: Block): readonly string[] {
  return [
    ...(join === "any" ? ["after any of them"] : []),
    ...(condition === undefined ? [] : [`if ${oneLine(String(condition))}`]),
    ...(forEach === undefined ? [] : [`for each of ${oneLine(typeof forEach === "string" ? forEach : JSON.stringify(forEach))}`]),
    ...(next ?? []).map((way, i) => wayText(typeof way === "string" ? { to: way } : way, i)),
    ...(onFailure === undefined ? [] : [`where it fails ${onFailure}`]),
    ...(compensate === undefined ? [] : [`undone by ${compensate}`]),
  ];
}

function wayText({ to, when }: NextBlock, place: number): string {
  return `${place === 0 ? "next" : "else"} ${to}${when === undefined ? "" : ` if ${oneLine(String(when))}`}`;
}

/** The size of a workflow: `5 blocks in 3 waves`. */
export function sizeText({ blocks }: Workflow, waves: number): string {
  return `${plural(blocks.length, "block")} in ${plural(waves, "wave")}`;
}

/** A text cut to a number of characters, with a mark where something is missing. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function oneLine(text: string): string {
  return shortened(text.replaceAll(/\s+/g, " ").trim(), MAX_DETAIL);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
