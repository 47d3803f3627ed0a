import { declare, plain } from "../elements/theme.ts";

/** The looks of the dashboard. It takes the theme of the elements, `--wavepoint-…`; all lies in a layer, so that a page's own rules win. */
export const DASHBOARD_STYLES: string = `@layer wavepoint{
.wavepoint-dashboard{
${declare(plain, (name, value) => `--w-${name}:var(--wavepoint-${name},${value});`)}
--w-ground:light-dark(#f3f7f7,#0a1a20);--w-rule:color-mix(in srgb,var(--w-line) 38%,transparent);
box-sizing:border-box;display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;align-content:start;max-inline-size:84rem;min-block-size:100vh;margin-inline:auto;padding:0 clamp(.75rem,3vw,2rem) 3rem;color:var(--w-ink);font-family:system-ui,sans-serif;font-size:1rem;line-height:1.5;overflow-wrap:anywhere;
& :where(*){box-sizing:border-box;min-inline-size:0}
& :where(h1,h2,h3,p,ul,ol,dl,dd,fieldset,pre){margin:0;padding:0;border:0;list-style:none}
& h1{font-size:1.6rem;line-height:1.2}
& :where(h2){font-size:1.125rem;line-height:1.3}
& :where(h3){font-size:1rem}
& :is(h1,main,.announcer):focus{outline:0}
& :where(a){color:var(--w-accent)}
& code{font-family:ui-monospace,monospace;font-size:.875em}
& :is(.hint,dt){color:var(--w-quiet);font-size:.9375rem}
& :focus-visible{outline:var(--w-focus-width) solid var(--w-focus);outline-offset:2px}
& :where(button,.button){display:inline-flex;align-items:center;justify-content:center;min-block-size:2.75rem;padding:.4rem .9rem;border:1px solid var(--w-line);border-radius:.5rem;background:var(--w-surface);color:inherit;font:inherit;text-decoration:none;cursor:pointer}
& :where(button:hover,.button:hover){border-color:var(--w-accent)}
& :where(button[aria-disabled=true]){opacity:.6;cursor:default}
& button.primary{border-color:var(--w-accent);background:var(--w-accent);color:var(--w-on-accent);font-weight:600}
& button.danger{border-color:var(--w-bad);color:var(--w-bad)}
& :where(input:not([type=checkbox],[type=radio]),select){inline-size:100%;min-block-size:2.75rem;padding:.4rem .7rem;border:1px solid var(--w-line);border-radius:.5rem;background:var(--w-surface);color:inherit;font:inherit}
& :where(input[type=checkbox],input[type=radio]){inline-size:1.25rem;block-size:1.25rem;margin:0;accent-color:var(--w-accent)}
& .field{display:grid;gap:.25rem;font-weight:600}
& .field>:not(span){font-weight:400}
& .check{display:flex;gap:.6rem;align-items:center;min-block-size:2.75rem;cursor:pointer}
& .skip{position:absolute;inset-inline-start:1rem;inset-block-start:-4rem;padding:.5rem 1rem;background:var(--w-surface);z-index:2}
& .skip:focus{inset-block-start:.5rem}
& .announcer{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}
& .top{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;min-block-size:3.75rem;border-block-end:1px solid var(--w-rule)}
& .top button{margin-inline-start:auto}
& .home{display:inline-flex;align-items:center;min-block-size:2.75rem;color:inherit;font-weight:700;font-size:1.125rem;text-decoration:none}
& .notice{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding:.5rem 1rem;border:2px solid var(--w-attention);border-radius:.5rem;background:var(--w-surface)}
& main{display:grid;grid-template-columns:minmax(0,1fr)}
& :is(.runs,.run,.questions){display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
& .runs-head{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;justify-content:space-between}
& .statuses ul{display:flex;flex-wrap:wrap;gap:.4rem}
& .statuses a{display:inline-flex;align-items:center;min-block-size:2.75rem;padding-inline:1rem;border:1px solid var(--w-rule);border-radius:2rem;color:inherit;text-decoration:none}
& .statuses a:hover{border-color:var(--w-accent)}
& .statuses a[aria-current]{border-color:var(--w-accent);background:var(--w-accent);color:var(--w-on-accent);font-weight:600}
& .finder{display:flex;flex-wrap:wrap;gap:.35rem .75rem;align-items:end}
& .finder .field{flex:1 1 12rem;max-inline-size:16rem}
& .finder .grow{flex:3 1 18rem;max-inline-size:none}
& .finder .hint{flex:1 1 100%}
& .bulk-bar{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;padding-inline-start:1rem}
& .bulk-bar .check{margin-inline-end:auto}
& .rows{border:1px solid var(--w-rule);border-radius:.6rem;background:var(--w-surface)}
& .rows[aria-busy=true]{opacity:.85}
& .row{position:relative;display:grid;grid-template-columns:auto minmax(10rem,1.1fr) 8.5rem minmax(0,2fr) 8rem;gap:.25rem 1rem;align-items:center;min-block-size:3.25rem;padding:.35rem 1rem}
& .row:not(:has(.pick)){grid-template-columns:minmax(10rem,1.1fr) 8.5rem minmax(0,2fr) 8rem}
& .row+.row{border-block-start:1px solid var(--w-rule)}
& .row:hover{background:color-mix(in srgb,var(--w-accent) 7%,transparent)}
& .pick{position:relative;z-index:1;display:grid;place-items:center;inline-size:2.75rem;block-size:2.75rem;margin-inline-start:-.75rem;cursor:pointer}
& .row-link{display:flex;flex-wrap:wrap;gap:0 .6rem;align-items:baseline;color:inherit;text-decoration:none}
& .row-link b{text-decoration:underline;text-decoration-color:var(--w-rule);text-underline-offset:.2em}
& .row-link::after{content:"";position:absolute;inset:0}
& .row-link:focus-visible{outline:0}
& .row-link:focus-visible::after{outline:var(--w-focus-width) solid var(--w-focus);outline-offset:-3px;border-radius:.5rem}
& .row-link code{color:var(--w-quiet)}
& .row-why{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;line-clamp:2;overflow:hidden;color:var(--w-quiet);font-size:.9375rem}
& .row[data-status=failed] .row-why{color:var(--w-bad)}
& .row-when{color:var(--w-quiet);font-size:.9375rem;text-align:end}
& .badge{display:inline-flex;gap:.4rem;align-items:center;justify-self:start;font-weight:600;white-space:nowrap}
& svg.icon{flex:none;inline-size:1.2rem;block-size:1.2rem;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
& .disc{fill:currentColor;stroke:none}
& .on-disc{stroke:var(--w-surface)}
& .badge[data-status=completed]{color:var(--w-good)}
& .badge[data-status=failed]{color:var(--w-bad)}
& .badge[data-status=paused]{color:var(--w-attention)}
& .badge[data-status=running]{color:var(--w-accent)}
& .badge[data-status=cancelled]{color:var(--w-quiet)}
& :is(.empty,.blank){padding:2rem 1rem;border:1px dashed var(--w-line);border-radius:.6rem;text-align:center}
& .blank{min-block-size:12rem;border-color:var(--w-rule)}
& .pages{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:center}
& nav[aria-label="Where you are"] a{display:inline-flex;align-items:center;min-block-size:2.75rem}
& .run-head{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center}
& .run-id{color:var(--w-quiet);user-select:all}
& .facts{display:flex;flex-wrap:wrap;gap:.5rem 2rem}
& .standing{display:grid;gap:.5rem;padding:.75rem 1rem;border:1px solid var(--w-rule);border-inline-start:.35rem solid var(--w-accent);border-radius:.5rem;background:var(--w-surface)}
& .standing[data-status=failed]{border-inline-start-color:var(--w-bad)}
& .standing:is([data-status=paused],[data-status=stopped]){border-inline-start-color:var(--w-attention)}
& .standing[data-status=cancelled]{border-inline-start-color:var(--w-line)}
& .standing ul{display:grid;gap:.35rem}
& .error-text{font-size:1.0625rem}
& .actions{display:flex;flex-wrap:wrap;gap:.6rem}
& .questions>ul{display:grid;gap:.75rem}
& .question{display:grid;gap:1rem;padding:.75rem 1rem;border:1px solid var(--w-rule);border-radius:.5rem;background:var(--w-surface)}
& .question-head{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.75rem;align-items:start}
& .question-prompt{white-space:pre-line}
& .question wavepoint-prompt{padding-block-start:1rem;border-block-start:1px solid var(--w-rule)}
& .tab-list{display:flex;gap:.25rem;overflow-x:auto;padding:4px;margin:-4px;scrollbar-width:thin}
& .tab{flex:none;border-color:transparent;border-radius:.5rem .5rem 0 0;border-block-end:0;background:none;color:var(--w-quiet);font-weight:600}
& .tab[aria-selected=true]{border-color:var(--w-rule);background:var(--w-surface);color:var(--w-ink);box-shadow:inset 0 3px var(--w-accent)}
& .tab-panel{padding:1rem;border:1px solid var(--w-rule);border-radius:.5rem;border-start-start-radius:0;background:var(--w-surface)}
& .answers{display:grid;gap:1rem}
& .answer{white-space:pre-line;padding-inline-start:.75rem;border-inline-start:3px solid var(--w-accent)}
& summary{align-content:center;min-block-size:2.75rem;cursor:pointer}
& .dialog{inline-size:min(36rem,calc(100vw - 2rem));max-block-size:90vh;overflow:auto;padding:1.25rem;border:1px solid var(--w-line);border-radius:.75rem;background:var(--w-surface);color:var(--w-ink);overflow-wrap:anywhere}
& .dialog::backdrop{background:rgb(0 0 0/45%)}
& .dialog form{display:grid;gap:1rem}
& .dialog fieldset{display:grid;gap:.25rem}
& .dialog legend{padding:0;font-weight:600}
& .choice{display:flex;gap:.75rem;align-items:start;padding-block:.5rem;min-block-size:2.75rem;cursor:pointer}
& .choice span{display:grid}
& .bulk-stage{display:grid;gap:1rem}
& .lead{font-size:1.0625rem}
& .lead .hint{display:block;margin-block-start:.5rem}
& .error{color:var(--w-bad)}
& .failed{display:grid;gap:.35rem;max-block-size:14rem;overflow:auto}
& .buttons{display:flex;flex-wrap:wrap;gap:.6rem}
& progress{inline-size:100%;block-size:.75rem;accent-color:var(--w-accent)}
& .sign-in{display:grid;gap:1rem;max-inline-size:26rem;margin-block-start:10vh}
}
html:has(.wavepoint-dashboard){color-scheme:light dark;background:light-dark(#f3f7f7,#0a1a20)}
body:has(>.wavepoint-dashboard){margin:0}
@media (max-width:56rem){
.wavepoint-dashboard{
& .row,& .row:not(:has(.pick)){grid-template-columns:minmax(0,1fr) auto;padding-block:.6rem}
& .row:has(.pick){grid-template-columns:auto minmax(0,1fr) auto}
& .row:has(.pick) :is(.row-why,.row-when){grid-column:2/-1}
& .row:not(:has(.pick)) :is(.row-why,.row-when){grid-column:1/-1}
& .row-when{text-align:start}
& .row-why:empty{display:none}
& .pick{align-self:start;margin-block-start:-.4rem}
}
}
@media (max-width:30rem){
.wavepoint-dashboard{
& .bulk-bar{padding-inline-start:0}
& .statuses ul{flex-wrap:nowrap;overflow-x:auto;margin-inline:-.75rem;padding:4px .75rem;scrollbar-width:none}
& .statuses li{flex:none}
& .finder>*{flex:1 1 100%!important;max-inline-size:none!important}
& .bulk-bar button{flex:1}
& .question-head{grid-template-columns:minmax(0,1fr)}
& .tab{padding-inline:.6rem}
& .dialog .buttons>*{flex:1 1 100%}
}
}
@media (forced-colors:active){
.wavepoint-dashboard{& .statuses a[aria-current]{outline:2px solid Highlight}& .tab[aria-selected=true]{border-block-start:4px solid Highlight}& .on-disc{stroke:Canvas}& button.primary{border-width:2px}}
}
@media (prefers-reduced-motion:no-preference){
.wavepoint-dashboard .spin{animation:wavepoint-turn 1.4s linear infinite;transform-origin:50% 50%;transform-box:view-box}
}
@keyframes wavepoint-turn{to{transform:rotate(1turn)}}
}`;
