/** The looks of all elements. They lie in a layer, so that a page's own rules for the same parts win. */
export const STYLES = `@layer wavepoint{
wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{
--w-accent:var(--wavepoint-accent,light-dark(#0b6a78,#5fc4cf));
--w-on-accent:var(--wavepoint-on-accent,light-dark(#fff,#04181d));
--w-ink:var(--wavepoint-ink,light-dark(#10292f,#e6f1f1));
--w-quiet:var(--wavepoint-quiet,light-dark(#4a6268,#a3bcc1));
--w-surface:var(--wavepoint-surface,light-dark(#fff,#11262e));
--w-line:var(--wavepoint-line,light-dark(#6d8a8f,#6b919a));
--w-radius:var(--wavepoint-radius,.5rem);
--w-gap:var(--wavepoint-gap,1rem);
display:block;color:var(--w-ink);overflow-wrap:anywhere;
& :where([part]){box-sizing:border-box;min-inline-size:0}
& :where(h2,p,fieldset){margin:0;padding:0;border:0}
& :focus-visible,& [part~=option]:has(:focus-visible){outline:3px solid var(--w-accent);outline-offset:2px}
& [part~=field]{display:grid;gap:.4rem}
& [part~=body]{display:contents}
& [part~=question],& [part~=stage],& [part~=group]{display:grid;gap:var(--w-gap)}
& [part~=question]{max-inline-size:40rem}
& [part~=heading]{font-size:1.3em;line-height:1.3;text-wrap:pretty;white-space:pre-line}
& [part~=hint],& [part~=optional],& [part~=progress-text]{color:var(--w-quiet);font-size:.9em;font-weight:400}
& [part~=label]{font-weight:600}
& legend[part~=label]{padding:0;margin-block-end:.4rem}
& [part~=control]{inline-size:100%;min-block-size:2.75rem;padding:.4rem .75rem;border:1px solid var(--w-line);border-radius:var(--w-radius);background:var(--w-surface);color:inherit;font:inherit}
& [part~=option]{display:flex;gap:.5rem;align-items:center;min-block-size:2.75rem;padding:.4rem .75rem;border:1px solid var(--w-line);border-radius:var(--w-radius);cursor:pointer}
& [part~=buttons],& [part~=progress]{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
& [part~=lead]{white-space:pre-line}
& [part~=option]:has(:checked){border-color:var(--w-accent);box-shadow:inset 0 0 0 1px var(--w-accent)}
& [part~=option] input{flex:none;inline-size:1.2rem;block-size:1.2rem;margin:0;accent-color:var(--w-accent);outline:0}
& [part~=button]{min-block-size:2.75rem;padding:.4rem 1.1rem;border:1px solid var(--w-line);border-radius:var(--w-radius);background:var(--w-surface);color:inherit;font:inherit;cursor:pointer;justify-self:start}
&[data-new] button{pointer-events:none}
& [part~=primary]{border-color:var(--w-accent);background:var(--w-accent);color:var(--w-on-accent);font-weight:600}
& [part~=quiet]{border-color:transparent;background:none;text-decoration:underline;padding-inline:.5rem}
& progress{accent-color:var(--w-accent);inline-size:12rem}
& [part~=announcement]{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
}
wavepoint-run{display:grid;gap:var(--w-gap)}
}`;
