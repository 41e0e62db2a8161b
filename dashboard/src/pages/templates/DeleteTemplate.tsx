import { useState } from 'react';
import type { Template } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';

const DeleteTemplateDialog = lazyDialog(() =>
  import('./DeleteTemplateDialog.tsx').then((file) => file.DeleteTemplateDialog),
);

/** Deletes a template; one that others are made of only when that is said. */
export function DeleteTemplate({ template }: { template: Pick<Template, 'id' | 'name'> }) {
  const [isOpen, setOpen] = useState(false);
  const whyNot = useWhyNot('templates:write');
  return (
    <>
      <ActionButton variant="danger" disabledReason={whyNot} onClick={() => setOpen(true)}>
        Delete
      </ActionButton>
      <DeleteTemplateDialog template={template} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
