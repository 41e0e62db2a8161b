import type { Take } from './take.ts';

/** The takes of sends that come together, as the arguments of `ph_take_usage`. */
export interface PageOfTakes {
  /** JSON: each window once, in the order of their key. Null when nothing is taken. */
  readonly windows: string | null;
  /**
   * An `integer[][]` literal: the place of a send, the number of a window counted from 0, a cap, a count. When some
   * counts of the page are of recipients, also 1 for those and 0 for the others.
   */
  readonly takes: string;
  /** The number of the window of each take, in the order of the sends. */
  readonly numbers: readonly number[];
}

/** The answer of `ph_take_usage`; a null stands for an empty list. */
export interface TakenPage {
  /** The count of each window before the page. */
  readonly counted: readonly number[] | null;
  readonly refusedPlaces: readonly number[] | null;
  readonly refusedBy: readonly number[] | null;
}

/** The answer to a send: the count of each of its windows with it, or the number of the take that found no room. */
export type Admission = { readonly used: readonly number[] } | { readonly refusedBy: number };

/** A window, with the names of the function. */
interface Window {
  workspace_id: string;
  subject_id: string;
  tier: string;
  window_start: Date;
  wanted: number;
  cap: number;
}

/** `takes` are those of each send, by its place. */
export function pageOfTakes(takes: readonly (readonly Take[])[]): PageOfTakes {
  const windows = new Map<string, Window>();
  const ofTake: Window[] = [];
  for (const take of takes.flat()) {
    const window = windowOfTake(windows, take);
    window.wanted += take.count;
    window.cap = Math.min(window.cap, take.cap);
    ofTake.push(window);
  }
  if (windows.size === 0) return { windows: null, takes: '{}', numbers: [] };
  const inOrder = [...windows.values()].toSorted(byKey);
  const numberOf = new Map(inOrder.map((window, number) => [window, number]));
  const numbers = ofTake.map((window) => numberOf.get(window) ?? 0);
  let next = 0;
  const countsRecipients = takes.some((ofSend) => ofSend.some((take) => take.ofRecipients === true));
  const lines = takes.flatMap((ofSend, place) =>
    ofSend.map((take) => {
      const line = `${place},${numbers[next++] ?? 0},${take.cap},${take.count}`;
      return countsRecipients ? `{${line},${take.ofRecipients === true ? 1 : 0}}` : `{${line}}`;
    }),
  );
  return { windows: JSON.stringify(inOrder), takes: `{${lines.join()}}`, numbers };
}

function windowOfTake(windows: Map<string, Window>, take: Take): Window {
  // A subject belongs to one workspace.
  const name = `${take.subjectId} ${take.tier} ${take.windowStart.getTime()}`;
  const known = windows.get(name);
  if (known !== undefined) return known;
  const window = {
    workspace_id: take.workspaceId,
    subject_id: take.subjectId,
    tier: take.tier,
    window_start: take.windowStart,
    wanted: 0,
    cap: take.cap,
  };
  windows.set(name, window);
  return window;
}

/** Sorts as the key of the table does. */
function byKey(a: Window, b: Window): number {
  const [keyOfA, keyOfB] = [a, b].map(
    (one) => `${one.workspace_id} ${one.subject_id} ${one.tier} ${one.window_start.toISOString()}`,
  );
  return (keyOfA ?? '') < (keyOfB ?? '') ? -1 : 1;
}

/** The answer to each send of the page, by its place. Counts as the database did: in order, the refused left out. */
export function admissionsOf(takes: readonly (readonly Take[])[], page: PageOfTakes, taken: TakenPage): Admission[] {
  const totals = [...(taken.counted ?? [])];
  const refusals = new Map(taken.refusedPlaces?.map((place, index) => [place, taken.refusedBy?.[index] ?? 0]));
  let next = 0;
  return takes.map((ofSend, place) => {
    const numbers = page.numbers.slice(next, next + ofSend.length);
    next += ofSend.length;
    const refusedBy = refusals.get(place);
    if (refusedBy !== undefined) return { refusedBy };
    return {
      used: numbers.map((window, index) => {
        const total = (totals[window] ?? 0) + (ofSend[index]?.count ?? 0);
        totals[window] = total;
        return total;
      }),
    };
  });
}
