import { Skeleton } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createSegment } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import type { SegmentText } from './builder/SegmentEditor.tsx';
import { useNames } from './builder/use-names.ts';

const SegmentEditor = lazyPart(
  () => import('./builder/SegmentEditor.tsx').then((file) => file.SegmentEditor),
  <Skeleton height={320} />,
);

/** A segment is put together, and counted at every step. */
export function SegmentNewPage() {
  const router = useRouter();
  const whyNot = useWhyNot('contacts:write');
  const { names, error, refetch } = useNames();
  const write = useWrite({
    call: (body: SegmentText) => createSegment({ body, throwOnError: true }),
    changes: ['listSegments'],
    onDone: ({ id, name }) => {
      toastDone(`${name} is created.`);
      router.history.push(pb.segment(id));
    },
  });
  return (
    <>
      <PageHeader title="New segment" crumbs={[{ label: 'Segments', href: pb.segments() }]} />
      {names !== undefined && (
        <SegmentEditor
          saved={undefined}
          names={names}
          call={{ method: 'POST', path: '/v1/segments' }}
          onSave={(text) => write.mutate(text)}
          saveLabel="Create segment"
          isSaving={write.isPending || write.isSuccess}
          error={write.error}
          whyNot={whyNot}
        />
      )}
      {names === undefined && error === null && <Skeleton height={320} />}
      {names === undefined && error !== null && <ErrorState error={error} onRetry={refetch} />}
    </>
  );
}
