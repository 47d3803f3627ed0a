import { declare, plain } from "./theme.ts";

/**
 * The looks of all elements. They lie in a layer, so that a page's own rules for the same parts win. What a page may set as `--wavepoint-…` is read
 * into `--w-…` once, with its default; docs/elements.md lists it.
 */
export const STYLES: string = `@layer wavepoint{
wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{
${declare(plain, (name, value) => `--w-${name}:var(--wavepoint-${name},${value});`)}
--w-track:color-mix(in srgb,var(--w-line) 30%,transparent);
display:block;max-inline-size:var(--w-width);color:var(--w-ink);font-family:var(--w-font);font-size:var(--w-font-size);line-height:var(--w-line-height);overflow-wrap:anywhere;
& :where([part]){box-sizing:border-box;min-inline-size:0}
& :where(h2,h3,p,fieldset,ol,ul,dl,dd){margin:0;padding:0;border:0;list-style:none}
& :is([part~=field],[part~=progress],[part~=summary],[part~=notice]){display:grid;gap:.4rem}
& :is(h2,h3,p,legend,label,dt,dd,[part~=option]>span){unicode-bidi:plaintext;text-align:-webkit-match-parent;text-align:match-parent}
& [part~=body]{display:contents}
& :is([part~=question],[part~=stage],[part~=group],[part~=outcome],[part~=review],[part~=preview],[part~=leaving]){display:grid;gap:var(--w-gap)}
& [part~=heading]{font-size:var(--w-heading-size);font-weight:var(--w-heading-weight);line-height:1.25;text-wrap:pretty}
& h3{font-size:1.125em;line-height:1.3}
& :is([part~=hint],[part~=optional],[part~=progress-text],[part~=saved],[part~=size],[part~=deadline],dt){color:var(--w-quiet);font-size:.9375em;font-weight:400}
& [part~=label]{font-weight:var(--w-label-weight)}
& legend[part~=label]{padding:0;margin-block-end:.4rem}
& :is([part~=heading],[part~=lead],[part~=earlier],[part~=answer],dd){white-space:pre-line}
& [part~=control]{inline-size:100%;min-block-size:var(--w-target);padding:.4rem var(--w-pad);border:var(--w-border) solid var(--w-line);border-radius:var(--w-radius);background:var(--w-surface);color:inherit;font:inherit}
& [part~=measure]{display:flex;align-items:center;gap:.5rem}
& textarea[part~=control]{resize:vertical;field-sizing:content;min-block-size:7em}
& :is([part~=number] input,[type=date],[type=time]){inline-size:min(100%,14rem)}
& [part~=option]{display:flex;gap:.75rem;align-items:center;min-block-size:var(--w-target);padding:.4rem var(--w-pad);border:var(--w-border) solid var(--w-option-line);border-radius:var(--w-radius);cursor:pointer}
& [part~=option]:has(:checked){border-color:var(--w-accent);box-shadow:inset 0 0 0 1px var(--w-accent)}
& [part~=yes-no]>[part~=body]{display:grid;grid:auto/1fr 1fr;gap:.4rem}
& [part~=option] input{flex:none;font-size:1em;inline-size:var(--w-choice);block-size:var(--w-choice);margin:0;accent-color:var(--w-accent);outline:0;box-shadow:none}
& [part~=button]{min-inline-size:var(--w-target);min-block-size:var(--w-target);padding:.4rem calc(1.5*var(--w-pad));border:var(--w-border) solid var(--w-line);border-radius:var(--w-button-radius);background:var(--w-surface);color:inherit;font:inherit;cursor:pointer;justify-self:start}
&[data-new] button{pointer-events:none}
& [part~=button][aria-disabled=true]{opacity:.7;cursor:default}
& [part~=primary]{margin-inline-start:auto;border-color:var(--w-accent);background:var(--w-accent);box-shadow:var(--w-button-shadow);color:var(--w-on-accent);font-weight:600}
& :is([part~=quiet],[part~=more] summary){padding-inline:0;text-align:start;border-width:0;background:none;color:var(--w-quiet);text-decoration:underline;text-underline-offset:.2em}
& [part~=danger]{border-color:var(--w-bad);color:var(--w-bad)}
& [part~=buttons]{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
& [part~=saved]{flex:1;text-align:end}
& [part~=more]{margin-block:calc(var(--w-gap)/-2)}
& [part~=more] summary{display:inline-flex;align-items:center;min-inline-size:var(--w-target);min-block-size:var(--w-target);cursor:pointer}
& [part~=announcement]{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
& progress{appearance:none;display:block;inline-size:100%;block-size:.5rem;overflow:hidden;border:0;border-radius:1rem;background:var(--w-track)}
& progress::-webkit-progress-bar{background:none}
& progress::-webkit-progress-value{border-radius:1rem;background:var(--w-accent)}
& progress::-moz-progress-bar{background:var(--w-accent)}
& progress:indeterminate{background:linear-gradient(var(--w-accent),var(--w-accent)) 0/30% 100% no-repeat,var(--w-track)}
& progress:indeterminate::-moz-progress-bar{background:none}
& :is([part~=error],[part~=earlier]){padding-inline-start:.6rem;border-inline-start:4px solid var(--w-bad);color:var(--w-bad);font-weight:400}
& [part~=earlier]{border-color:var(--w-accent);color:inherit}
& :is([part~=summary],[part~=notice],[part~=leaving]){padding:var(--w-gap);border:2px solid var(--w-bad);border-radius:var(--w-radius)}
& [part~=notice]{border-color:var(--w-attention)}
& [part~=summary-title]{font-weight:600}
& [part~=summary] li+li{margin-block-start:.4rem}
& [part~=summary] a{display:inline-flex;align-items:center;min-block-size:1.75rem;color:var(--w-bad)}
& [part~=control][aria-invalid=true]{border:2px solid var(--w-bad)}
& [part~=group] [part~=group]>legend{font-size:1.1em}
& [part~=group] [part~=group]{padding-inline-start:var(--w-gap);border-inline-start:3px solid var(--w-line)}
& [part~=group] [part~=group]>legend{float:inline-start;margin-block-end:calc(.8rem - var(--w-gap))}
& [part~=mark]{display:grid;place-items:center;inline-size:2.5rem;block-size:2.5rem;border-radius:50%;background:color-mix(in srgb,currentColor 12%,transparent);color:var(--w-quiet)}
& [data-status=completed]>[part~=mark]{color:var(--w-good)}
& [data-status=failed]>[part~=mark]{color:var(--w-bad)}
& [data-status=waiting]>[part~=mark]{color:var(--w-attention)}
& [part~=section]{margin-block-start:var(--w-gap);font-size:1.15em}
& [part~=image]{max-inline-size:100%;block-size:auto;border-radius:var(--w-radius)}
& [part~=values]>div{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,11rem),1fr));gap:0 1rem}
& [part~=values]>div:has(>dd>[part~=values]){display:block}
& dd [part~=values]>div:has(>dd>[part~=values])>dt{color:inherit;font-weight:600}
& dd [part~=values]:not([part~=items]){padding-inline-start:var(--w-gap);border-inline-start:3px solid var(--w-line)}
& :is([part~=values],[part~=history],[part~=tree],[part~=checkpoints],[part~=compare],[part~=others] :where(ul)){display:grid;gap:.6rem;white-space:normal}
& [part~=tree] ul{margin-block-start:.6rem;padding-inline-start:var(--w-gap);border-inline-start:2px solid var(--w-line)}
& :is([part~=checkpoint],[part~=review-line]){display:grid;grid-template-columns:1fr auto;gap:.4rem 1rem;align-items:start;padding-block:.75rem;border-block-end:1px solid color-mix(in srgb,var(--w-line) 40%,transparent)}
& :is([part~=checkpoint],[part~=review-line])>:not([part~=quiet]){grid-column:1}
& :is([part~=review-line]>:is(wavepoint-prompt,[part~=answer],[part~=values],[part~=preview],[part~=button]:not([data-change])),[part~=state]){grid-column:1/-1}
& :focus-visible,& [part~=option]:has(:focus-visible){outline:var(--w-focus-width) solid var(--w-focus);outline-offset:2px;box-shadow:0 0 0 calc(2px + 2*var(--w-focus-width)) var(--w-focus-glow)}
& :is(h2,h3,[part~=lead],[part~=field]):focus{outline:0;box-shadow:none}
& [data-change]{grid-area:1/2;min-inline-size:var(--w-target);margin-block:-.6rem;text-align:end}
& :is([part~=question-name],[part~=preview-heading]){font-size:inherit;font-weight:var(--w-label-weight)}
}
wavepoint-waves{max-inline-size:none}
wavepoint-run{display:grid;gap:var(--w-gap)}
wavepoint-run wavepoint-prompt{font-size:inherit}
@media (max-width:30rem){
:is(wavepoint-run,wavepoint-prompt) [part~=buttons]{& :is([part~=primary],[type=submit],[part~=leaving] *){flex:auto}& [part~=saved]{order:1;flex:100%;text-align:center}& [part~=saved]:empty{display:none}}
}
@media (pointer:coarse){
wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{--w-target:max(2.75rem,var(--wavepoint-target,2.75rem))}
:is(wavepoint-run,wavepoint-prompt){& [part~=summary] a{min-block-size:var(--w-target)}}
}
@media (prefers-reduced-motion:no-preference){
:is(wavepoint-run,wavepoint-prompt) [part~=field]{transition:opacity var(--w-motion)}
:is(wavepoint-run,wavepoint-prompt):not([data-new]) [part~=field]{@starting-style{opacity:0}}
wavepoint-run progress:indeterminate{animation:wavepoint-work 1.6s ease-in-out infinite alternate}
}
@keyframes wavepoint-work{to{background-position:100% 0}}
@media (forced-colors:active){
wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{& [part~=option]:has(:checked){outline:2px solid Highlight}& progress{border:1px solid}& progress:indeterminate{forced-color-adjust:none;--w-accent:Highlight;--w-track:Canvas}& progress::-webkit-progress-value{background:Highlight}& progress::-moz-progress-bar{background:Highlight}& [part~=primary]{border-width:2px}}
}
@media print{
:is(wavepoint-run,wavepoint-prompt,wavepoint-history){color-scheme:light;& :is(button,[part~=progress],[part~=more],[part~=saved],[part~=leaving],[part~=compare]){display:none}& :is([part~=stage],[part~=question],[part~=review],[part~=review-line],[part~=values]){display:block;&>*{margin-block-end:.6rem}}& :is(h2,h3){break-after:avoid}& dl>div{break-inside:avoid}}
wavepoint-run{display:block;&>*{margin-block-end:.6rem}}
}
}`;
