import { useState } from 'react';
import type { Template } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';

const TemplateTestDialog = lazyDialog(() => import('./TemplateTestDialog.tsx').then((file) => file.TemplateTestDialog));

interface Props {
  template: Pick<Template, 'id' | 'version' | 'samples'>;
  held?: string | undefined;
}

/** One email of the newest version, with the data of a sample. */
export function SendTemplateTest({ template, held }: Props) {
  const [isOpen, setOpen] = useState(false);
  const roleReason = useWhyNot('emails:send');
  return (
    <>
      <ActionButton variant="default" disabledReason={roleReason ?? held} onClick={() => setOpen(true)}>
        Send a test
      </ActionButton>
      <TemplateTestDialog template={template} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
