import { Text, TextInput } from '@mantine/core';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import classes from '../domains.module.css';

interface Props {
  opened: boolean;
  domain: string;
  url: string;
  /** When the link ends, in words. */
  until: string;
  onClose: () => void;
  revoking: boolean;
  onRevoke: () => void;
}

/** The link to the page of the records. */
export function ShareDialog({ opened, domain, url, until, onClose, revoking, onRevoke }: Props) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Share the DNS records" size="lg">
      <Text size="sm" mb="md">
        Anybody with this link sees the records of {domain}, the state of each, and the steps to publish them. They need
        no account and can change nothing here.
      </Text>
      <div className={classes['link']}>
        <TextInput
          aria-label="Link"
          value={url}
          readOnly
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={url}>Copy the link</CopyButton>
      </div>
      <Text size="sm" c="dimmed" mt="sm">
        It works until {until}, until it is revoked, or until the domain is deleted. Revoking ends all links to the
        records of {domain}.
      </Text>
      <div className={classes['dialogActions']}>
        <ActionButton variant="default" loading={revoking} onClick={onRevoke}>
          Revoke all links
        </ActionButton>
        <ActionButton variant="default" onClick={onClose}>
          Close
        </ActionButton>
      </div>
    </LoadedDialog>
  );
}
