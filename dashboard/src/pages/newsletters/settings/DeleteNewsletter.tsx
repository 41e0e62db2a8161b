import { Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { deleteNewsletter } from '../../../api/generated/sdk.gen.ts';
import type { Newsletter } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { DeleteByName } from '../../../ui/DeleteByName.tsx';
import { Section } from '../../../ui/Section.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';

export function DeleteNewsletter({ newsletter }: { newsletter: Newsletter }) {
  const router = useRouter();
  const whyNot = useWhyNot('newsletters:write');
  const { id, name, issue_count: issues, subscriber_counts: counts } = newsletter;
  const write = useWrite({
    call: () => deleteNewsletter({ path: { id }, throwOnError: true }),
    changes: ['listNewsletters'],
    onDone: () => {
      toastDone(`${name} is deleted.`);
      router.history.push(pb.newsletters());
    },
    onError: toastError,
  });
  return (
    <Section title="Delete the newsletter" plain>
      <Text size="sm" mb="sm" c="dimmed">
        With its subscribers, issues and statistics, for good. Export the people that you must keep first.
      </Text>
      <DeleteByName name={name} noun="newsletter" write={write} disabledReason={whyNot}>
        {counted(counts.total, 'subscriber')} and {counted(issues, 'issue')} are deleted. Scheduled issues never start,
        and no more emails leave. This cannot be undone.
      </DeleteByName>
    </Section>
  );
}
