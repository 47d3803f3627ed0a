/** The looks of all elements. They lie in a layer, so that whatever a page says of the same parts counts more. */
export const STYLES = `@layer wavepoint{
wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{
--accent:var(--wavepoint-accent,light-dark(#0b6a78,#5fc4cf));
--on-accent:var(--wavepoint-on-accent,light-dark(#fff,#04181d));
--ink:var(--wavepoint-ink,light-dark(#10292f,#e6f1f1));
--quiet:var(--wavepoint-quiet,light-dark(#4a6268,#a3bcc1));
--surface:var(--wavepoint-surface,light-dark(#fff,#11262e));
--line:var(--wavepoint-line,light-dark(#6d8a8f,#6b919a));
--bad:var(--wavepoint-bad,light-dark(#b3202c,#ff9a9a));
--good:var(--wavepoint-good,light-dark(#17723f,#72d199));
--radius:var(--wavepoint-radius,.5rem);
--gap:var(--wavepoint-gap,1rem);
display:block;color:var(--ink);overflow-wrap:anywhere;
& :where([part]){box-sizing:border-box}
& :where(h2,h3,p,ol,ul,dl,dd,fieldset){margin:0;padding:0;border:0;min-inline-size:0}
& :where(ol,ul){list-style:none}
& :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
& [part~=question],& [part~=stage],& [part~=group],& [part~=list],& [part~=review],& [part~=item]{display:grid;gap:var(--gap)}
& [part~=question]{max-inline-size:40rem}
& [part~=heading]{font-size:1.3em;line-height:1.3;text-wrap:pretty;white-space:pre-line}
& [part~=lead],& [part~=earlier],& [part~=answer],& dd{white-space:pre-line}
& [part~=hint],& [part~=optional],& [part~=deadline],& [part~=size],& [part~=progress-text]{color:var(--quiet);font-size:.9375em;font-weight:400}
& [part~=field]{display:grid;gap:.4rem}
& [part~=label]{font-weight:600}
& legend[part~=label]{padding:0;margin-block-end:.4rem}
& [part~=control]{inline-size:100%;min-block-size:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--surface);color:inherit;font:inherit}
& [part~=control][aria-invalid=true]{border:2px solid var(--bad)}
& textarea[part~=control]{resize:vertical}
& [part~=option]{display:flex;gap:.7rem;align-items:center;min-block-size:2.75rem;padding:.4rem .8rem;border:1px solid var(--line);border-radius:var(--radius);cursor:pointer}
& [part~=option]:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
& [part~=option]:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
& [part~=option] input{flex:none;inline-size:1.2rem;block-size:1.2rem;margin:0;accent-color:var(--accent);outline:0}
& [part~=item],& [part~=group] [part~=group]{padding-inline-start:var(--gap);border-inline-start:3px solid var(--line)}
& [part~=drop]{display:grid;gap:.4rem;padding:.75rem;border:1px dashed var(--line);border-radius:var(--radius)}
& [part~=drop] [part~=control]{padding:0;border:0;background:none}
& [part~=file],& [part~=buttons],& [part~=progress]{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center}
& [part~=file]{justify-content:space-between}
& [part~=button]{min-block-size:2.75rem;padding:.4rem 1.1rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--surface);color:inherit;font:inherit;cursor:pointer;justify-self:start}
& [part~=primary]{border-color:var(--accent);background:var(--accent);color:var(--on-accent);font-weight:600}
& [part~=quiet]{border-color:transparent;background:none;text-decoration:underline;padding-inline:.5rem}
& [part~=danger]{border-color:var(--bad);color:var(--bad)}
& [part~=button][aria-disabled=true]{cursor:default;border-style:dashed}
& [part~=error]{padding-inline-start:.6rem;border-inline-start:4px solid var(--bad);color:var(--bad)}
& [part~=summary],& [part~=notice]{padding:.8rem 1rem;border:2px solid var(--bad);border-radius:var(--radius)}
& [part~=summary-title]{font-weight:600}
& [part~=summary] a{display:inline-block;min-block-size:1.5rem;padding-block:.25rem;color:var(--bad)}
& [part~=earlier]{padding-inline-start:.6rem;border-inline-start:4px solid var(--accent)}
& [part~=values]{display:grid;gap:.5rem}
& dt{color:var(--quiet);font-size:.9375em}
& progress{accent-color:var(--accent);inline-size:min(12rem,100%);block-size:.75rem}
& [part~=review-line]{display:grid;gap:.4rem;padding-block:.75rem;border-block-end:1px solid var(--line)}
& [part~=answer]{font-weight:600}
& [part~=announcement]{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
}
wavepoint-run{display:grid;gap:var(--gap)}
wavepoint-waves{container-type:inline-size;
& [part~=picture]{overflow-x:auto}
& [part~=wave]{margin-block-end:.75rem}
& [part~=block]{display:flex;gap:.5rem;align-items:baseline}
& [part~=block-status]{color:var(--quiet)}
& svg{color:var(--ink);max-inline-size:none}
& [data-status] rect{fill-opacity:.06}
& [data-status=completed]{color:var(--good)}
& [data-status=failed],& [data-status=stopped]{color:var(--bad)}
& [data-status=running],& [data-status=paused],& [data-status=waiting]{color:var(--accent)}
& svg [data-status=pending] rect,& svg [data-status=skipped] rect{stroke-dasharray:4 4}
& svg [data-status=running] rect,& svg [data-status=paused] rect{stroke-width:3}
}
@media (prefers-reduced-motion:no-preference){wavepoint-waves svg [data-status=running] rect{animation:wavepoint-pulse 1.2s ease-in-out infinite alternate}}
@keyframes wavepoint-pulse{to{stroke-opacity:1;fill-opacity:.2}}
@media (forced-colors:active){wavepoint-run,wavepoint-prompt{& [part~=option]:has(:checked){outline:2px solid Highlight}}}
}`;
