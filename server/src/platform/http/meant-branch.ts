import type { ErrorObject } from 'ajv';

/** A constant that a branch of a union wants in a field of its own: the name of its kind. */
const OF_KIND = /^(.*\/(?:anyOf|oneOf))\/(\d+)\/properties\/[^/]+\/const$/;
const BRANCHES = /\/(?:anyOf|oneOf)\/(\d+)(?=\/)/g;

interface Branch {
  /** The union in the schema, and the value in the body. */
  union: string;
  at: string;
  index: string;
}

/**
 * A union of objects with a kind (`resource: contacts` or `resource: subscribers`) reports the faults of every branch.
 * Where the value names the kind of one branch, the faults of the others say nothing: they are left out.
 */
export function ofMeantBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const otherKinds = new Map<string, Set<string>>();
  for (const { schemaPath, instancePath } of errors) {
    const [, union, index] = OF_KIND.exec(schemaPath) ?? [];
    if (union === undefined || index === undefined) continue;
    const key = keyOf({ union, at: instancePath.slice(0, instancePath.lastIndexOf('/')) });
    otherKinds.set(key, (otherKinds.get(key) ?? new Set()).add(index));
  }
  if (otherKinds.size === 0) return errors;
  const isOther = ({ index, ...place }: Branch): boolean => otherKinds.get(keyOf(place))?.has(index) === true;
  const branches = errors.map((error) => branchesOf(error).filter((branch) => otherKinds.has(keyOf(branch))));
  const meant = new Set(branches.flat().flatMap((branch) => (isOther(branch) ? [] : [keyOf(branch)])));
  return errors.filter((_error, index) => !branches[index]?.some((one) => isOther(one) && meant.has(keyOf(one))));
}

const keyOf = ({ union, at }: Pick<Branch, 'union' | 'at'>): string => `${union} ${at}`;

/** Every branch that the error may be in: its schema says which union, its place only that the value is around it. */
function branchesOf({ schemaPath, instancePath }: ErrorObject): Branch[] {
  const places = instancePath.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'));
  return [...schemaPath.matchAll(BRANCHES)].flatMap(({ 0: match, 1: index = '', index: start }) => {
    const union = schemaPath.slice(0, start + match.length - index.length - 1);
    return places.map((at) => ({ union, at, index }));
  });
}
