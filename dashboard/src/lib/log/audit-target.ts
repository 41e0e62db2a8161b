/** The record that an entry of the audit log or of the security log is about. */
import { changesOf } from '../changed-fields.ts';
import { pb } from '../paths.ts';

interface Target {
  type: string | null;
  id: string | null;
}

/** The page of the record that an entry is about, for records that have one. */
export function pathOfTarget({ type, id }: Target): string | undefined {
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

/** The fields of the details that name the record, the most telling first. */
const NAMES = ['record_name', 'name', 'domain', 'subject', 'email', 'url', 'alias'] as const;

/** The name of the record: "Web shop, production". Undefined for an entry that tells none. */
export function nameOfTarget({
  target,
  details,
}: {
  target: Target;
  details: Record<string, unknown>;
}): string | undefined {
  const changes = changesOf(details) ?? {};
  const told = NAMES.map((field) => changes[field]?.after ?? details[field]).find((value) => typeof value === 'string');
  if (typeof told === 'string' && told !== '') return told;
  // An address is a name. An id is none.
  return target.id !== null && target.id.includes('@') ? target.id : undefined;
}
