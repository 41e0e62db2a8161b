import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getSegment, updateSegment } from '../../../api/generated/sdk.gen.ts';
import type { Segment } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { CONTACTS_CHANGE } from '../contacts-change.ts';
import { SegmentEditor, type SegmentText } from './builder/SegmentEditor.tsx';
import { isSameFilter } from './builder/same-filter.ts';
import { type AllNames, useNames } from './builder/use-names.ts';
import { filterWords } from './filter-words.ts';

/** A segment as it was read, with the tag that a change of it names. */
interface Saved {
  segment: Segment;
  etag: string;
}

const savedOf = ({ data, response }: { data: Segment; response: Response }): Saved => ({
  segment: data,
  etag: response.headers.get('etag') ?? '',
});

const readForEditing = async (id: string): Promise<Saved> =>
  savedOf(await getSegment({ path: { id }, cache: 'no-store', throwOnError: true }));

/** The name and the conditions of a segment that is there. */
export function EditSegment({ id }: { id: string }) {
  const read = useQuery({
    queryKey: [{ _id: 'segmentToEdit', id }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  const { names, error, refetch } = useNames();
  if (read.data !== undefined && names !== undefined) return <Editing opened={read.data} names={names} />;
  const failure = read.error ?? error;
  if (failure === null) return <Skeleton height={320} />;
  return (
    <ErrorState
      error={failure}
      onRetry={() => {
        refetch();
        void read.refetch();
      }}
    />
  );
}

function Editing({ opened, names }: { opened: Saved; names: AllNames }) {
  const whyNot = useWhyNot('contacts:write');
  const [saved, setSaved] = useState(opened);
  const [theirs, setTheirs] = useState<Saved>();
  const [mine, setMine] = useState<SegmentText>();
  /** Another version of the server begins the form anew. */
  const [version, setVersion] = useState(0);
  const { id } = saved.segment;
  const says = (segment: SegmentText, text: SegmentText): boolean =>
    segment.name === text.name && isSameFilter(segment.filter, text.filter, names.properties);
  const write = useWrite({
    call: async ({ text, over }: { text: SegmentText; over: Saved }) => {
      // A segment that says what is written here: the answer to our own save was lost.
      if (says(over.segment, text)) return { data: over };
      const headers = { 'If-Match': over.etag };
      return { data: savedOf(await updateSegment({ path: { id }, headers, body: text, throwOnError: true })) };
    },
    changes: [...CONTACTS_CHANGE, 'getSegment', 'listSegments'],
    onDone: (next) => {
      setSaved(next);
      setTheirs(undefined);
      toastDone('The segment is changed.');
    },
    onError: (error, { text }) => {
      if (!isConflict(error)) return;
      setMine(text);
      void readForEditing(id).then((now) => {
        if (says(now.segment, text)) write.mutate({ text, over: now });
        else setTheirs(now);
      }, toastError);
    },
  });
  return (
    <SegmentEditor
      key={version}
      saved={saved.segment}
      names={names}
      call={{ method: 'PATCH', path: `/v1/segments/${id}` }}
      onSave={(text) => write.mutate({ text, over: saved })}
      saveLabel="Save"
      isSaving={write.isPending}
      error={isConflict(write.error) ? null : write.error}
      whyNot={whyNot}
    >
      {theirs !== undefined && mine !== undefined && (
        <Notice
          tone="warn"
          action={
            <span style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
              <Button size="xs" onClick={() => write.mutate({ text: mine, over: theirs })}>
                Save yours over it
              </Button>
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  setSaved(theirs);
                  setTheirs(undefined);
                  setVersion(version + 1);
                }}
              >
                Take theirs
              </Button>
            </span>
          }
        >
          Somebody else changed this segment while you wrote. It is “{theirs.segment.name}” now:{' '}
          {filterWords(theirs.segment.filter, names)}
        </Notice>
      )}
    </SegmentEditor>
  );
}

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;
