/** The looks of the graph. */
export const GRAPH_STYLES = `@layer wavepoint{
wavepoint-waves{
& [part~=graph]{container-type:inline-size;display:grid;gap:.75rem}
& [part~=graph-body]{display:grid;gap:var(--w-gap);align-items:start}
& [part~=graph-view]{position:relative;min-inline-size:0}
& [part~=picture]{position:relative;overflow:hidden;direction:ltr;block-size:var(--wavepoint-graph-height,clamp(11rem,var(--w-graph-height,20rem),min(36rem,70vh)));border:1px solid var(--w-line);border-radius:var(--w-radius);background:var(--w-surface);touch-action:none;cursor:grab;user-select:none;contain:strict;contain-intrinsic-size:auto 20rem}
& [part~=picture]:active{cursor:grabbing}
& [part~=picture][data-whole]{touch-action:pan-x pan-y}
& [part~=picture]::after{content:"";position:absolute;inset:0;pointer-events:none;background:linear-gradient(90deg,var(--w-surface),#0000) 0 0/var(--w-left,0) 100% no-repeat,linear-gradient(-90deg,var(--w-surface),#0000) 100% 0/var(--w-right,0) 100% no-repeat,linear-gradient(var(--w-surface),#0000) 0 0/100% var(--w-top,0) no-repeat,linear-gradient(0deg,var(--w-surface),#0000) 0 100%/100% var(--w-bottom,0) no-repeat}
& [data-beyond~=left]{--w-left:2rem}
& [data-beyond~=right]{--w-right:2rem}
& [data-beyond~=top]{--w-top:2rem}
& [data-beyond~=bottom]{--w-bottom:2rem}
& [part~=picture]>svg{position:absolute;inset:0 auto auto 0;display:block;max-inline-size:none;color:var(--w-ink);fill:currentColor;font-family:system-ui,sans-serif;font-size:13px;transform-origin:0 0}
& [part~=tools]{display:flex;flex-wrap:wrap;gap:.25rem;justify-content:end;margin-block-end:.35rem}
& [part~=tool]{padding:.1rem .5rem;font-size:.9375em}
& [part~=tool][aria-pressed=true]{border-color:var(--w-accent);color:var(--w-accent);box-shadow:inset 0 0 0 1px var(--w-accent)}
& [part~=help]{margin-block-start:.35rem}
& [part~=picture]:not(:focus-visible)~[part~=help]{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}
& [part~=picture] [data-status]{color:var(--w-quiet)}
& [data-status=completed]{color:var(--w-good)!important}
& [data-status=failed],& [data-status=stopped]{color:var(--w-bad)!important}
& [data-status=running],& [data-status=waiting]{color:var(--w-accent)!important}
& [data-status=paused]{color:var(--w-attention)!important}
& [data-far]{display:none}
& [data-inner]{color:var(--w-ink)}
& [data-block]>text{fill:var(--w-ink)}
& [data-block]>rect{fill:color-mix(in srgb,currentColor 9%,var(--w-surface));fill-opacity:1;stroke-opacity:.75}
& svg [data-status=completed]>rect{fill:color-mix(in srgb,currentColor 20%,var(--w-surface))}
& svg [data-status=running]>rect,& svg [data-status=paused]>rect{stroke-width:2.5;stroke-opacity:1}
& svg [data-change]>rect{stroke:var(--w-attention);stroke-width:3;stroke-opacity:1;stroke-dasharray:7 3}
& svg [data-change=skip]{opacity:.5}
& [data-cells=completed]{fill:var(--w-good)}
& [data-cells=failed],& [data-cells=stopped]{fill:var(--w-bad)}
& [data-cells=running],& [data-cells=waiting]{fill:var(--w-accent)}
& [data-cells=paused]{fill:var(--w-attention)}
& [data-cells=pending],& [data-cells=skipped]{fill:var(--w-quiet)}
& [data-cursor]{stroke:var(--w-accent);stroke-width:3;stroke-dasharray:none}
& [data-cursor][hidden]{display:none}
& [part~=panel]{display:grid;gap:.75rem;padding:1rem;border:1px solid var(--w-line);border-radius:var(--w-radius);background:var(--w-surface);max-block-size:min(36rem,80vh);overflow:auto}
& [part~=panel-head]{display:flex;gap:.5rem;align-items:start;justify-content:space-between}
& summary{align-content:center;min-block-size:var(--w-target);cursor:pointer}
& [part~=executions]{display:grid;gap:.35rem;font-size:.9375em}
& [part~=legend]{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.875em}
& [part~=legend] svg{vertical-align:-.15em;margin-inline-end:.25em}
& [part~=list] [part~=waves]{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,12rem),1fr));gap:.5rem 1.25rem;color:var(--w-ink)}
& [part~=block-name]{min-block-size:var(--w-target);min-inline-size:var(--w-target);padding:0;border:0;background:none;color:var(--w-ink);font:inherit;text-align:start;text-decoration:underline;text-decoration-color:var(--w-line);text-underline-offset:.2em;cursor:pointer}
& [part~=block-status]{margin-inline-start:.35em;color:var(--w-quiet)}
& [part~=block] [part~=hint]{display:block}
}
@container (min-width:46rem){wavepoint-waves [part~=graph-body]:has(>[part~=panel]){grid-template-columns:minmax(0,1fr) minmax(15rem,20rem)}}
@media (prefers-reduced-motion:no-preference){
wavepoint-waves [data-calm]{transition:transform .35s ease-in-out}
wavepoint-waves svg [data-status=running]>rect{animation:wavepoint-pulse 1.2s ease-in-out infinite alternate}
wavepoint-waves svg [data-change]>rect{animation:wavepoint-pulse .5s ease-in-out 6 alternate}
}
@keyframes wavepoint-pulse{to{stroke-opacity:.35}}
@media (forced-colors:active){wavepoint-waves{& [part~=picture]::after{content:none}& [part~=picture] svg,& [data-status],& svg [data-status]{color:CanvasText!important}& svg text{fill:CanvasText}& svg [data-block]>rect{fill:Canvas}& [data-cells]{fill:CanvasText!important}& svg [data-change]>rect,& [data-cursor]{stroke:Highlight}& [part~=tool][aria-pressed=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}}}
@media print{wavepoint-waves{color-scheme:light;& [part~=picture]::after{content:none}& [part~=tools],& [part~=help],& [part~=list],& [part~=panel] button{display:none}& [part~=picture]{block-size:auto!important;contain:none;overflow:visible;border:0}& [data-far]{display:inline}& [part~=picture]>svg{position:static;transform:none!important;max-inline-size:100%;block-size:auto}& [part~=panel]{max-block-size:none}}}
}`;
