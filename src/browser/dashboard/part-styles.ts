import { declare, plain } from "../elements/theme.ts";

/** The looks of the parts that stand by themselves. They take the theme of the elements. */
export const PART_STYLES: string = `@layer wavepoint{
:is(wavepoint-timeline,wavepoint-journal,wavepoint-data){
${declare(plain, (name, value) => `--w-${name}:var(--wavepoint-${name},${value});`)}
display:grid;gap:.75rem;color:var(--w-ink);font-family:var(--w-font);font-size:var(--w-font-size);line-height:var(--w-line-height);overflow-wrap:anywhere;
& :where([part]){box-sizing:border-box;min-inline-size:0}
& :where(p,ol,ul,dl,dd,h2,pre){margin:0;padding:0;list-style:none}
& [part~=hint]{color:var(--w-quiet);font-size:.9375em}
& [part~=button]{justify-self:start;min-block-size:var(--w-target);padding:.4rem var(--w-pad);border:var(--w-border) solid var(--w-line);border-radius:var(--w-button-radius);background:var(--w-surface);color:inherit;font:inherit;cursor:pointer}
& :focus-visible{outline:var(--w-focus-width) solid var(--w-focus);outline-offset:2px}
& svg.icon{flex:none;inline-size:1.1em;block-size:1.1em;margin-inline-end:.4em;vertical-align:-.18em;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;color:var(--w-quiet)}
& .disc{fill:currentColor;stroke:none}
& .on-disc{stroke:var(--w-surface)}
& svg[data-status=completed]{color:var(--w-good)}
& svg:is([data-status=failed],[data-status=stopped]){color:var(--w-bad)}
& svg[data-status=running]{color:var(--w-accent)}
& svg:is([data-status=paused],[data-status=waiting]){color:var(--w-attention)}
& [part~=timeline]{container-type:inline-size}
& [part~=timeline-row]{display:grid;grid-template-columns:minmax(7rem,13rem) minmax(0,1fr) minmax(7.5rem,auto);gap:0 1rem;align-items:center;grid-template-rows:minmax(2.1rem,auto);border-block-end:1px solid color-mix(in srgb,var(--w-line) 30%,transparent)}
& [part~=timeline-many]>*{content-visibility:auto;contain-intrinsic-block-size:auto 2.2rem}
& [part~=timeline-row]:last-child{border-block-end:0}
& [part~=timeline-name]{display:flex;align-items:center}
& [part~=timeline-name] [part~=hint]{margin-inline-start:.5em}
& strong{font-weight:600}
& [part~=timeline-row]:is([data-status=pending],[data-status=skipped]) strong{color:var(--w-quiet);font-weight:500}
& [part~=timeline-track]{position:relative;block-size:.9rem}
& [part~=timeline-bar]{position:absolute;inset-block:0;inset-inline-start:calc(var(--from)*100%);inline-size:calc((var(--to) - var(--from))*100%);min-inline-size:3px;border-radius:3px;background:var(--w-good)}
& [part~=timeline-bar][data-waits]{inset-block:.35rem;opacity:.6}
& [part~=timeline-bar][data-status=running]{background:var(--w-accent)}
& [part~=timeline-bar]:is([data-status=paused],[data-status=waiting]){background:var(--w-attention)}
& [part~=timeline-bar]:is([data-status=failed],[data-status=stopped]){background:var(--w-bad)}
& :is([part~=timeline-facts],[part~=timeline-when],[part~=timeline-more]){color:var(--w-quiet);font-size:.9em;font-variant-numeric:tabular-nums}
& [part~=timeline-facts]{display:flex;gap:.75rem;justify-content:space-between}
& [part~=timeline-when]{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}
& [part~=timeline-more]{grid-column:1/-1;margin-inline-start:1.67em;padding-block-end:.4rem}
& a{color:var(--w-accent)}
& [data-status=failed]>[part~=timeline-reason]{color:var(--w-bad)}
& [part~=timeline-items]{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,12rem),1fr));gap:0 1.25rem;max-block-size:12rem;margin:0;padding:0;overflow-y:auto;list-style:none;scrollbar-width:thin}
& [part~=timeline-item]{display:grid;grid-template-columns:auto minmax(0,1fr) auto;align-items:center;padding-block:.2rem}
& [part~=timeline-item-more]{grid-column:2/-1}
& [part~=journal]{display:grid}
& [part~=journal-row]+*{border-block-start:1px solid color-mix(in srgb,var(--w-line) 30%,transparent)}
& summary{padding-block:.5rem;cursor:pointer}
& [part~=journal-time]{margin-inline-end:.6em;color:var(--w-quiet);font-size:.875em;font-variant-numeric:tabular-nums}
& [part~=journal-text]{color:var(--w-quiet)}
& [part~=label]{font-size:1em;font-weight:600}
& [part~=data]{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr));gap:var(--w-gap)}
& section{display:grid;gap:.4rem;align-content:start}
& :is([part~=values],[part~=files]){display:grid;gap:.4rem;font-size:.9375em}
& dt{color:var(--w-quiet);font-size:.9375em;font-weight:600}
& dd{white-space:pre-line}
& dd code{display:block;max-block-size:20rem;overflow:auto;font-size:.875em;white-space:pre-wrap}
& pre{max-block-size:24rem;overflow:auto;margin-block-end:.75rem;padding:.75rem;border:1px solid color-mix(in srgb,var(--w-line) 40%,transparent);border-radius:var(--w-radius);font-size:.8125rem;white-space:pre-wrap}
}
@container (min-width:58rem){
wavepoint-timeline [part~=timeline-row]{grid-template-columns:minmax(7rem,13rem) minmax(0,1fr) minmax(7.5rem,auto) 17rem}
wavepoint-timeline [part~=timeline-when]{position:static;inline-size:auto;block-size:auto;clip-path:none}
}
@container (max-width:38rem){
wavepoint-timeline{
& [part~=timeline-row]{grid-template:auto/minmax(0,1fr) auto;padding-block:.3rem}
& [part~=timeline-track]{grid-row:2;grid-column:1/-1;margin-block:.15rem .25rem;block-size:.5rem}
& [part~=timeline-bar][data-waits]{inset-block:.15rem}
}
}
@media (forced-colors:active){
wavepoint-timeline{& svg{forced-color-adjust:none}& [part~=timeline-bar]{background:CanvasText;forced-color-adjust:none}& svg.icon{color:CanvasText!important}& .on-disc{stroke:Canvas}}
}
}`;
