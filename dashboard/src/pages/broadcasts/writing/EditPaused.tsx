import { useRouter } from '@tanstack/react-router';
import { updateBroadcast } from '../../../api/generated/sdk.gen.ts';
import { pictureStore } from '../../../api/picture-store.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import type { Crumb } from '../../../ui/PageHeader.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { NextVersion, type PausedTexts } from '../../../ui/writing/NextVersion.tsx';
import { BROADCAST_CHANGES, shownTitle } from '../broadcast-state.ts';
import { VARIABLES } from './broadcast-variables.ts';
import { BRAND, type Opened } from './read-for-editing.ts';

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** The next version of a broadcast that is paused. */
export function EditPaused({ opened, crumbs }: { opened: Opened; crumbs: readonly Crumb[] }) {
  const router = useRouter();
  const { broadcast, draft, etag } = opened;
  const { id } = broadcast;
  const isOfTemplate = broadcast.template_id !== null;
  const write = useWrite({
    call: ({ subject, preheader, html }: PausedTexts) =>
      updateBroadcast({
        path: { id },
        headers: { 'If-Match': etag },
        body: {
          subject: orNull(subject),
          preheader: orNull(preheader),
          ...(isOfTemplate ? {} : { html: orNull(html) }),
        },
        throwOnError: true,
      }),
    changes: BROADCAST_CHANGES,
    onDone: () => {
      toastDone('The next version is saved. Resume the broadcast to send it.');
      router.history.push(pb.broadcast(id));
    },
  });
  const { subject, preheader, html, editor } = draft;
  return (
    <NextVersion
      noun="broadcast"
      title={shownTitle(broadcast)}
      crumbs={crumbs}
      overviewHref={pb.broadcast(id)}
      opened={{ subject, preheader, html, editor }}
      isOfTemplate={isOfTemplate}
      waiting={broadcast.stats.waiting}
      roleReason={useWhyNot('broadcasts:send')}
      problem={write.error ?? undefined}
      loading={write.isPending || write.isSuccess}
      onSave={write.mutate}
      pictures={pictureStore}
      variables={VARIABLES}
      brand={BRAND}
    />
  );
}
