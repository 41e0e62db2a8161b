import { Button, Group, Stack } from '@mantine/core';
import { toastDone } from '../toasts.tsx';
import { EditorNotice } from './EditorNotice.tsx';
import styles from './editor.module.css';
import type { Copies } from './use-copies.ts';

/** After a paste that brought pictures of other servers: copies them all. */
export function RemotePictures({ copies, onClose }: { copies: Copies; onClose(): void }) {
  const { remote, copying, faults, copy } = copies;
  const failed = remote.filter((address) => faults.has(address));
  const copyAll = async () => {
    const done = await copy(remote);
    if (done > 0) toastDone(done === 1 ? 'One picture is copied.' : `${done} pictures are copied.`);
  };
  return (
    <EditorNotice onClose={onClose}>
      <Stack gap="xs" align="start">
        <span>
          {remote.length === 1
            ? 'One picture comes from another server. Its address may expire, or work for you alone, and that server sees who opens your mail.'
            : `${remote.length} pictures come from other servers. Their addresses may expire, or work for you alone, and those servers see who opens your mail.`}
        </span>
        {failed.length > 0 && (
          <ul className={styles['failed']} aria-label="Pictures that could not be copied">
            {failed.map((address) => (
              <li key={address}>
                {shortName(address)}: {faults.get(address)}
              </li>
            ))}
          </ul>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" loading={copying !== undefined} onClick={() => void copyAll()}>
            {failed.length > 0
              ? 'Try again'
              : remote.length === 1
                ? 'Copy it to this server'
                : 'Copy them to this server'}
          </Button>
        </Group>
      </Stack>
    </EditorNotice>
  );
}

/** The host and the last part of the path: such addresses have hundreds of characters. */
function shortName(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.slice(0, 80);
  const last = url.pathname.split('/').at(-1) ?? '';
  return `${url.host}${last === '' ? '' : ` … ${last.slice(0, 40)}`}`;
}
