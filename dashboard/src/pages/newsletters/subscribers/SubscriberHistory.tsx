import { History } from 'lucide-react';
import { listSubscriberConsentsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Consent, Subscriber } from '../../../api/generated/types.gen.ts';
import { useList } from '../../../api/use-list.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { TimeLine } from '../../../ui/data/TimeLine.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { CONSENTS } from './subscriber-words.ts';
import { ownEntry } from '../../../lib/own-entry.ts';

/** The record of consents, newest first. It cannot be changed. */
export function SubscriberHistory({ person: { newsletter_id: id, id: subscriberId } }: { person: Subscriber }) {
  const list = useList((page) => listSubscriberConsentsOptions({ path: { id, subscriberId }, query: page }));
  if (list.error !== null) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (list.rows?.length === 0) {
    return (
      <EmptyState icon={<History size={20} />} title="Nothing is on record">
        Sign-ups, confirmations and every other step of a person are kept here.
      </EmptyState>
    );
  }
  return (
    <>
      <TimeLine
        label="History, newest first"
        entries={(list.rows ?? []).map((entry) => ({
          id: entry.id,
          at: entry.at,
          title: CONSENTS[entry.action].label,
          tone: CONSENTS[entry.action].tone,
          detail: <Detail entry={entry} />,
        }))}
      />
      <div style={{ display: 'flex', gap: 8 }}>
        {list.onFirst !== undefined && (
          <ActionButton variant="default" size="xs" onClick={list.onFirst}>
            Newest
          </ActionButton>
        )}
        {list.onNext !== undefined && (
          <ActionButton variant="default" size="xs" onClick={list.onNext}>
            Older
          </ActionButton>
        )}
      </div>
    </>
  );
}

const ACTORS: Readonly<Record<string, string>> = { api_key: 'an API key', user: 'a member' };

/** A detail in words; undefined for one that is shown as a link. */
function detailWords([key, value]: [string, unknown]): string | undefined {
  if (value === null || key === 'import_id') return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (key === 'by') return `by ${ownEntry(ACTORS, text.split(':', 1)[0] ?? '') ?? text}`;
  if (key === 'importer_ip') return `from ${text}`;
  return `${key.replaceAll('_', ' ')} ${text.replaceAll('_', ' ')}`;
}

function Detail({ entry }: { entry: Consent }) {
  const words = [
    entry.url === null ? undefined : `on ${entry.url}`,
    entry.ip === null ? undefined : `from ${entry.ip}`,
    entry.source === null ? undefined : `source ${entry.source}`,
    entry.form_version === null ? undefined : `wording ${entry.form_version}`,
    ...Object.entries(entry.details ?? {}).map(detailWords),
  ].filter((part) => part !== undefined);
  return (
    <>
      {words.length > 0 && <div>{words.join(', ')}</div>}
      {entry.user_agent !== null && <div>{entry.user_agent}</div>}
      {typeof entry.details?.['import_id'] === 'string' && (
        <a href={pb.import(entry.details['import_id'])}>The import</a>
      )}
      {entry.email_id !== null && <a href={pb.email(entry.email_id)}>The email</a>}
    </>
  );
}
