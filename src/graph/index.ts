export { graphMermaid } from "./graph-mermaid.ts";
export { graphSvg } from "./graph-svg.ts";
export { graphText } from "./graph-text.ts";
