import { Copy } from 'lucide-react';
import { useState } from 'react';
import { rotateWebhookSecret } from '../../api/generated/sdk.gen.ts';
import type { Webhook } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { RotateForm } from '../../ui/form/RotateForm.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import classes from './webhooks.module.css';

interface Props {
  webhook: Webhook;
  roleReason: string | undefined;
  onRotated: (webhook: Webhook) => void;
}

/** The server gives no more of it to a role that may not change webhooks. */
const MASKED = 'Your role sees the last four characters only. People who may change webhooks see all of it.';

/** The secret, hidden until it is asked for, and its rotation. */
export function EndpointSecret({ webhook, roleReason, onRotated }: Props) {
  const [isShown, setShown] = useState(false);
  const [asks, setAsks] = useState(false);
  const notShown = webhook.secret.includes('•') ? MASKED : undefined;
  return (
    <Section
      title="Secret"
      description="Signs every delivery."
      actions={
        <ActionButton variant="default" size="xs" disabledReason={roleReason} onClick={() => setAsks(true)}>
          Rotate
        </ActionButton>
      }
    >
      <div className={classes['secret']}>
        <code data-secret>{isShown ? webhook.secret : `whsec_••••••••${webhook.secret.slice(-4)}`}</code>
        <ActionButton variant="default" disabledReason={notShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </ActionButton>
        {notShown === undefined ? (
          <CopyButton value={webhook.secret}>Copy</CopyButton>
        ) : (
          <ActionButton variant="default" leftSection={<Copy size={14} />} disabledReason={notShown}>
            Copy
          </ActionButton>
        )}
      </div>
      {webhook.previous_secret_expires_at !== null && (
        <p className={classes['note']}>
          The secret before it signs too, and ends <RelativeTime at={webhook.previous_secret_expires_at} />.
        </p>
      )}
      <Dialog opened={asks} onClose={() => setAsks(false)} title="Rotate the secret" size="sm">
        <Rotate webhook={webhook} onRotated={onRotated} onClose={() => setAsks(false)} />
      </Dialog>
    </Section>
  );
}

function Rotate({ webhook, onRotated, onClose }: Omit<Props, 'roleReason'> & { onClose: () => void }) {
  const write = useWrite({
    call: (seconds: number) =>
      rotateWebhookSecret({ path: { id: webhook.id }, body: { overlap_seconds: seconds }, throwOnError: true }),
    changes: ['listWebhooks', 'getWebhook'],
    onDone: (made) => {
      onClose();
      onRotated(made);
    },
  });
  return (
    <RotateForm
      label="Rotate the secret"
      question="When does the old secret end?"
      description="Until then every delivery has both signatures, so that you can change your receivers."
      atOnce="At once: it leaked"
      problem={write.error ?? undefined}
      loading={write.isPending}
      onRotate={(seconds) => write.mutate(seconds)}
      onCancel={onClose}
    />
  );
}
