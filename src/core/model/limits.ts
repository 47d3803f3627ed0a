/**
 * The limits a workflow from a stranger cannot widen. Each is given in the error it causes. Source: the limits of this project's promises,
 * chosen so that every hostile input known to us gets its verdict in 250 ms and 64 MB.
 */

/** How often the answers of one run may be changed. */
export const MAX_REVISIONS = 10_000;
/** Workflow text, in UTF-16 code units (256 kB). */
export const MAX_WORKFLOW_TEXT = 262_144;
/** Nesting of a workflow document. */
export const MAX_WORKFLOW_DEPTH = 64;
/** Characters of one condition, or of one `${…}` in a template. */
export const MAX_EXPRESSION_LENGTH = 4_000;
/** Nesting of one expression, and parts of one reference. */
export const MAX_EXPRESSION_DEPTH = 50;
/** Characters of one value written as JSON (1 MB). */
export const MAX_VALUE_LENGTH = 1_048_576;
/** Characters that the values of one run take in all, where the policy does not say (10 MB). */
export const MAX_CHECKPOINT_LENGTH = 10_485_760;
/** Bytes in one value, in all of its typed arrays and buffers (64 MB). */
export const MAX_VALUE_BYTES = 67_108_864;
/** Decimal digits of one bigint. */
export const MAX_BIGINT_DIGITS = 100_000;
/** Characters of the metadata of one checkpoint that a block asks for, written as JSON (64 kB). */
export const MAX_CHECKPOINT_METADATA = 65_536;
/** Nesting of one value. */
export const MAX_VALUE_DEPTH = 200;
/** Characters of one answer written as JSON (64 kB). */
export const MAX_ANSWER_LENGTH = 65_536;
/** Choices of one question, or of one field of a form. */
export const MAX_CHOICES = 1_000;
/** Fields and choices of one form in all, those inside of others included: each is drawn. */
export const MAX_FORM_PARTS = 2_000;
/** Steps that checking one answer may take where its schema has conditions, unions or references: each may look at a part of the answer once more. */
export const MAX_CHECK_STEPS = 50_000;
/** Parts that one schema may come to with its references followed. */
export const MAX_SCHEMA_PARTS = 10_000;
/** Rules between the fields of one form, or of one group in it. */
export const MAX_RULES = 100;
/** Attempts a retry policy may ask for. */
export const MAX_ATTEMPTS = 100;
/** Milliseconds of one time limit or delay: what the timers of all platforms can hold, more than 24 days. */
export const MAX_DURATION_MS = 2_147_483_647;
/** Ways that one block chooses between in its `next`. */
export const MAX_NEXT = 100;
/** The highest priority of a block among those of its wave, and as a negative number the lowest. */
export const MAX_PRIORITY = 1_000;
/** Executions of one block that runs again and again, where the block does not say. */
export const DEFAULT_ITERATIONS = 100;
/** Times that blocks of one run may run again. */
export const MAX_SUPERSTEPS = 10_000;
/** Steps that one block may take to compute: parts of formulas that are evaluated, and items that are looked at. */
export const MAX_COMPUTE_STEPS = 250_000;
/** Characters of a key under which a block stores a value. */
export const MAX_MEMO_KEY_LENGTH = 256;
/** Milliseconds for which what a block gave may be taken over by other runs (30 days). */
export const MAX_CACHE_MS = 2_592_000_000;
/** Results in the cache of one store. */
export const MAX_CACHED_RESULTS = 10_000;
/** Values by which runs of one workflow are found. */
export const MAX_SEARCH_VALUES = 16;
/** Characters of a text by which a run is found. */
export const MAX_SEARCH_LENGTH = 256;
/** Characters of one result in the cache, written as JSON (64 kB). */
export const MAX_CACHED_LENGTH = 65_536;
/** Blocks that stand in one run because others added them. */
export const MAX_ADDED_BLOCKS = 1_000;
/** Signals that one run takes in all. */
export const MAX_SIGNALS = 10_000;
/** Events for which one block waits at the same time, or that end one question. */
export const MAX_EVENTS = 100;
/** Characters of the name of an event, and of the id of a signal. */
export const MAX_EVENT_LENGTH = 200;
/** Items of one `for_each`. */
export const MAX_ITEMS = 10_000;
/** Bytes of one file that a block reads or writes (10 MB). */
export const MAX_FILE_BYTES = 10_485_760;
/** Files of one run, as they stand. */
export const MAX_RUN_FILES = 1_000;
/** Bytes of all files of one run, as they stand (64 MB). */
export const MAX_FILES_BYTES = 67_108_864;
/** Bytes of a path to a file, as Linux has it. */
export const MAX_PATH_BYTES = 4_096;
/** Bytes of one part of a path, as most file systems have it. */
export const MAX_PATH_PART_BYTES = 255;
/** Bytes of standard output and standard error of one command together (10 MB). */
export const MAX_COMMAND_OUTPUT_BYTES = 10_485_760;
/** Bytes of one HTTP response's body (10 MB). */
export const MAX_RESPONSE_BYTES = 10_485_760;
/** Characters of the shortest secret: a shorter one could not be masked without masking everything. */
export const MIN_SECRET_LENGTH = 6;
/** Characters of the longest secret: each is looked for in a dozen forms. */
export const MAX_SECRET_LENGTH = 16_384;
/** Workflow files read from one directory or one manifest. */
export const MAX_WORKFLOW_FILES = 1_000;
/** How deep workflows may call each other. */
export const MAX_CALL_DEPTH = 32;
/** Runs that one run and those it calls may call in all: lists of items multiply at each level. */
export const MAX_CALLED_RUNS = 20_000;
/** Characters of the file of an exported run and the runs it called, before it is sealed. */
export const MAX_RUN_FILE_LENGTH = 134_217_728;
/** Entries of the journals in such a file. */
export const MAX_RUN_FILE_ENTRIES = 1_000_000;
