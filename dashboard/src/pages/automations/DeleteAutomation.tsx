import { Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { deleteAutomation } from '../../api/generated/sdk.gen.ts';
import type { Automation } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { DeleteByName } from '../../ui/DeleteByName.tsx';
import { Section } from '../../ui/Section.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';

export function DeleteAutomation({ automation }: { automation: Automation }) {
  const { id, name, stats } = automation;
  const router = useRouter();
  const whyNot = useWhyNot('automations:write');
  const write = useWrite({
    call: () => deleteAutomation({ path: { id }, throwOnError: true }),
    changes: ['listAutomations'],
    onDone: () => {
      toastDone(`“${name}” is deleted.`);
      router.history.push(pb.automations());
    },
    onError: toastError,
  });
  return (
    <Section title="Delete the automation" plain>
      <Text size="sm" mb="sm" c="dimmed">
        With its runs and their records, for good. Disable it to keep them.
      </Text>
      <DeleteByName name={name} noun="automation" write={write} disabledReason={whyNot}>
        {stats.active === 0 ? 'Nobody is under way in it.' : `${counted(stats.active, 'run')} under way end at once.`}{' '}
        Emails that were accepted are still sent. This cannot be undone.
      </DeleteByName>
    </Section>
  );
}
