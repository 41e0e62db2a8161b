import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { hinted } from './hint/hinted.ts';

const SHOWN_MS = 1500;

/** Copies `value`, and says so. With `children` it is a button with words, otherwise an icon named by `label`. */
export function CopyButton({ value, label = 'Copy', children }: { value: string; label?: string; children?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    setState((await writeClipboard(value)) ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  const said = state === 'copied' ? 'Copied' : state === 'failed' ? 'Your browser did not allow copying' : label;
  const icon = state === 'copied' ? <Check size={14} /> : <Copy size={14} />;
  const live = <VisuallyHidden role="status">{state === 'idle' ? '' : said}</VisuallyHidden>;
  if (children !== undefined) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy()}>
        {state === 'copied' ? 'Copied' : children}
        {live}
      </Button>
    );
  }
  return (
    <ActionIcon {...hinted(said)} variant="subtle" size={26} aria-label={label} onClick={() => void copy()}>
      {icon}
      {live}
    </ActionIcon>
  );
}

/** Browsers offer the clipboard on https and localhost only; elsewhere the old way through a selection works. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
