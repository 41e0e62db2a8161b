import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { actionWords } from '../../lib/action-words.ts';
import { pb } from '../../lib/paths.ts';
import { changesOf } from '../../lib/changed-fields.ts';
import { detailWords } from '../../lib/mail/detail-words.ts';
import { MAILING_ACTIONS, RECORD_ACTIONS } from './audit-actions.ts';
import { ownEntry } from '../../lib/own-entry.ts';

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

/** The page of the record that an entry is about, for records that have one. */
export function pathOfTarget({ type, id }: AuditEntry['target']): string | undefined {
  if (id === null) return undefined;
  if (type === 'webhook') return pb.webhook(id);
  if (type === 'api_key') return pb.key(id);
  if (type === 'newsletter') return pb.newsletter(id);
  if (type === 'import') return pb.import(id);
  if (type === 'broadcast') return pb.broadcast(id);
  if (type === 'template') return pb.template(id);
  if (type === 'automation') return pb.automation(id);
  if (type === 'list' || type === 'contact_list') return pb.list(id);
  if (type === 'contact_segment') return pb.segment(id);
  return type === 'email' ? pb.email(id) : undefined;
}

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

/** The changed fields, or else the counts, times and reasons that the details tell. */
export function changeWords({ details }: Pick<AuditEntry, 'details'>): string {
  const fields = Object.keys(changesOf(details) ?? {});
  if (fields.length > 0) return fields.map((field) => field.replaceAll('_', ' ')).join(', ');
  const { record_name: _name, ...rest } = details;
  return detailWords(rest) ?? '';
}

/** The fields of the details that name the record, the most telling first. */
const NAMES = ['record_name', 'name', 'domain', 'subject', 'email', 'url', 'alias'] as const;

/** The name of the record: "Web shop, production". Undefined for an entry that tells none. */
export function nameOfTarget({ target, details }: Pick<AuditEntry, 'target' | 'details'>): string | undefined {
  const changes = changesOf(details) ?? {};
  const told = NAMES.map((field) => changes[field]?.after ?? details[field]).find((value) => typeof value === 'string');
  if (typeof told === 'string' && told !== '') return told;
  // An address is a name. An id is none.
  return target.id !== null && target.id.includes('@') ? target.id : undefined;
}

/** "API key Web shop, production", or the kind alone. */
export function recordWords(entry: Pick<AuditEntry, 'target' | 'details'>): string {
  const { type } = entry.target;
  const kind = type === null ? undefined : actionWords(type);
  const name = nameOfTarget(entry);
  return [kind, name].filter((part) => part !== undefined).join(' ');
}
