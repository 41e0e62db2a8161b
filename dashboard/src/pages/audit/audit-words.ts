import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { actionWords } from '../../lib/action-words.ts';
import { pb } from '../../lib/paths.ts';

/** Actions that people look for; `action` takes any other by the address. */
export const AUDIT_ACTIONS: readonly string[] = [
  'api_key.created',
  'api_key.revoked',
  'api_key.rotated',
  'api_key.updated',
  'import.created',
  'invite.accepted',
  'invite.created',
  'invite.revoked',
  'issue.deleted',
  'member.role_changed',
  'newsletter.created',
  'newsletter.deleted',
  'newsletter.updated',
  'send.paused',
  'send.resumed',
  'suppression.added',
  'suppression.removed',
  'user.password_changed',
  'user.email_changed',
  'user.deleted',
  'user.signed_in',
  'webhook.created',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.secret_rotated',
  'webhook.updated',
  'workspace.updated',
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
  actor.email ?? ACTORS[actor.type] ?? actor.type;

/** The page of the record that an entry is about, for records that have one. */
export function pathOfTarget({ type, id }: AuditEntry['target']): string | undefined {
  if (id === null) return undefined;
  if (type === 'webhook') return pb.webhook(id);
  if (type === 'api_key') return pb.key(id);
  if (type === 'newsletter') return pb.newsletter(id);
  if (type === 'import') return pb.import(id);
  return type === 'email' ? pb.email(id) : undefined;
}

/** A record as `?target=` names it. */
export const targetText = ({ type, id }: AuditEntry['target']): string | undefined =>
  id === null ? undefined : type === null ? id : `${type}:${id}`;

/** "Webhook 0197f400…", short enough for a row. */
export const shortTarget = ({ type, id }: AuditEntry['target']): string =>
  [type === null ? undefined : actionWords(type), id === null || id.length <= 24 ? id : `${id.slice(0, 8)}…`]
    .filter((part) => part !== null && part !== undefined)
    .join(' ');
