import type { LoggedRequestSummary } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

/** Faults of the caller are a warning, faults of the server are bad. */
export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'ok';
}

/** "422 validation" of `validation_error`; the status alone where nothing went wrong. */
export const stateWords = ({ status, error }: Pick<LoggedRequestSummary, 'status' | 'error'>): string =>
  error === null
    ? String(status)
    : `${status} ${error
        .replace(/_error$/, '')
        .replaceAll('_', ' ')
        .toLowerCase()}`;

export const madeBy = ({ actor }: Pick<LoggedRequestSummary, 'actor'>): string =>
  actor.name ?? (actor.type === 'user' ? 'A person' : 'A key');

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{6}([0-9a-f]{6})/gi;

/** For a row and a title: ids are cut at their front, where those of one hour look alike. */
export const shortPath = (path: string): string => path.replaceAll(UUIDS, '…$1');
