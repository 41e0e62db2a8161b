import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { actionWords, fieldWords, sentence } from '../../lib/action-words.ts';
import { changesOf } from '../../lib/changed-fields.ts';
import { detailWords } from '../../lib/mail/detail-words.ts';
import { MAILING_ACTIONS, RECORD_ACTIONS } from './audit-actions.ts';
import { nameOfTarget } from '../../lib/log/audit-target.ts';
import { ownEntry } from '../../lib/own-entry.ts';
import type { AuditRun } from './audit-runs.ts';

/** For the filter: the actions of a mailing have no noun. */
export const ACTION_OPTIONS = [
  ...MAILING_ACTIONS.map((value) => ({ value, label: `Mailing ${actionWords(value).toLowerCase()}` })),
  ...RECORD_ACTIONS.map((value) => ({ value, label: actionWords(value) })),
];

const ACTORS: Readonly<Record<string, string>> = {
  user: 'A person',
  api_key: 'API key',
  public: 'A reader',
  system: 'Posthorn',
};

export const ACTOR_OPTIONS = [
  { value: 'user', label: 'People' },
  { value: 'api_key', label: 'API keys' },
  { value: 'public', label: 'Readers' },
  { value: 'system', label: 'Posthorn' },
];

/** The address of a person, otherwise what kind of actor it was. */
export const actorOf = ({ actor }: Pick<AuditEntry, 'actor'>): string =>
  actor.email ?? ownEntry(ACTORS, actor.type) ?? actor.type;

/** A record as `?target=` names it. */
export const targetText = ({ type, id }: AuditEntry['target']): string | undefined =>
  id === null ? undefined : type === null ? id : `${type}:${id}`;

/** "Issue created": the actions of some records are a verb alone. A dry run of an import changed nothing. */
export function entryWords({
  action,
  target: { type },
  details,
}: Pick<AuditEntry, 'action' | 'target' | 'details'>): string {
  const words = actionWords(action.includes('.') || type === null ? action : `${type}.${action}`);
  return action === 'import.created' && details['dry_run'] === true ? 'Import tried, nothing changed' : words;
}

/** "Issue updated 14 times". */
export const runWords = ({ newest, older }: AuditRun): string =>
  older.length === 0 ? entryWords(newest) : `${entryWords(newest)} ${older.length + 1} times`;

/** The changed fields, or else the counts, times and reasons that the details tell. */
export function changeWords({ details }: Pick<AuditEntry, 'details'>, changes = changesOf(details)): string {
  const fields = Object.keys(changes ?? {});
  if (fields.length > 0) return sentence(fields.map(fieldWords).join(', '));
  const { record_name: _name, ...rest } = details;
  return detailWords(rest) ?? '';
}

/** "API key Web shop, production", or the kind alone. */
export function recordWords(entry: Pick<AuditEntry, 'target' | 'details'>): string {
  const { type } = entry.target;
  const kind = type === null ? undefined : actionWords(type);
  const name = nameOfTarget(entry);
  return [kind, name].filter((part) => part !== undefined).join(' ');
}
