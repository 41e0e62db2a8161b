import type { Webhook } from '../../api/generated/types.gen.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type Crumb, PageHeader } from '../../ui/PageHeader.tsx';
import { Section } from '../../ui/Section.tsx';
import { VerifySamples } from './VerifySamples.tsx';
import classes from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  title: string;
  crumbs: readonly Crumb[];
  onDone: () => void;
}

/** A new secret in full, with the code that uses it. */
export function SecretShown({ webhook, title, crumbs, onDone }: Props) {
  return (
    <div className={classes['samples']}>
      <PageHeader title={title} crumbs={crumbs} description={webhook.url} />
      <Notice tone="info">
        Give this secret to your receiver, which verifies with it that a delivery is from Posthorn. People who may
        change webhooks can read it again.
      </Notice>
      <div className={classes['secret']} style={{ margin: '12px 0 24px' }}>
        <code data-secret>{webhook.secret}</code>
        <CopyButton value={webhook.secret}>Copy the secret</CopyButton>
      </div>
      <Section title="Verify deliveries" plain>
        <VerifySamples />
      </Section>
      <ActionButton onClick={onDone}>Open the endpoint</ActionButton>
    </div>
  );
}
