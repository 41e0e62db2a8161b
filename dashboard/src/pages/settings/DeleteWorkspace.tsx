import { Text } from '@mantine/core';
import { chooseWorkspace } from '../../api/active-workspace.ts';
import { deleteWorkspace } from '../../api/generated/sdk.gen.ts';
import type { Workspace } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../ui/ConfirmTyped.tsx';
import { Section } from '../../ui/Section.tsx';
import { toastError } from '../../ui/toasts.tsx';

export function DeleteWorkspace({ workspace: { id, name, is_home: isHome } }: { workspace: Workspace }) {
  const [{ dialog }, setUrl] = useUrlState(['dialog']);
  const ofRole = useWhyNot('workspace:delete');
  const whyNot = ofRole ?? (isHome ? 'This workspace sends the mail of the server, so it stays.' : undefined);
  const write = useWrite({
    call: () => deleteWorkspace({ path: { id }, throwOnError: true }),
    changes: [],
    onDone: () => {
      chooseWorkspace(undefined);
      // A new load of the page, so that nothing of the workspace stays behind.
      window.location.assign(pb.overview());
    },
    onError: toastError,
  });
  return (
    <Section title="Delete the workspace" plain>
      <Text size="sm" mb="sm" c="dimmed">
        With its emails, newsletters, subscribers, suppressions, API keys and logs, for good.
      </Text>
      <ActionButton variant="default" disabledReason={whyNot} onClick={() => setUrl({ dialog: 'delete' })}>
        Delete workspace
      </ActionButton>
      <ConfirmTyped
        opened={dialog === 'delete' && whyNot === undefined}
        onClose={() => setUrl({ dialog: undefined })}
        onConfirm={() => write.mutate(undefined)}
        loading={write.isPending}
        title={`Delete ${name}?`}
        expected={name}
        of="the name of the workspace"
        confirm="Delete"
        danger
      >
        Everything in it is deleted, and its members lose it. Mail that waits is never sent, and API keys stop at once.
        This cannot be undone.
      </ConfirmTyped>
    </Section>
  );
}
