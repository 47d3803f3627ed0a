/** The looks of the graph. */
export const WAVES_STYLES = `@layer wavepoint{
wavepoint-waves{container-type:inline-size;
& [part~=picture]{overflow-x:auto}
& [part~=wave]{margin-block-end:.75rem}
& [part~=block]{display:flex;gap:.5rem;align-items:baseline}
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
@media (forced-colors:active){wavepoint-run,wavepoint-prompt{& [part~=option]:has(:checked){outline:2px solid Highlight}}}
}`;
