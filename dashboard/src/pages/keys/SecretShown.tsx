import { useState } from 'react';
import type { ApiKeyWithSecret } from '../../api/generated/types.gen.ts';
import { UnsavedGuard } from '../../lib/unsaved-guard.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type Crumb, PageHeader } from '../../ui/PageHeader.tsx';
import { Section } from '../../ui/Section.tsx';
import { shellQuote } from '../../lib/curl.ts';
import classes from './keys.module.css';

interface Props {
  made: ApiKeyWithSecret;
  crumbs: readonly Crumb[];
  onDone: () => void;
}

/** The key in full. Posthorn keeps only its hash, so nobody can show it again. */
export function SecretShown({ made, crumbs, onDone }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const first = [
    `export POSTHORN_API_KEY=${shellQuote(made.key)}`,
    `curl ${shellQuote(`${window.location.origin}/v1/emails?limit=1`)} -H "Authorization: Bearer $POSTHORN_API_KEY"`,
  ].join('\n');
  return (
    <div className={classes['page']}>
      <PageHeader title={`${made.name} is ready`} crumbs={crumbs} />
      <Notice tone="warn">Copy the key now. It is shown this once, and Posthorn does not keep it.</Notice>
      <div className={classes['secret']}>
        <code data-secret>{made.key}</code>
        <CopyButton value={made.key}>Copy the key</CopyButton>
      </div>
      <Section title="Try it" plain>
        <CodeBlock code={first} label="the commands" wrap />
      </Section>
      <ActionButton
        onClick={() => {
          setLeaving(true);
          // After the guard has been taken away.
          setTimeout(onDone);
        }}
      >
        I have copied it
      </ActionButton>
      <UnsavedGuard when={!isLeaving} what="The key cannot be shown again. Have you copied it?" />
    </div>
  );
}
