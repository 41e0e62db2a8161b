import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import {
  countUndoOptions,
  getImportOptions,
  getListOptions,
  getNewsletterOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import { cancelImport } from '../../api/generated/sdk.gen.ts';
import type { Import } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useFreshAfter } from '../../api/use-fresh-after.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RecordPage } from '../../ui/record/RecordPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { fieldsInWords } from './import-plan.ts';
import { IMPORT_STATES, isRunning, staysWords } from './import-words.ts';
import { ImportOutcome } from './ImportOutcome.tsx';
import { UndoImport } from './UndoImport.tsx';

const IMPORTED = [
  'listSubscribers',
  'getNewsletter',
  'listNewsletters',
  'listContacts',
  'getContact',
  'getList',
  'listLists',
  'listContactProperties',
  'listSegmentContacts',
];
const CHANGES = ['getImport', 'listImports', 'countUndo', ...IMPORTED];
const RUNNING_MS = 1_000;
/** Confirmation emails leave slowly after the end, and an undo works in the background. */
const ENDED_MS = 2_000;

/** An import: its progress, its result, and the way back for a day. */
export function ImportPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    ...getImportOptions({ path: { id } }),
    refetchInterval: ({ state }) => (state.data === undefined || isRunning(state.data) ? RUNNING_MS : ENDED_MS),
  });
  useFreshAfter(data === undefined || isRunning(data) ? undefined : data.status, IMPORTED);
  const path = { id: data?.target.id ?? '' };
  const isOfList = data?.target.type === 'list';
  const { data: newsletter } = useQuery({
    ...getNewsletterOptions({ path }),
    enabled: data?.target.type === 'newsletter',
  });
  const { data: list } = useQuery({ ...getListOptions({ path }), enabled: isOfList });
  const state = data && IMPORT_STATES[data.status];
  const into = isOfList ? (list?.name ?? 'a list') : (newsletter?.name ?? 'a newsletter');
  return (
    <RecordPage
      title={data && `${data.dry_run ? 'Dry run' : 'Import'} into ${into}`}
      crumbs={[
        isOfList ? { label: 'Lists', href: pb.lists() } : { label: 'Newsletters', href: pb.newsletters() },
        { label: 'Imports', href: pb.imports() },
      ]}
      badge={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
      actions={
        data && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/imports/${data.id}` }} />
            <Actions record={data} />
            <ActionButton
              variant="default"
              href={isOfList ? pb.list(path.id) : pb.newsletterTab(path.id, 'subscribers')}
            >
              {isOfList ? 'The list' : 'Subscribers'}
            </ActionButton>
          </>
        )
      }
      notice={data && <Notices record={data} />}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && (
        <>
          <ImportOutcome record={data} />
          <Section title="Details" plain>
            <Properties items={propertiesOf(data)} />
          </Section>
        </>
      )}
    </RecordPage>
  );
}

function Notices({ record }: { record: Import }) {
  if (record.status === 'failed') return <Notice tone="bad">{record.error ?? 'The import failed.'}</Notice>;
  if (record.status === 'undone') return <Undone record={record} />;
  if (record.dry_run && record.status === 'completed') {
    return <Notice tone="info">This was a dry run. Nothing was changed.</Notice>;
  }
  return null;
}

/** The undo works in the background: until nobody is left to remove, the numbers move. */
function Undone({ record }: { record: Import }) {
  const { data } = useQuery({
    ...countUndoOptions({ path: { id: record.id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.removes === 0 ? false : ENDED_MS),
  });
  const isAtWork = data !== undefined && data.removes > 0;
  return (
    <Notice tone="info">
      The import is undone: {counted(record.removed, 'person was', 'people were')} removed
      {isAtWork && ` so far, and ${formatCount(data.removes)} will be`}. {data && staysWords(data.stays)}
    </Notice>
  );
}

function Actions({ record }: { record: Import }) {
  const whyNot = useWhyNot(record.target.type === 'list' ? 'contacts:write' : 'subscribers:write');
  const path = { id: record.id };
  const cancel = useWrite({
    call: () => cancelImport({ path, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone('The import stops. People who were added stay until you undo it.'),
    onError: toastError,
  });
  if (isRunning(record)) {
    return (
      <ActionButton
        variant="default"
        loading={cancel.isPending}
        disabledReason={whyNot}
        onClick={() => cancel.mutate(undefined)}
      >
        Stop
      </ActionButton>
    );
  }
  if (record.dry_run) return null;
  return (
    <UndoImport
      record={record}
      changes={CHANGES}
      disabledReason={whyNot ?? (record.can_undo ? undefined : whyNotUndo(record))}
    />
  );
}

const whyNotUndo = ({ status, undone_at }: Import): string =>
  status === 'undone' || undone_at !== null
    ? 'This import is undone already.'
    : 'An import can be undone for 24 hours after its end.';

function propertiesOf(record: Import): Property[] {
  return [
    { label: 'Started', value: <RelativeTime at={record.started_at} none="Not yet" /> },
    { label: 'Ended', value: <RelativeTime at={record.completed_at} none="Not yet" /> },
    ...(record.target.type === 'list' ? [] : [{ label: 'Consent', value: consentOf(record) }]),
    {
      label: record.target.type === 'list' ? 'People who were contacts already' : 'People already on the list',
      value: record.on_conflict === 'skip' ? 'Only their empty fields are filled in' : 'Their fields are overwritten',
    },
    {
      label: 'Columns were read as',
      value:
        record.columns &&
        fieldsInWords(record.columns.recognised, record.target.type === 'list' ? 'list' : 'newsletter'),
    },
    { label: 'Columns that were ignored', value: record.columns?.ignored.join(', ') || 'None' },
    ...(record.send_confirmation
      ? [{ label: 'Confirmation emails sent', value: formatCount(record.confirmations_sent) }]
      : []),
    { label: 'Id', value: record.id, copy: record.id, mono: true },
  ];
}

function consentOf({ consent, send_confirmation }: Import): string {
  if (consent === 'already_confirmed') return 'Declared: everybody in the file has agreed';
  return send_confirmation ? 'Each person is asked by email' : 'Nobody is asked; new people are pending';
}
