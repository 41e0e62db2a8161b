import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { withQuery } from '../../lib/curl.ts';
import { detailWords } from '../../lib/mail/detail-words.ts';
import type { Change } from '../../lib/changed-fields.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { ChangedFields } from '../../ui/data/ChangedFields.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { exactTime } from '../../lib/time.ts';
import { Section } from '../../ui/Section.tsx';
import { pathOfTarget } from '../../lib/log/audit-target.ts';
import { type AuditRun, changesOfRun } from './audit-runs.ts';
import { actorOf, changeWords, recordWords, targetText } from './audit-words.ts';

interface Props {
  run: AuditRun | undefined;
  isLoading: boolean;
  /** The page of one entry of a run. */
  hrefOfEach: (id: string) => string;
}

/** One entry, or a run of them: the actor, the record, and what changed. */
export function AuditRecord({ run, isLoading, hrefOfEach }: Props) {
  if (run === undefined) {
    return isLoading ? null : (
      <EmptyState title="This entry is on another page">Newer entries have taken its place on this one.</EmptyState>
    );
  }
  const { newest: entry, older } = run;
  const changes = changesOfRun(run);
  const { changes: plain, record_name: _name, ...rest } = entry.details;
  const others = changes === undefined && plain !== undefined ? { changes: plain, ...rest } : rest;
  const words = changes === undefined ? detailWords(rest) : undefined;
  const hasOthers = older.length === 0 && words === undefined && Object.keys(others).length > 0;
  return (
    <>
      <Properties
        items={[...propertiesOf(run), ...(words === undefined ? [] : [{ label: 'Details', value: words }])]}
      />
      {changes !== undefined && <Changes changes={changes} />}
      {older.length > 0 && <EachEntry entries={[entry, ...older]} hrefOf={hrefOfEach} />}
      {hasOthers && (
        <div style={{ marginTop: 16 }}>
          <JsonView value={others} label="the details" maxHeight={360} />
        </div>
      )}
      <OtherEntries entry={entry} />
    </>
  );
}

const Changes = ({ changes }: { changes: Readonly<Record<string, Change>> }) =>
  Object.keys(changes).length > 0 ? <ChangedFields changes={changes} /> : <p>Every field has the value from before.</p>;

function EachEntry({ entries, hrefOf }: { entries: readonly AuditEntry[]; hrefOf: (id: string) => string }) {
  return (
    <Section title="Each change" description="The values above are those before the first change and after the last.">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <a href={hrefOf(entry.id)}>{exactTime(entry.at)}</a> {changeWords(entry)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A key has a page with its name. */
function actorLink(entry: AuditEntry) {
  const { type, id } = entry.actor;
  return type === 'api_key' && id !== null ? <a href={pb.key(id)}>{actorOf(entry)}</a> : actorOf(entry);
}

function propertiesOf({ newest: entry, older }: AuditRun) {
  const { actor, target } = entry;
  const first = older.at(-1);
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
    ...(first === undefined ? [] : [{ label: 'First', value: <RelativeTime at={first.at} /> }]),
    { label: first === undefined ? 'When' : 'Last', value: <RelativeTime at={entry.at} /> },
    { label: 'Name in the API', value: entry.action, copy: entry.action, mono: true },
    ...(first === undefined ? [{ label: 'Id of the entry', value: entry.id, copy: entry.id, mono: true }] : []),
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
