import type { BlockType } from "../ports/block.ts";
import { askChoiceBlock } from "./ask-choice.ts";
import { confirmOperationBlock } from "./confirm-operation.ts";
import { echoBlock } from "./echo.ts";
import { getInputBlock } from "./get-input.ts";

/** The block types that ask one thing, or say one: every executor has them at hand. */
export const questionBlocks: readonly BlockType[] = [echoBlock, confirmOperationBlock, askChoiceBlock, getInputBlock];
