import type { Box } from "../../../graph/layout/layout.ts";
import { prefixOf, type Place, type Scene } from "./scene.ts";

/** Where a key leads to in the graph. */
type Way = "forward" | "back" | "next" | "previous";

const WAYS: { readonly [direction in Place["picture"]["direction"]]: { readonly [key: string]: Way } } = {
  right: { ArrowRight: "forward", ArrowLeft: "back", ArrowDown: "next", ArrowUp: "previous" },
  left: { ArrowLeft: "forward", ArrowRight: "back", ArrowDown: "next", ArrowUp: "previous" },
  down: { ArrowDown: "forward", ArrowUp: "back", ArrowRight: "next", ArrowLeft: "previous" },
};

/** The path of the block that an arrow key leads to: along a line, or beside it in the same wave. Nothing where there is none. */
export function walk({ places }: Pick<Scene, "places">, path: string, key: string): string | undefined {
  const place = places.get(path)!;
  const { picture, number } = place;
  const way = WAYS[picture.direction][key];
  const { graph, nodes } = picture;
  const layers = [...graph.waves, graph.undoing];
  const layer = layers.findIndex((blocks) => blocks.includes(number));
  const middle = ({ x, y, width, height }: Box): number => (picture.direction === "down" ? x + width / 2 : y + height / 2);
  const here = middle(nodes[number]!.box);
  const nearest = (blocks: readonly number[]): number | undefined =>
    blocks.toSorted((a, b) => Math.abs(middle(nodes[a]!.box) - here) - Math.abs(middle(nodes[b]!.box) - here))[0];
  const beside = (): number | undefined => {
    const row = layers[layer]!.toSorted((a, b) => middle(nodes[a]!.box) - middle(nodes[b]!.box));
    return row[row.indexOf(number) + (way === "next" ? 1 : -1)];
  };
  const along = (): number | undefined => {
    const isForward = way === "forward";
    const linked = graph.edges.flatMap(({ from, to }) => (isForward ? (from === number ? [to] : []) : to === number ? [from] : []));
    // Without a definition no line is known.
    return nearest(graph.edges.length > 0 ? linked : (layers[layer + (isForward ? 1 : -1)] ?? []));
  };
  const target = way === undefined ? undefined : way === "next" || way === "previous" ? beside() : along();
  return target === undefined ? undefined : prefixOf(path) + graph.blocks[target]!.id;
}
