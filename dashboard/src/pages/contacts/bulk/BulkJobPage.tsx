import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getBulkContactJobOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { undoBulkContactJob } from '../../../api/generated/sdk.gen.ts';
import type { BulkContactJob } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useFreshAfter } from '../../../api/use-fresh-after.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { JsonView } from '../../../ui/code/JsonView.tsx';
import { LongWork } from '../../../ui/data/LongWork.tsx';
import { Stat, StatRow } from '../../../ui/data/Stat.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Properties, type Property } from '../../../ui/record/Properties.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import classes from '../contacts.module.css';
import { CONTACTS_CHANGE } from '../contacts-change.ts';
import { type AllNames, useNames } from '../segments/builder/use-names.ts';
import { filterWords } from '../segments/filter-words.ts';
import { isRunning, JOB_STATES, titleOf, whyNotUndo } from './bulk-words.ts';

const POLL_MS = 700;

/** A change of many contacts: its progress, its outcome, and the way back for a day. */
export function BulkJobPage() {
  const { id = '' } = useParams({ strict: false });
  const {
    data: job,
    error,
    refetch,
  } = useQuery({
    ...getBulkContactJobOptions({ path: { id } }),
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? POLL_MS : false),
  });
  const { names } = useNames();
  useFreshAfter(job === undefined || isRunning(job) ? undefined : job.status, CONTACTS_CHANGE);
  const state = job && JOB_STATES[job.status];
  const listName = names?.lists.find((list) => list.id === job?.action.list_id)?.name ?? 'a list';
  return (
    <RecordPage
      title={job && titleOf(job.action, listName)}
      crumbs={[
        { label: 'Contacts', href: pb.contacts() },
        { label: 'Changes', href: pb.bulkJobs() },
      ]}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      actions={
        job && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/contacts/bulk/${id}` }} />
            <Undo job={job} />
            {job.action.list_id !== undefined && (
              <ActionButton variant="default" href={pb.list(job.action.list_id)}>
                The list
              </ActionButton>
            )}
          </>
        )
      }
      notice={job?.status === 'failed' && <Notice tone="bad">{job.error ?? 'The change failed.'}</Notice>}
      error={error}
      onRetry={() => void refetch()}
    >
      {job && (
        <>
          <Progress job={job} />
          <Section title="Details" plain>
            <Properties items={propertiesOf(job, names)} />
          </Section>
          <Section title="Filter" description="Each contact was judged by it when its turn came." plain>
            <JsonView value={job.filter} label="the filter" />
          </Section>
        </>
      )}
    </RecordPage>
  );
}

function Undo({ job }: { job: BulkContactJob }) {
  const whyNot = useWhyNot('contacts:write');
  const now = useNow();
  const write = useWrite({
    call: () => undoBulkContactJob({ path: { id: job.id }, throwOnError: true }),
    changes: ['getBulkContactJob'],
    onError: toastError,
  });
  return (
    <ActionButton
      variant="default"
      loading={write.isPending}
      disabledReason={whyNot ?? whyNotUndo(job, now)}
      onClick={() => write.mutate(undefined)}
    >
      Undo
    </ActionButton>
  );
}

function Progress({ job }: { job: BulkContactJob }) {
  const { status, count, processed, changed, undone } = job;
  const isUndo = status === 'undoing' || status === 'undone';
  return (
    <div className={classes['outcome']}>
      {isRunning(job) && (
        <LongWork
          title={isUndo ? 'Undoing the change' : 'Changing contacts'}
          done={isUndo ? undone : processed}
          total={isUndo ? changed : (count ?? undefined)}
          unit="contacts"
          held={status === 'queued' ? 'Waiting for a worker' : undefined}
        />
      )}
      {/* Heard when the work ends, wherever the focus is. */}
      <VisuallyHidden role="status">{isRunning(job) ? '' : inWords(job)}</VisuallyHidden>
      <StatRow>
        <Stat label="Met the filter" value={count === null ? 'Not counted' : formatCount(count)} />
        <Stat label="Looked at" value={formatCount(processed)} />
        <Stat label="Changed" value={formatCount(changed)} />
        <Stat label="Restored" value={formatCount(undone)} />
      </StatRow>
    </div>
  );
}

const inWords = ({ status, changed, undone }: BulkContactJob): string =>
  status === 'undone'
    ? `The change is undone: ${counted(undone, 'contact is', 'contacts are')} as before.`
    : `The change has ended: ${counted(changed, 'contact was', 'contacts were')} changed.`;

const propertiesOf = (job: BulkContactJob, names: AllNames | undefined): Property[] => [
  { label: 'Contacts who met', value: names && filterWords(job.filter, names) },
  { label: 'Started', value: <RelativeTime at={job.created_at} /> },
  { label: 'Ended', value: <RelativeTime at={job.completed_at} none="Not yet" /> },
  { label: 'Can be undone until', value: <RelativeTime at={job.undo_until} none="Not now" /> },
  ...Object.entries(job.action.set?.properties ?? {}).map(([key, value]) => ({
    label: `Sets ${key}`,
    value: String(value),
  })),
  { label: 'Id', value: job.id, copy: job.id, mono: true },
];
