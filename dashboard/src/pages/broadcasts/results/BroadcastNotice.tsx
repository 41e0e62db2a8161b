import type { Broadcast, BroadcastStart } from '../../../api/generated/types.gen.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { isPaused } from '../broadcast-state.ts';
import { ResumeBroadcast } from '../sending/BroadcastActions.tsx';

/** Why nothing moves or why it failed, with the button that helps. */
export function BroadcastNotice({ broadcast }: { broadcast: Broadcast }) {
  const { error, progress, status, schedule_note: note } = broadcast;
  if (error !== null) return <Notice tone="bad">{error}</Notice>;
  if (note !== null && status === 'scheduled') return <Notice tone="warn">{note}</Notice>;
  if (progress === null || progress.reason === null) return <LateNotice broadcast={broadcast} />;
  const { code, reason, resumes_at: resumesAt, starts } = progress;
  const next = starts?.find(({ at }) => at === resumesAt);
  if (next !== undefined && !isPaused(broadcast)) return <NextStart start={next} />;
  const mayResume = isPaused(broadcast) && (code === null || code === 'reputation');
  const help = mayResume ? (
    <ResumeBroadcast broadcast={broadcast} />
  ) : code === 'domain_unverified' ? (
    <ActionButton variant="default" href={pb.domains()}>
      Open the domains
    </ActionButton>
  ) : undefined;
  return (
    <Notice tone={isPaused(broadcast) ? 'warn' : 'info'} action={help}>
      {code === 'reputation' && isPaused(broadcast) ? `Posthorn has paused it. ${reason}` : reason}
      {resumesAt !== null && ` It goes on by itself at ${exactTime(resumesAt)}.`}
    </Notice>
  );
}

/** It leaves at the local time of each contact, and has left where that has come. */
function NextStart({ start: { at, recipients } }: { start: BroadcastStart }) {
  return (
    <Notice tone="info">
      The next {counted(recipients, 'person', 'people')} {recipients === 1 ? 'gets' : 'get'} it at {exactTime(at)}, when
      it is time where they are.
    </Notice>
  );
}

/** It moves, but will not be done when its sender wanted. */
function LateNotice({ broadcast: { finish_by: by, progress } }: { broadcast: Broadcast }) {
  if (by === null || progress?.is_late !== true) return null;
  const { estimated_completion_at: until } = progress;
  return (
    <Notice tone="warn">
      It was to be done by {exactTime(by)}
      {until === null ? '.' : `. At the pace of now it takes until ${exactTime(until)}.`}
    </Notice>
  );
}
