/** What is laid out: nodes by their numbers, layer by layer, and edges that lead from a layer to a later one. */
export interface Layering {
  readonly layers: readonly (readonly number[])[];
  readonly edges: readonly LayeredEdge[];
}

/** From one node to another, by their numbers. */
export interface LayeredEdge {
  readonly from: number;
  readonly to: number;
}

/**
 * Nodes, and behind them bends: a node with an edge to a layer that is not the next has a bend in each layer between, which all its edges share. So
 * every link leads to the next layer.
 */
export interface Layered {
  /** Numbers of nodes and bends. */
  readonly layers: readonly number[][];
  readonly layerOf: Int32Array;
  /** The node that a bend belongs to; for a node itself. */
  readonly ownerOf: Int32Array;
  /** Who is linked with an item in the layer before, and in the one behind. */
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
  readonly nodeCount: number;
  /** The bends of an edge; nothing for one that is too long to have any. */
  bendsOf(edge: LayeredEdge): readonly number[] | undefined;
}

/** Edges over more layers have no bends and pass beside all layers, so that the number of bends stays in proportion to that of nodes. */
const MAX_SPAN = 32;

/** Gives the edges of a graph their bends. */
export function bendEdges({ layers, edges }: Layering): Layered {
  const nodeCount = layers.reduce((sum, layer) => sum + layer.length, 0);
  const layerOfNode = new Int32Array(nodeCount);
  for (const [layer, nodes] of layers.entries()) for (const node of nodes) layerOfNode[node] = layer;
  const span = ({ from, to }: LayeredEdge): number => layerOfNode[to]! - layerOfNode[from]!;
  const isBent = (edge: LayeredEdge): boolean => span(edge) >= 1 && span(edge) <= MAX_SPAN;

  const bends = new Int32Array(nodeCount);
  for (const edge of edges) if (isBent(edge)) bends[edge.from] = Math.max(bends[edge.from]!, span(edge) - 1);
  const firstBend = new Int32Array(nodeCount);
  let count = nodeCount;
  for (let node = 0; node < nodeCount; node++) {
    firstBend[node] = count;
    count += bends[node]!;
  }
  const layerOf = new Int32Array(count);
  const ownerOf = new Int32Array(count);
  const before = Array.from({ length: count }, (): number[] => []);
  const after = Array.from({ length: count }, (): number[] => []);
  const full = layers.map((layer) => [...layer]);
  const link = (from: number, to: number): void => {
    after[from]!.push(to);
    before[to]!.push(from);
  };
  for (let node = 0; node < nodeCount; node++) {
    layerOf[node] = layerOfNode[node]!;
    ownerOf[node] = node;
    for (let i = 0; i < bends[node]!; i++) {
      const bend = firstBend[node]! + i;
      layerOf[bend] = layerOf[node]! + 1 + i;
      ownerOf[bend] = node;
      full[layerOf[bend]!]!.push(bend);
      link(i === 0 ? node : bend - 1, bend);
    }
  }
  for (const edge of edges) if (isBent(edge)) link(span(edge) === 1 ? edge.from : firstBend[edge.from]! + span(edge) - 2, edge.to);
  return {
    layers: full,
    layerOf,
    ownerOf,
    before,
    after,
    nodeCount,
    bendsOf: (edge) => (isBent(edge) ? Array.from({ length: span(edge) - 1 }, (_, i) => firstBend[edge.from]! + i) : undefined),
  };
}
