import { CaptureTag, Output, type Template as Node } from 'liquidjs';
import type { Partial } from './partial-tag.ts';

/** A template with the layouts around it, innermost first, each read. */
export type Chain = readonly (readonly Node[])[];

/** All paths that some nodes read. */
type PathsIn = (nodes: readonly Node[]) => string[][];

/** The place of a layout for what it goes around. */
export const CONTENT = 'content';

/** Each path once. A layout reads `content` from nobody's data. */
export function pathsOfChain(chain: Chain, pathsIn: PathsIn): string[][] {
  const paths = new Map<string, string[]>();
  for (const [place, nodes] of chain.entries()) {
    for (const path of pathsIn(nodes)) if (place === 0 || path[0] !== CONTENT) paths.set(String(path), path);
  }
  return [...paths.values()];
}

/**
 * The paths that nodes print under no condition, each once. A partial does not ask for its own arguments. `known` has
 * the partials that were looked at: a hundred that call a hundred each are looked at once each.
 */
export function requiredIn(
  nodes: readonly Node[],
  pathsIn: PathsIn,
  known = new Map<Partial, string[][]>(),
): string[][] {
  const paths = new Map<string, string[]>();
  for (const node of nodes) {
    for (const path of requiredOf(node, pathsIn, known)) paths.set(String(path), path);
  }
  return [...paths.values()];
}

function requiredOf(node: Node, pathsIn: PathsIn, known: Map<Partial, string[][]>): string[][] {
  if (node instanceof Output) {
    return node.value.filters.some(({ name }) => name === 'default') ? [] : pathsIn([node]);
  }
  if (node instanceof CaptureTag) return requiredIn(node.templates, pathsIn, known);
  if (!isPartialNode(node)) return [];
  const required = known.get(node.partial) ?? requiredIn(node.partial.nodes, pathsIn, known);
  known.set(node.partial, required);
  const given = Object.keys(node.given.hash);
  return required.filter(([root = '']) => !given.includes(root));
}

const isPartialNode = (node: Node): node is Node & { partial: Partial; given: { hash: object } } =>
  'partial' in node && 'given' in node;
