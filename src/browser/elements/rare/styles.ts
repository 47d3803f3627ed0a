/** The looks of rare controls, in the layer of the elements. */
export const RARE_STYLES = `@layer wavepoint{
wavepoint-run,wavepoint-prompt{
& :is([part~=list],[part~=item]){display:grid;gap:var(--w-gap)}
& [part~=list]>legend{font-size:1.1em}
& :is([part~=list],[part~=group]):has(>[part~=body]>:is([part~=matrix],[part~=files]))>legend{font-size:1em}
& [part~=item]{padding-inline-start:var(--w-gap);border-inline-start:3px solid var(--w-line)}
& [part~=group] [part~=item]>[part~=group]{padding:0;border:0}
& [part~=item-buttons]{display:flex;flex-wrap:wrap;gap:.5rem}
& [part~=move]{min-inline-size:2.75rem;padding-inline:.5rem}
& [part~=ranking]{display:grid;gap:.5rem;margin:0;padding-inline-start:1.5em;list-style:decimal}
& [part~=ranked]{padding-inline-start:.25rem}
& [part~=ranked]::marker{font-weight:600}
& [part~=ranked]>span{display:inline-block;inline-size:min(16rem,calc(100% - 6.6rem));margin-inline-end:.5rem;vertical-align:middle}
& [part~=ranked]>button{margin-inline-start:.25rem}
& [part~=rating]{display:grid;grid-template-columns:repeat(auto-fill,minmax(calc(var(--w-choice) + 2.25em),1fr));gap:.4rem}
& [part~=rating] [part~=option]{gap:.4rem;padding-inline:.35rem}
& [part~=group] [part~=group]:has(>[part~=body]>[part~=matrix],>[part~=matrix]){padding:0;border:0}
& [part~=matrix]{inline-size:100%;border-collapse:collapse;text-align:start}
& [part~=matrix] :is(th,td){padding:.4rem;vertical-align:middle;text-align:center;font-weight:400}
& [part~=matrix] [part~=matrix-name]{padding-inline-start:0;text-align:start;font-weight:600}
& [part~=matrix] [part~=error]{contain:inline-size}
& [part~=matrix-row]{border-block-start:1px solid var(--w-line)}
& [part~=matrix] [part~=option]{justify-content:center;border-color:transparent;background:none}
& [part~=matrix-choice]{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
& [part~=revealed]{display:grid;gap:.4rem;margin-block:.25rem .5rem;margin-inline-start:calc(var(--w-pad) + var(--w-choice) / 2);padding-inline-start:var(--w-gap);border-inline-start:3px solid var(--w-line)}
& [part~=divider]{padding-inline-start:calc(var(--w-pad) + .25em);color:var(--w-quiet)}
& [part~=combobox]{position:relative}
& [part~=combobox]>[part~=control]{padding-inline-end:2.25rem}
& [part~=combobox]::after{content:"";position:absolute;inset-block:-.3rem 0;inset-inline-end:.9rem;inline-size:.5rem;block-size:.5rem;margin-block:auto;border:solid;border-width:0 2px 2px 0;rotate:45deg;pointer-events:none}
& [part~=count]{margin-block-start:.25rem}
& [part~=count][data-over]{color:var(--w-bad);font-weight:600}
& [part~=listbox]{position:absolute;z-index:2;inset-inline:0;max-block-size:16rem;margin:.25rem 0 0;padding:.25rem;overflow-y:auto;list-style:none;border:1px solid var(--w-line);border-radius:var(--w-radius);background:var(--w-surface)}
& [part~=listbox][hidden]{display:none}
& [part~=listbox-line]{min-block-size:2.25rem;padding:.35rem .5rem;border-radius:calc(var(--w-radius) / 2);cursor:pointer}
& [part~=listbox-none]{padding:.35rem .5rem;color:var(--w-quiet)}
& [part~=listbox-line][aria-selected=true]{font-weight:600}
& [part~=listbox-line]:is([data-active],:hover){background:var(--w-accent);color:var(--w-on-accent)}
& [part~=signature]{display:grid;gap:.4rem;justify-items:start}
& [part~=canvas]{inline-size:100%;max-inline-size:600px;aspect-ratio:3;border:1px dashed var(--w-line);border-radius:var(--w-radius);background:#fff;touch-action:none;cursor:crosshair}
& [part~=drop]{position:relative;display:grid;place-items:center;gap:.25rem;min-block-size:calc(2*var(--w-target));padding:var(--w-pad);border:max(2px,var(--w-border)) dashed var(--w-line);border-radius:var(--w-radius);text-align:center}
& [part~=drop] [part~=control]{position:absolute;inset:0;block-size:100%;opacity:0;cursor:pointer}
& [part~=drop] [id$=-limits]::first-letter{text-transform:uppercase}
& [part~=drop]:has([aria-invalid]){border-color:var(--w-bad)}
& [part~=choose]{color:var(--w-accent);font-weight:600;text-decoration:underline;text-underline-offset:.2em}
& [part~=picked]{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;padding:.4rem var(--w-pad);border:var(--w-border) solid var(--w-line);border-radius:var(--w-radius)}
& [part~=drop]:has(:focus-visible){outline:var(--w-focus-width) solid var(--w-focus);outline-offset:2px;box-shadow:0 0 0 calc(2px + 2*var(--w-focus-width)) var(--w-focus-glow)}
& [part~=picture]{max-inline-size:100%;max-block-size:14rem;border:1px solid var(--w-line);border-radius:var(--w-radius);background:#fff}
& [part~=picked]>[part~=picture]{flex:none;inline-size:var(--w-target);block-size:var(--w-target);object-fit:cover}
& [part~=picked]>span{flex:1 1 8rem}
& [part~=picked] [part~=size]{white-space:nowrap}
& [part~=pictures]{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9rem),1fr));gap:.75rem}
& [part~=shown-file]{display:grid;align-content:start;gap:.25rem;justify-items:start;margin:0;break-inside:avoid}
& [part~=files]{display:grid;gap:.5rem;margin:0;padding:0;list-style:none}
& [part~=files]:not(:has(li)){display:none}
@media (max-width:36rem){
& [part~=rating]{grid-template-columns:repeat(auto-fill,minmax(max(var(--w-target),var(--w-choice) + .5em),1fr))}
& [part~=rating] [part~=option]{flex-direction:column;justify-content:center;gap:.15rem;padding:.35rem 0}
& [part~=matrix],& [part~=matrix] :is(tbody,tr,td,th){display:block}
& [part~=matrix] thead{display:none}
& [part~=matrix] :is(th,td){padding:.25rem 0;text-align:start}
& [part~=matrix-row]{padding-block:.75rem}
& [part~=matrix] [part~=option]{justify-content:start;border-color:var(--w-option-line)}
& [part~=matrix-choice]{all:unset}
}
}
@media (pointer:coarse){:is(wavepoint-run,wavepoint-prompt) [part~=drop-hint]{display:none}}
@media print{:is(wavepoint-run,wavepoint-prompt) dl>div:has(>dd>[part~=values]){break-inside:auto}}
@media (forced-colors:active){wavepoint-run,wavepoint-prompt{& [part~=listbox-line][data-active]{outline:2px solid Highlight;outline-offset:-2px}}}
}`;
