import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { getSegmentOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { deleteSegment } from '../../../api/generated/sdk.gen.ts';
import type { Segment } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { DeleteByName } from '../../../ui/DeleteByName.tsx';
import { lazyTab } from '../../../ui/record/lazy-tab.tsx';
import { RecordPage } from '../../../ui/record/RecordPage.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { ChangeAllButton } from '../bulk/ChangeAllButton.tsx';
import { ExportContacts } from '../ExportContacts.tsx';
import { SegmentMembers } from './SegmentMembers.tsx';

const EditSegment = lazyTab('conditions', () => import('./EditSegment.tsx').then((file) => file.EditSegment));
const ExplainContact = lazyTab('explain', () => import('./ExplainContact.tsx').then((file) => file.ExplainContact));

/** One segment: who is in it now, its conditions, and why somebody is in it or not. */
export function SegmentPage() {
  const { id = '' } = useParams({ strict: false });
  const [{ tab }, setUrl] = useUrlState(['tab', 'after', 'contact']);
  const { data: segment, error, refetch } = useQuery(getSegmentOptions({ path: { id } }));
  return (
    <RecordPage
      title={segment?.name}
      crumbs={[{ label: 'Segments', href: pb.segments() }]}
      actions={
        segment && (
          <>
            <CurlButton call={{ method: 'GET', path: `/v1/segments/${id}` }} />
            <ExportContacts query={{ segment_id: id }} />
            <DeleteSegment segment={segment} />
            <ChangeAllButton
              filter={{ match: 'all', conditions: [{ field: `segment:${id}`, op: 'is_true' }] }}
              of={`all in ${segment.name}`}
              label="Change all"
            />
          </>
        )
      }
      tabs={segment === undefined ? [] : tabsOf(segment)}
      tab={tab}
      onTab={(next) => setUrl({ tab: next, after: undefined, contact: undefined }, { push: true })}
      error={error}
      onRetry={() => void refetch()}
    />
  );
}

const tabsOf = (segment: Segment) => [
  { id: 'contacts', label: 'Contacts', content: () => <SegmentMembers segment={segment} /> },
  { id: 'conditions', label: 'Conditions', content: () => <EditSegment key={segment.id} id={segment.id} /> },
  { id: 'explain', label: 'Explain', content: () => <ExplainContact segment={segment} /> },
];

function DeleteSegment({ segment: { id, name } }: { segment: Segment }) {
  const router = useRouter();
  const write = useWrite({
    call: () => deleteSegment({ path: { id }, throwOnError: true }),
    changes: ['listSegments'],
    onDone: () => {
      toastDone(`${name} is deleted.`);
      router.history.push(pb.segments());
    },
    onError: toastError,
  });
  return (
    <DeleteByName name={name} noun="segment" label="Delete" write={write} disabledReason={useWhyNot('contacts:write')}>
      Its contacts stay. A segment that another one names cannot be deleted. This cannot be undone.
    </DeleteByName>
  );
}
