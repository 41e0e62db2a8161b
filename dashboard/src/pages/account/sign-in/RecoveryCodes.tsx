import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { download } from '../../../lib/files/download.ts';
import { UnsavedGuard } from '../../../lib/unsaved-guard.tsx';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import classes from '../account.module.css';

interface Props {
  codes: readonly string[];
  email: string;
  onClose: () => void;
}

/** The codes in full. Posthorn keeps only their hashes, so nobody can show them again. */
export function RecoveryCodes({ codes, email, onClose }: Props) {
  const text = codes.join('\n');
  const save = () =>
    download('posthorn-recovery-codes.txt', 'text/plain', `Recovery codes of ${email} for Posthorn\n\n${text}\n`);
  return (
    <div className={classes['codes']}>
      <Notice tone="warn">
        Keep these codes where you find them without your phone. Each is good for one sign-in, and they are shown only
        now.
      </Notice>
      <CodeBlock code={text} label="the recovery codes" />
      <div className={classes['codeButtons']}>
        <CopyButton value={text}>Copy the codes</CopyButton>
        <Button variant="default" leftSection={<Download size={14} />} onClick={save}>
          Download
        </Button>
      </div>
      <ActionButton onClick={onClose} fullWidth>
        I have kept them
      </ActionButton>
      <UnsavedGuard when what="The recovery codes cannot be shown again. Have you kept them?" />
    </div>
  );
}
