import { unacceptable } from '#platform/errors/app-error.ts';
import { conditionsOf, type Group } from './filter.ts';
import { WRITTEN_OUT_MAX } from './segment.ts';

/**
 * Judges segments that name each other, with a new filter among them: `changed` is the id under which it stands. Throws
 * 422 for a segment that is none, for one that names itself on whatever way, and for a filter that would be too long
 * with all that it names in its places, whichever segment that is.
 */
export function judgeLinks(changed: string, filters: ReadonlyMap<string, Group>): void {
  const lengths = new Map<string, number>();
  // Whatever is wrong comes of the new filter: it is told of the condition of it that leads there.
  const lengthOf = (id: string, way: readonly string[], told: string | null): number => {
    const held = lengths.get(id);
    if (held !== undefined) return held;
    let length = 0;
    for (const { at, test } of conditionsOf(filters.get(id) ?? NOBODY)) {
      length += 1;
      if (test.kind !== 'segment') continue;
      const place = told ?? (id === changed ? `${at}.field` : 'filter');
      if (!filters.has(test.id)) throw unacceptable(place, `${place} names a segment that is not there`);
      if (test.id === id || way.includes(test.id)) {
        throw unacceptable(place, `${place} names a segment that names this one in turn`);
      }
      length += lengthOf(test.id, [...way, id], place);
    }
    if (length > WRITTEN_OUT_MAX) {
      throw unacceptable(
        'filter',
        `With the segments that are named in it, a filter has at most ${WRITTEN_OUT_MAX} conditions.`,
      );
    }
    lengths.set(id, length);
    return length;
  };
  for (const id of [changed, ...filters.keys()]) lengthOf(id, [], null);
}

const NOBODY: Group = { at: 'filter', match: 'any', parts: [] };
