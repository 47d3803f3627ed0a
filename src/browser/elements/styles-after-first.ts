/** The looks of what is shown after the first question. */
export const LATER_STYLES = `@layer wavepoint{
wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{
--w-bad:var(--wavepoint-bad,light-dark(#b3202c,#ff9a9a));
--w-good:var(--wavepoint-good,light-dark(#17723f,#72d199));
& :where(h3,ol,ul,dl,dd){margin:0;padding:0;list-style:none}
& [part~=earlier],& [part~=answer],& dd{white-space:pre-line}
& [part~=deadline],& [part~=size]{color:var(--w-quiet);font-size:.9375em}
& textarea[part~=control]{resize:vertical}
& [part~=button][aria-disabled=true]{cursor:default;border-style:dashed}
& [part~=group] [part~=group]>legend,& [part~=list]>legend{font-size:1.1em}
& [part~=control][aria-invalid=true]{border:2px solid var(--w-bad)}
& [part~=item],& [part~=group] [part~=group]{padding-inline-start:var(--w-gap);border-inline-start:3px solid var(--w-line)}
& [part~=item]>[part~=group]{padding:0;border:0}
& [part~=drop]{display:grid;gap:.4rem;padding:.75rem;border:1px dashed var(--w-line);border-radius:var(--w-radius)}
& [part~=drop] [part~=control]{padding:0;border:0;background:none}
& [part~=picked]{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;justify-content:space-between}
& [part~=danger]{border-color:var(--w-bad);color:var(--w-bad)}
& [part~=error]{padding-inline-start:.6rem;border-inline-start:4px solid var(--w-bad);color:var(--w-bad)}
& [part~=summary],& [part~=notice]{padding:.8rem 1rem;border:2px solid var(--w-bad);border-radius:var(--w-radius)}
& [part~=summary] ul{margin-block-start:.4rem}
& [part~=summary-title]{font-weight:600}
& [part~=summary] a{display:inline-block;min-block-size:1.5rem;padding-block:.25rem;color:var(--w-bad)}
& [part~=earlier]{padding-inline-start:.6rem;border-inline-start:4px solid var(--w-accent)}
& [part~=values]{display:grid;gap:.5rem}
& [part~=list],& [part~=item],& [part~=review],& [part~=preview]{display:grid;gap:var(--w-gap)}
& dt{color:var(--w-quiet);font-size:.9375em}
& [part~=history],& [part~=tree],& [part~=checkpoints],& [part~=compare],& [part~=others] ul{display:grid;gap:.6rem}
& [part~=tree] ul{margin-block-start:.6rem;padding-inline-start:var(--w-gap);border-inline-start:2px solid var(--w-line)}
& [part~=checkpoint],& [part~=review-line]{display:grid;gap:.4rem;padding-block:.75rem;border-block-end:1px solid var(--w-line)}
& [part~=answer]{font-weight:600}
}
@media (forced-colors:active){wavepoint-run,wavepoint-prompt,wavepoint-waves,wavepoint-history{& [part~=option]:has(:checked){outline:2px solid Highlight}}}
}`;
