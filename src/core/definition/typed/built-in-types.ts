// Written by `npm run reference` from the schemas of the block types. Do not edit.
import type { Value } from "../../model/value.ts";

/** What the built-in block types take and give, by their names. */
export interface BuiltInTypes {
  readonly AskChoice: {
    readonly inputs: {
      readonly question: string | { readonly [name: string]: string };
      readonly choices:
        | readonly (string | { readonly value: Value; readonly title?: string | { readonly [name: string]: string } })[]
        | { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
      readonly messages?: { readonly required?: string | { readonly [name: string]: string } };
      readonly title?: string | { readonly [name: string]: string };
      readonly sensitive?: boolean;
      readonly prefill?: string;
    };
    readonly outputs: { readonly choice: string; readonly choice_index: number; readonly value?: Value };
  };
  readonly Compute: {
    readonly inputs: { readonly formulas: { readonly [name: string]: string }; readonly variables?: { readonly [name: string]: Value } };
    readonly outputs: { readonly [name: string]: Value };
  };
  readonly ConfirmOperation: {
    readonly inputs: {
      readonly message: string | { readonly [name: string]: string };
      readonly operation?: string;
      readonly details?: { readonly [name: string]: Value };
      readonly title?: string | { readonly [name: string]: string };
      readonly sensitive?: boolean;
    };
    readonly outputs: { readonly confirmed: boolean; readonly response: string; readonly comment?: string };
  };
  readonly CreateFile: {
    readonly inputs: {
      readonly path: string;
      readonly content: string;
      readonly encoding?: "utf-8" | "latin1" | "base64";
      readonly in?: "folder" | "run";
      readonly media_type?: string;
      readonly permissions?: number | string | null;
      readonly mode?: number | string | null;
      readonly overwrite?: boolean;
      readonly create_parents?: boolean;
      readonly unsafe?: boolean;
    };
    readonly outputs: {
      readonly file_path: string;
      readonly path: string;
      readonly size_bytes: number;
      readonly created: boolean;
      readonly success: boolean;
    };
  };
  readonly CreateWorktree: {
    readonly inputs: { readonly branch: string; readonly path: string; readonly base?: string; readonly repository?: string };
    readonly outputs: {
      readonly path: string;
      readonly branch: string;
      readonly commit: string;
      readonly created_branch: boolean;
      readonly success: boolean;
    };
  };
  readonly EchoBlock: {
    readonly inputs: { readonly message: string; readonly delay_ms?: number };
    readonly outputs: { readonly echoed: string; readonly success: boolean };
  };
  readonly EditFile: {
    readonly inputs: {
      readonly path: string;
      readonly edits: readonly { readonly find: string; readonly replace: string; readonly all?: boolean }[];
      readonly in?: "folder" | "run";
    };
    readonly outputs: { readonly file_path: string; readonly replacements: number; readonly changed: boolean; readonly size_bytes: number };
  };
  readonly ExecuteWorkflow: {
    readonly inputs: { readonly workflow: string; readonly inputs?: { readonly [name: string]: Value }; readonly timeout?: number };
    readonly outputs: {
      readonly success?: Value;
      readonly workflow?: Value;
      readonly workflow_name?: Value;
      readonly execution_time_ms?: Value;
      readonly execution_time?: Value;
      readonly total_blocks?: Value;
      readonly execution_waves?: Value;
    };
  };
  readonly Form: {
    readonly inputs: {
      readonly prompt: string | { readonly [name: string]: string };
      readonly fields?: readonly {
        readonly name?: string;
        readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
        readonly title?: string | { readonly [name: string]: Value };
        readonly description?: string | { readonly [name: string]: Value };
        readonly required?: boolean;
        readonly default?: Value;
        readonly enum?: readonly Value[] | { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
        readonly other?: boolean | string | { readonly [name: string]: Value };
        readonly exclusive?: readonly Value[];
        readonly pattern?: string;
        readonly format?:
          | "email"
          | "tel"
          | "uri"
          | "date"
          | "date-time"
          | "time"
          | "month"
          | "multiline"
          | "password"
          | "address"
          | "matrix"
          | "ranking"
          | "rating"
          | "money";
        readonly min_length?: number;
        readonly max_length?: number;
        readonly minimum?: number;
        readonly maximum?: number;
        readonly unit?: string | { readonly [name: string]: Value };
        readonly currency?: string;
        readonly min?: string;
        readonly max?: string;
        readonly item?: string | { readonly [name: string]: Value };
        readonly min_items?: number;
        readonly max_items?: number;
        readonly accept?: string;
        readonly max_bytes?: number;
        readonly multiple?: boolean;
        readonly rows?: readonly Value[];
        readonly capture?: "user" | "environment" | "signature";
        readonly show_if?: string;
        readonly messages?: { readonly [name: string]: string | { readonly [name: string]: Value } };
        readonly autocomplete?: string;
        readonly rules?: readonly {
          readonly check: string;
          readonly field?: string;
          readonly message: string | { readonly [name: string]: Value };
        }[];
        readonly fields?: readonly {
          readonly name?: string;
          readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
          readonly title?: string | { readonly [name: string]: Value };
          readonly description?: string | { readonly [name: string]: Value };
          readonly required?: boolean;
          readonly default?: Value;
          readonly enum?: readonly Value[] | { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
          readonly other?: boolean | string | { readonly [name: string]: Value };
          readonly exclusive?: readonly Value[];
          readonly pattern?: string;
          readonly format?:
            | "email"
            | "tel"
            | "uri"
            | "date"
            | "date-time"
            | "time"
            | "month"
            | "multiline"
            | "password"
            | "address"
            | "matrix"
            | "ranking"
            | "rating"
            | "money";
          readonly min_length?: number;
          readonly max_length?: number;
          readonly minimum?: number;
          readonly maximum?: number;
          readonly unit?: string | { readonly [name: string]: Value };
          readonly currency?: string;
          readonly min?: string;
          readonly max?: string;
          readonly item?: string | { readonly [name: string]: Value };
          readonly min_items?: number;
          readonly max_items?: number;
          readonly accept?: string;
          readonly max_bytes?: number;
          readonly multiple?: boolean;
          readonly rows?: readonly Value[];
          readonly capture?: "user" | "environment" | "signature";
          readonly show_if?: string;
          readonly messages?: { readonly [name: string]: string | { readonly [name: string]: Value } };
          readonly autocomplete?: string;
          readonly rules?: readonly {
            readonly check: string;
            readonly field?: string;
            readonly message: string | { readonly [name: string]: Value };
          }[];
          readonly fields?: readonly {
            readonly name?: string;
            readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
            readonly title?: string | { readonly [name: string]: Value };
            readonly description?: string | { readonly [name: string]: Value };
            readonly required?: boolean;
            readonly default?: Value;
            readonly enum?: readonly Value[] | { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
            readonly other?: boolean | string | { readonly [name: string]: Value };
            readonly exclusive?: readonly Value[];
            readonly pattern?: string;
            readonly format?:
              | "email"
              | "tel"
              | "uri"
              | "date"
              | "date-time"
              | "time"
              | "month"
              | "multiline"
              | "password"
              | "address"
              | "matrix"
              | "ranking"
              | "rating"
              | "money";
            readonly min_length?: number;
            readonly max_length?: number;
            readonly minimum?: number;
            readonly maximum?: number;
            readonly unit?: string | { readonly [name: string]: Value };
            readonly currency?: string;
            readonly min?: string;
            readonly max?: string;
            readonly item?: string | { readonly [name: string]: Value };
            readonly min_items?: number;
            readonly max_items?: number;
            readonly accept?: string;
            readonly max_bytes?: number;
            readonly multiple?: boolean;
            readonly rows?: readonly Value[];
            readonly capture?: "user" | "environment" | "signature";
            readonly show_if?: string;
            readonly messages?: { readonly [name: string]: string | { readonly [name: string]: Value } };
            readonly autocomplete?: string;
            readonly heading?: string | { readonly [name: string]: Value };
            readonly text?: string | { readonly [name: string]: Value };
            readonly image?: { readonly src: string; readonly alt: string | { readonly [name: string]: Value } };
          }[];
          readonly heading?: string | { readonly [name: string]: Value };
          readonly text?: string | { readonly [name: string]: Value };
          readonly image?: { readonly src: string; readonly alt: string | { readonly [name: string]: Value } };
        }[];
        readonly heading?: string | { readonly [name: string]: Value };
        readonly text?: string | { readonly [name: string]: Value };
        readonly image?: { readonly src: string; readonly alt: string | { readonly [name: string]: Value } };
      }[];
      readonly rules?: readonly {
        readonly check: string;
        readonly field?: string;
        readonly message: string | { readonly [name: string]: Value };
      }[];
      readonly schema?: { readonly [name: string]: Value };
      readonly title?: string | { readonly [name: string]: string };
      readonly sensitive?: boolean;
      readonly prefill?: { readonly [name: string]: Value };
    };
    readonly outputs: { readonly [name: string]: Value };
  };
  readonly GetInput: {
    readonly inputs: {
      readonly prompt: string | { readonly [name: string]: string };
      readonly validation_pattern?: string | null;
      readonly messages?: {
        readonly required?: string | { readonly [name: string]: string };
        readonly validation_pattern?: string | { readonly [name: string]: string };
      };
      readonly title?: string | { readonly [name: string]: string };
      readonly sensitive?: boolean;
      readonly prefill?: string;
    };
    readonly outputs: { readonly input_value: string };
  };
  readonly HttpCall: {
    readonly inputs: {
      readonly url: string;
      readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
      readonly headers?: { readonly [name: string]: string | number | null };
      readonly query?: { readonly [name: string]: string | number | boolean | null | readonly (string | number | boolean)[] };
      readonly json?: Value;
      readonly body?: string | null;
      readonly timeout?: number;
      readonly follow_redirects?: boolean;
      readonly expect?: readonly number[];
    };
    readonly outputs: {
      readonly status: number;
      readonly headers: { readonly [name: string]: Value };
      readonly body: string | null;
      readonly json: Value;
      readonly success: boolean;
    };
  };
  readonly MergeJSONState: {
    readonly inputs: {
      readonly path: string;
      readonly updates: { readonly [name: string]: Value };
      readonly create_if_missing?: boolean;
      readonly create_parents?: boolean;
    };
    readonly outputs: { readonly merged_data: { readonly [name: string]: Value }; readonly created: boolean; readonly path: string };
  };
  readonly MergeState: {
    readonly inputs: {
      readonly path: string;
      readonly updates: { readonly [name: string]: Value };
      readonly create_if_missing?: boolean;
      readonly create_parents?: boolean;
    };
    readonly outputs: { readonly merged_data: { readonly [name: string]: Value }; readonly created: boolean; readonly path: string };
  };
  readonly PopulateTemplate: {
    readonly inputs: {
      readonly template: string;
      readonly variables?: { readonly [name: string]: Value };
      readonly strict?: boolean;
      readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | null;
    };
    readonly outputs: { readonly rendered: string; readonly value?: Value; readonly success: boolean };
  };
  readonly Prompt: {
    readonly inputs: {
      readonly prompt: string | { readonly [name: string]: string };
      readonly allow_empty?: boolean;
      readonly operation?: string;
      readonly details?: { readonly [name: string]: Value };
      readonly title?: string | { readonly [name: string]: string };
      readonly sensitive?: boolean;
      readonly prefill?: string;
    };
    readonly outputs: { readonly response: string };
  };
  readonly ReadFile: {
    readonly inputs: {
      readonly path: string;
      readonly mode?: "text" | "binary";
      readonly encoding?: "utf-8" | "latin1" | "base64";
      readonly in?: "folder" | "run";
      readonly max_size_mb?: number;
      readonly required?: boolean;
      readonly unsafe?: boolean;
    };
    readonly outputs: {
      readonly content: string;
      readonly size_bytes: number;
      readonly found: boolean;
      readonly path: string;
      readonly success: boolean;
    };
  };
  readonly ReadJSONState: {
    readonly inputs: { readonly path: string; readonly required?: boolean };
    readonly outputs: { readonly data: { readonly [name: string]: Value }; readonly found: boolean; readonly path: string };
  };
  readonly ReadState: {
    readonly inputs: { readonly path: string; readonly required?: boolean };
    readonly outputs: { readonly data: { readonly [name: string]: Value }; readonly found: boolean; readonly path: string };
  };
  readonly RenderTemplate: {
    readonly inputs: {
      readonly template: string;
      readonly variables?: { readonly [name: string]: Value };
      readonly strict?: boolean;
      readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | null;
      readonly output_path?: string | null;
      readonly encoding?: "utf-8";
      readonly overwrite?: boolean;
      readonly create_parents?: boolean;
    };
    readonly outputs: {
      readonly content: string;
      readonly value?: Value;
      readonly output_path: string | null;
      readonly size_bytes: number | null;
    };
  };
  readonly Review: {
    readonly inputs: {
      readonly prompt: string | { readonly [name: string]: string };
      readonly declaration?: string | { readonly [name: string]: string };
      readonly messages?: { readonly required?: string | { readonly [name: string]: string } };
      readonly title?: string | { readonly [name: string]: string };
    };
    readonly outputs: { readonly confirmed: boolean };
  };
  readonly SetState: {
    readonly inputs: { readonly path: string; readonly data: { readonly [name: string]: Value }; readonly create_parents?: boolean };
    readonly outputs: { readonly path: string; readonly size_bytes: number };
  };
  readonly Shell: {
    readonly inputs: {
      readonly command?: string;
      readonly argv?: readonly (string | number | boolean)[];
      readonly working_dir?: string;
      readonly timeout?: number;
      readonly env?: { readonly [name: string]: string | number | boolean };
      readonly options?: "refuse" | "allow";
      readonly capture_output?: boolean;
    };
    readonly outputs: { readonly exit_code: number; readonly stdout: string; readonly stderr: string; readonly success: boolean };
  };
  readonly Wait: {
    readonly inputs: {
      readonly until?: string | number | null;
      readonly duration_ms?: number | null;
      readonly event?: string | readonly string[] | null;
      readonly schema?: { readonly [name: string]: Value } | null;
    };
    readonly outputs: {
      readonly ended_by: "time" | "event";
      readonly event: string | null;
      readonly value: Value;
      readonly until: string | null;
    };
  };
  readonly Workflow: {
    readonly inputs: { readonly workflow: string; readonly inputs?: { readonly [name: string]: Value }; readonly timeout?: number };
    readonly outputs: {
      readonly success?: Value;
      readonly workflow?: Value;
      readonly workflow_name?: Value;
      readonly execution_time_ms?: Value;
      readonly execution_time?: Value;
      readonly total_blocks?: Value;
      readonly execution_waves?: Value;
    };
  };
  readonly WriteJSONState: {
    readonly inputs: { readonly path: string; readonly data: { readonly [name: string]: Value }; readonly create_parents?: boolean };
    readonly outputs: { readonly path: string; readonly size_bytes: number };
  };
}
