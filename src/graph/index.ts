export { graphMermaid } from "./mermaid.ts";
export { graphSvg } from "./svg.ts";
export { graphText } from "./text.ts";
