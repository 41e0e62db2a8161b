import type { WebhookEvent } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { subjectOfEmail } from './event-words.ts';

/** One event as a webhook gets it. The API reads events by page, so an older one is not on this page any more. */
export function EventRecord({ event, isLoading }: { event: WebhookEvent | undefined; isLoading: boolean }) {
  if (event === undefined) {
    return isLoading ? null : (
      <EmptyState title="This event is on another page">Newer events have taken its place on this one.</EmptyState>
    );
  }
  return (
    <>
      <Properties
        items={[
          { label: 'Type', value: event.type },
          { label: 'Recorded', value: <RelativeTime at={event.created_at} /> },
          {
            label: 'Email',
            value: event.email && <a href={pb.email(event.email.id)}>{subjectOfEmail(event) || event.email.id}</a>,
          },
          { label: 'Id', value: event.id, copy: event.id, mono: true },
        ]}
      />
      <div style={{ marginTop: 16 }}>
        <JsonView value={event} label="the event" maxHeight={440} />
      </div>
    </>
  );
}
