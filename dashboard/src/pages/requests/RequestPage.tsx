import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getRequestOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { LoggedRequest } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { duration } from '../../lib/time.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { MadeEmails } from './MadeEmails.tsx';
import { sentToMany } from './sent-to-many.ts';
import { madeBy, shortPath, stateWords, toneOf } from './request-state.ts';

/** One request to the API: what it said, what it got, and the emails that it made. */
export function RequestPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: record, error, refetch } = useQuery(getRequestOptions({ path: { id } }));
  const sent = record && sentToMany(record);
  return (
    <RecordPage
      title={record && `${record.method} ${shortPath(record.path)}`}
      crumbs={[{ label: 'Requests', href: pb.requests() }]}
      badge={record && <StatusBadge tone={toneOf(record.status)}>{stateWords(record)}</StatusBadge>}
      actions={record && <CurlButton call={{ method: 'GET', path: `/v1/requests/${record.id}` }} />}
      notice={
        record?.erased === true && (
          <Notice tone="info">
            This request named a person who was erased. Its path, query and bodies are removed.
          </Notice>
        )
      }
      error={error}
      onRetry={() => void refetch()}
    >
      {record && (
        <>
          {record.email_ids.length > 0 && <MadeEmails ids={record.email_ids} />}
          {sent && (
            <Section title={`It let ${sent.what === 'issue' ? 'an issue' : 'a broadcast'} go`}>
              <a href={sent.href}>Open the {sent.what} and its recipients</a>
            </Section>
          )}
          <Section title="Request body" plain>
            <Body value={record.request_body} label="the request body" none="It had no body." />
          </Section>
          <Section title="Answer" plain>
            <Body
              value={record.response_body}
              label="the answer"
              none={
                record.status < 300 && record.method === 'GET' ? 'Not kept: read the record again.' : 'It had no body.'
              }
            />
          </Section>
          <Section title="Details">
            <Properties items={propertiesOf(record)} />
          </Section>
        </>
      )}
    </RecordPage>
  );
}

function Body({ value, label, none }: { value: unknown; label: string; none: string }) {
  if (value === null || value === undefined) return <p style={{ margin: 0, color: 'var(--ph-text-2)' }}>{none}</p>;
  return <JsonView value={value} label={label} maxHeight={420} />;
}

function propertiesOf(record: LoggedRequest): Property[] {
  const { actor } = record;
  return [
    { label: 'Request id', value: record.request_id, copy: record.request_id, mono: true },
    { label: 'When', value: <RelativeTime at={record.at} /> },
    { label: 'Took', value: duration(record.duration_ms) },
    {
      label: 'Made by',
      value:
        actor.type === 'api_key' && actor.id !== null ? (
          <a href={pb.key(actor.id)}>{madeBy(record)}</a>
        ) : (
          madeBy(record)
        ),
    },
    { label: 'Path', value: record.path, copy: record.path, mono: true },
    { label: 'Operation', value: `${record.method} ${record.route}`, mono: true },
    { label: 'Query', value: record.query, mono: true, ...(record.query === null ? {} : { copy: record.query }) },
    { label: 'From', value: record.ip, copy: record.ip, mono: true },
    { label: 'Client', value: record.user_agent },
    { label: 'Id', value: record.id, copy: record.id, mono: true },
  ];
}
