import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { useRef, useState } from 'react';
import type { PictureStore } from '../../lib/files/picture-store.ts';
import { isOfAnotherServer } from '../../lib/mail/own-picture.ts';
import { replacePicture } from './use-uploads.ts';

export interface Copies {
  /** The addresses of the pictures of other servers in the text, each once. */
  remote: readonly string[];
  /** The address that is being copied. */
  copying: string | undefined;
  /** Sentences for people, by the address that could not be copied. */
  faults: ReadonlyMap<string, string>;
  /**
   * Copies these pictures, one after another, and puts ours in their places. Resolves to the number of those that are
   * in the text now. While others are being copied it does nothing.
   */
  copy(addresses: readonly string[]): Promise<number>;
}

/** Pictures of other servers, copied to this one. One that fails stays as it is. */
export function useCopies(editor: Editor, store: PictureStore): Copies {
  const [copying, setCopying] = useState<string>();
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const isRunning = useRef(false);
  const remote = useEditorState({ editor, selector: ({ editor: now }) => remoteIn(now) });

  async function copy(addresses: readonly string[]): Promise<number> {
    if (isRunning.current) return 0;
    isRunning.current = true;
    let done = 0;
    const failed = new Map(faults);
    for (const address of addresses) {
      setCopying(address);
      failed.delete(address);
      try {
        const picture = await store.copy(address);
        if (editor.isDestroyed) break;
        if (replacePicture(editor, address, picture)) done += 1;
      } catch (error) {
        failed.set(address, error instanceof Error ? error.message : 'It could not be copied.');
      }
      setFaults(new Map(failed));
    }
    isRunning.current = false;
    setCopying(undefined);
    return done;
  }

  return { remote, copying, faults, copy };
}

function remoteIn(editor: Editor): string[] {
  const found = new Set<string>();
  editor.state.doc.descendants(({ type, attrs }) => {
    const src = String(attrs['src'] ?? '');
    if (type.name === 'picture' && isOfAnotherServer(src)) found.add(src);
  });
  return [...found];
}
