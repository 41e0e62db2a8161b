import { testDomainWebhook } from '../../../api/generated/sdk.gen.ts';
import type { DomainWebhookTest } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Section } from '../../../ui/Section.tsx';

/** Posts a sample to the webhook at once, and shows its answer. */
export function ForwardTest({ id, whyNot }: { id: string; whyNot: string | undefined }) {
  const write = useWrite({ call: () => testDomainWebhook({ path: { id }, throwOnError: true }), changes: [] });
  return (
    <Section
      title="Test"
      description="Posts a signed sample, which says that it is a test, to the address that is saved."
      actions={
        <ActionButton
          variant="default"
          size="xs"
          loading={write.isPending}
          disabledReason={whyNot}
          onClick={() => write.mutate(undefined)}
        >
          Send a test
        </ActionButton>
      }
      plain
    >
      <div role="status">
        {write.error !== null && <ErrorState error={write.error} />}
        {write.error === null && write.data !== undefined && <Result test={write.data} />}
      </div>
    </Section>
  );
}

function Result({ test: { success, status, statusText, error } }: { test: DomainWebhookTest }) {
  if (success) {
    return (
      <Notice tone="ok">
        The webhook answered {status} {statusText}.
      </Notice>
    );
  }
  return (
    <Notice tone="bad">
      {status === 0 ? `No answer came. ${error ?? ''}` : (error ?? `The webhook answered ${status} ${statusText}.`)}
    </Notice>
  );
}
