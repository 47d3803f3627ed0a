import { declare, plain } from "../elements/theme.ts";

/** The looks of the parts that stand by themselves. They take the theme of the elements. */
export const PART_STYLES: string = `@layer wavepoint{
:is(wavepoint-timeline,wavepoint-journal){
${declare(plain, (name, value) => `--w-${name}:var(--wavepoint-${name},${value});`)}
display:grid;gap:.75rem;color:var(--w-ink);font-family:var(--w-font);font-size:var(--w-font-size);line-height:var(--w-line-height);overflow-wrap:anywhere;
& :where([part]){box-sizing:border-box;min-inline-size:0}
& :where(p,ol,pre){margin:0;padding:0;list-style:none}
& [part~=hint]{color:var(--w-quiet);font-size:.9375em}
& [part~=button]{justify-self:start;min-block-size:var(--w-target);padding:.4rem var(--w-pad);border:var(--w-border) solid var(--w-line);border-radius:var(--w-button-radius);background:var(--w-surface);color:inherit;font:inherit;cursor:pointer}
& :focus-visible{outline:var(--w-focus-width) solid var(--w-focus);outline-offset:2px}
& svg.icon{flex:none;inline-size:1.1em;block-size:1.1em;margin-inline-end:.4em;vertical-align:-.18em;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;color:var(--w-quiet)}
& .disc{fill:currentColor;stroke:none}
& .on-disc{stroke:var(--w-surface)}
& [data-status=completed] svg{color:var(--w-good)}
& :is([data-status=failed],[data-status=stopped]) svg{color:var(--w-bad)}
& :is([data-status=running],[data-status=paused],[data-status=waiting]) svg{color:var(--w-attention)}
& [part~=timeline-head]{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;justify-content:space-between}
& [part~=check]{display:flex;gap:.5rem;align-items:center;min-block-size:var(--w-target);cursor:pointer}
& [part~=check] input{inline-size:var(--w-choice);block-size:var(--w-choice);margin:0;accent-color:var(--w-accent)}
& [part~=timeline]{container-type:inline-size;display:grid}
& [part~=timeline-row]{display:grid;grid-template-columns:minmax(8rem,14rem) minmax(6rem,1fr) minmax(16rem,22rem);gap:.15rem 1rem;align-items:center;padding-block:.35rem;border-block-start:1px solid color-mix(in srgb,var(--w-line) 30%,transparent)}
& [part~=timeline-bar]{display:block;inline-size:100%;block-size:.8rem}
& .track{fill:color-mix(in srgb,var(--w-line) 14%,transparent)}
& .span{fill:color-mix(in srgb,var(--w-attention) 45%,transparent)}
& .ran{fill:var(--w-accent)}
& [data-status=failed] .ran{fill:var(--w-bad)}
& [part~=timeline-facts]{color:var(--w-quiet);font-size:.875em}
& [part~=timeline-error]{grid-column:2/-1;color:var(--w-bad);font-size:.9375em}
& [part~=journal]{display:grid}
& [part~=journal-row]{border-block-start:1px solid color-mix(in srgb,var(--w-line) 30%,transparent)}
& summary{padding-block:.5rem;cursor:pointer}
& [part~=journal-time]{margin-inline-end:.6em;color:var(--w-quiet);font-size:.875em;font-variant-numeric:tabular-nums}
& [part~=journal-text]{color:var(--w-quiet)}
& pre{max-block-size:24rem;overflow:auto;margin-block-end:.75rem;padding:.75rem;border:1px solid color-mix(in srgb,var(--w-line) 40%,transparent);border-radius:var(--w-radius);font-size:.8125rem;white-space:pre-wrap}
}
@container (max-width:44rem){
wavepoint-timeline [part~=timeline-row]{grid-template-columns:1fr}
wavepoint-timeline [part~=timeline-error]{grid-column:1}
}
@media (forced-colors:active){
wavepoint-timeline{& svg{forced-color-adjust:none}& .track{fill:Canvas;stroke:CanvasText}& .span{fill:GrayText}& .ran{fill:Highlight}& svg.icon{color:CanvasText!important}& .on-disc{stroke:Canvas}}
}
}`;
