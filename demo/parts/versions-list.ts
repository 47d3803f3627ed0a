import { html, nothing, type TemplateResult } from "lit-html";
import type { RunTree } from "wavepoint";
import { runAddress } from "../router.ts";
import { statusBadge } from "./status-badge.ts";

/** The runs that came of one: with another answer, or forked from a checkpoint. Nothing where there is but one. */
export function versionsList(tree: RunTree | undefined, current: string): TemplateResult | typeof nothing {
  if (!tree || tree.forks.length === 0) return nothing;
  return html`<section class="versions card" aria-labelledby="versions-title">
    <h2 id="versions-title">Versions</h2>
    <p class="quiet">Each is a run of its own. Those below another one came of it.</p>
    <ul>
      ${version(tree, current)}
    </ul>
  </section>`;
}

function version(tree: RunTree, current: string): TemplateResult {
  const { run, status, revises, checkpoint, forks } = tree;
  const name = revises ? "A later version" : checkpoint === undefined ? "The first" : "A fork";
  return html`<li data-version=${run}>
    ${
      status === "deleted"
        ? html`<span class="quiet">${name}, deleted</span>`
        : html`<a href=${runAddress(run)} aria-current=${run === current ? "page" : nothing}>${name}</a> ${statusBadge(status)}`
    }
    ${
      forks.length === 0
        ? nothing
        : html`<ul>
            ${forks.map((fork) => version(fork, current))}
          </ul>`
    }
  </li>`;
}
