import { useQuery } from '@tanstack/react-query';
import { listAutomationRunsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { cancelAutomationRuns } from '../../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { TypedButton } from '../../../ui/TypedButton.tsx';
import { RUN_CHANGES } from '../automation-state.ts';

/** Ends the active runs of an automation, or those of one person: after their number was typed. */
export function CancelRuns({ automationId: id, email }: { automationId: string; email: string | undefined }) {
  const whyNot = useWhyNot('automations:write');
  const filter = email === undefined ? {} : { email };
  const active = useQuery(
    listAutomationRunsOptions({ path: { id }, query: { ...filter, status: 'active', limit: '1' } }),
  );
  const count = active.data?.total ?? 0;
  const write = useWrite({
    call: () => cancelAutomationRuns({ path: { id }, body: { filter }, throwOnError: true }),
    changes: RUN_CHANGES,
    onDone: ({ cancelled }) => toastDone(`${counted(cancelled, 'run is', 'runs are')} cancelled.`),
    onError: toastError,
  });
  return (
    <TypedButton
      label="Cancel runs"
      size="xs"
      write={write}
      disabledReason={whyNot ?? (count === 0 ? 'No run is under way.' : undefined)}
      title={email === undefined ? 'Cancel all runs that are under way?' : `Cancel the runs of ${email}?`}
      expected={formatCount(count)}
      of="the number of runs that are under way"
      confirm="Cancel runs"
    >
      {counted(count, 'run ends', 'runs end')} where {count === 1 ? 'it is' : 'they are'} and{' '}
      {count === 1 ? 'takes' : 'take'} no more steps. Emails that were accepted are still sent. This cannot be undone.
    </TypedButton>
  );
}
