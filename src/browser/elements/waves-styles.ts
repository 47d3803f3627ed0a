/** The looks of the graph. */
export const WAVES_STYLES = `@layer wavepoint{
wavepoint-waves{
& [part~=picture]{contain:inline-size;overflow-x:auto;direction:ltr}
& [part~=wave]{margin-block-end:.75rem}
& [part~=block-status]{margin-inline-start:.35em}
& [part~=block] [part~=hint]{display:block}
& [part~=block-status]{color:var(--w-quiet)}
& svg{color:var(--w-ink);max-inline-size:none}
& [data-status] rect{fill-opacity:.06}
& [data-status=completed]{color:var(--w-good)}
& [data-status=failed],& [data-status=stopped]{color:var(--w-bad)}
& [data-status=running],& [data-status=paused],& [data-status=waiting]{color:var(--w-accent)}
& svg [data-status=pending] rect,& svg [data-status=skipped] rect{stroke-dasharray:4 4}
& svg [data-status=running] rect,& svg [data-status=paused] rect{stroke-width:3}
}
@media (prefers-reduced-motion:no-preference){wavepoint-waves svg [data-status=running] rect{animation:wavepoint-pulse 1.2s ease-in-out infinite alternate}}
@keyframes wavepoint-pulse{to{stroke-opacity:1;fill-opacity:.2}}
@media (forced-colors:active){wavepoint-waves svg,wavepoint-waves svg [data-status]{color:CanvasText}}
}`;
