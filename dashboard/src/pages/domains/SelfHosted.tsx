import { Globe } from 'lucide-react';
import { useIsOperator } from '../../api/operator.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { type Crumb, PageHeader } from '../../ui/PageHeader.tsx';

/** In the self-hosted edition the operator names the domains, and the API of domains answers 403. */
export function SelfHosted({ title, crumbs = [] }: { title: string; crumbs?: readonly Crumb[] }) {
  const isOperator = useIsOperator();
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} />
      <EmptyState
        icon={<Globe size={20} />}
        title="The operator names the domains here"
        action={
          isOperator && (
            <ActionButton variant="default" href={pb.system()}>
              Open the settings in force
            </ActionButton>
          )
        }
      >
        This is the self-hosted edition: the setting <code>POSTHORN_SENDER_DOMAINS</code> of the server names the
        domains that every workspace sends from, and whoever runs the server signs their mail and publishes their DNS
        records. Nothing is added or checked on this page.
      </EmptyState>
    </>
  );
}
