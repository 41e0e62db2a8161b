import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { withQuery } from '../../lib/curl.ts';
import { detailWords } from '../../lib/mail/detail-words.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { changesOf } from '../../lib/changed-fields.ts';
import { ChangedFields } from '../../ui/data/ChangedFields.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { pathOfTarget } from '../../lib/log/audit-target.ts';
import { actorOf, recordWords, targetText } from './audit-words.ts';

/** One entry: the actor, the record, and what changed. */
export function AuditRecord({ entry, isLoading }: { entry: AuditEntry | undefined; isLoading: boolean }) {
  if (entry === undefined) {
    return isLoading ? null : (
      <EmptyState title="This entry is on another page">Newer entries have taken its place on this one.</EmptyState>
    );
  }
  const changes = changesOf(entry.details);
  const { changes: plain, record_name: _name, ...rest } = entry.details;
  const others = changes === undefined && plain !== undefined ? { changes: plain, ...rest } : rest;
  const words = changes === undefined ? detailWords(rest) : undefined;
  return (
    <>
      <Properties
        items={[...propertiesOf(entry), ...(words === undefined ? [] : [{ label: 'Details', value: words }])]}
      />
      {changes !== undefined && <ChangedFields changes={changes} />}
      {words === undefined && Object.keys(others).length > 0 && (
        <div style={{ marginTop: 16 }}>
          <JsonView value={others} label="the details" maxHeight={360} />
        </div>
      )}
      <OtherEntries entry={entry} />
    </>
  );
}

/** A key has a page with its name. */
function actorLink(entry: AuditEntry) {
  const { type, id } = entry.actor;
  return type === 'api_key' && id !== null ? <a href={pb.key(id)}>{actorOf(entry)}</a> : actorOf(entry);
}

function propertiesOf(entry: AuditEntry) {
  const { actor, target } = entry;
  const path = pathOfTarget(target);
  const record = recordWords(entry);
  return [
    { label: 'By', value: actorLink(entry), ...(actor.id === null ? {} : { copy: actor.id }) },
    { label: 'From', value: actor.ip, mono: true },
    {
      label: 'Record',
      value: path === undefined ? record || null : <a href={path}>{record}</a>,
    },
    ...(target.id === null ? [] : [{ label: 'Id of the record', value: target.id, copy: target.id, mono: true }]),
    { label: 'When', value: <RelativeTime at={entry.at} /> },
    { label: 'Name in the API', value: entry.action, copy: entry.action, mono: true },
    { label: 'Id of the entry', value: entry.id, copy: entry.id, mono: true },
  ];
}

function OtherEntries({ entry: { actor, target } }: { entry: AuditEntry }) {
  const record = targetText(target);
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, marginTop: 20 }}>
      {record !== undefined && (
        <ActionButton variant="default" size="xs" href={withQuery(pb.auditLog(), { target: record })}>
          All of this record
        </ActionButton>
      )}
      {actor.id !== null && (
        <ActionButton variant="default" size="xs" href={withQuery(pb.auditLog(), { actor: actor.email ?? actor.id })}>
          All of this actor
        </ActionButton>
      )}
    </div>
  );
}
