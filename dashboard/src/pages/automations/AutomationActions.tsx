import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { duplicateAutomation } from '../../api/generated/sdk.gen.ts';
import type { Automation } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { AUTOMATION_CHANGES } from './automation-state.ts';

const SwitchAutomation = lazyDialog(() => import('./SwitchAutomation.tsx').then((file) => file.SwitchAutomation));

const StartRun = lazyDialog(() => import('./runs/StartRun.tsx').then((file) => file.StartRun));

/** `unsaved` is given while the steps on the page are not those of the server. */
export function AutomationActions({ automation, unsaved }: { automation: Automation; unsaved: string | undefined }) {
  const { id, status } = automation;
  const router = useRouter();
  const [asks, setAsks] = useState(false);
  const [starts, setStarts] = useState(false);
  const mayWrite = useWhyNot('automations:write');
  const maySend = useWhyNot('emails:send');
  const isEnabled = status === 'enabled';
  const duplicate = useWrite({
    call: () => duplicateAutomation({ path: { id }, body: {}, throwOnError: true }),
    changes: AUTOMATION_CHANGES,
    onDone: (made) => {
      toastDone('This is the copy. It is disabled.');
      router.history.push(pb.automation(made.id));
    },
    onError: toastError,
  });
  return (
    <>
      <CurlButton call={{ method: 'GET', path: `/v1/automations/${id}` }} />
      <ActionButton
        variant="default"
        loading={duplicate.isPending}
        disabledReason={mayWrite ?? unsaved}
        onClick={() => duplicate.mutate(undefined)}
      >
        Duplicate
      </ActionButton>
      <ActionButton variant="default" disabledReason={mayWrite ?? unsaved} onClick={() => setStarts(true)}>
        {isEnabled ? 'Test or start' : 'Test'}
      </ActionButton>
      <ActionButton
        {...(isEnabled ? { variant: 'default' } : {})}
        disabledReason={mayWrite ?? (isEnabled ? undefined : (maySend ?? unsaved))}
        onClick={() => setAsks(true)}
      >
        {isEnabled ? 'Disable' : 'Enable'}
      </ActionButton>
      <SwitchAutomation automation={automation} opened={asks} onClose={() => setAsks(false)} />
      <StartRun automation={automation} opened={starts} onClose={() => setStarts(false)} />
    </>
  );
}
