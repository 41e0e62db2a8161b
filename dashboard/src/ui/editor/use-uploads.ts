import type { Editor } from '@tiptap/core';
import { useEffect, useRef, useState } from 'react';
import type { StoredPicture, UploadPicture } from '../../lib/files/picture-store.ts';
import { placeOfBlocks } from './nodes/table.ts';

export interface Upload {
  id: number;
  name: string;
  share: number;
  fault: string | null;
  stop(): void;
}

interface Place {
  pos: number;
}

let last = 0;

/** Uploads in progress. A picture comes to stand where it was dropped, however the text has moved meanwhile. */
export function useUploads(editor: Editor | null, onUploadPicture: UploadPicture) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const places = useRef(new Set<Place>());
  const running = useRef(new Set<AbortController>());
  useEffect(() => {
    const map = ({ transaction }: { transaction: { mapping: { map(pos: number): number } } }) => {
      for (const place of places.current) place.pos = transaction.mapping.map(place.pos);
    };
    editor?.on('transaction', map);
    return () => void editor?.off('transaction', map);
  }, [editor]);
  useEffect(() => {
    const all = running.current;
    return () => all.forEach((one) => one.abort());
  }, []);

  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((now) => now.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const remove = (id: number) => setUploads((now) => now.filter((one) => one.id !== id));

  /** `held`: the picture stands in the text under this address. */
  async function start(file: File, place: Place, held?: string): Promise<void> {
    last += 1;
    const id = last;
    const control = new AbortController();
    const drop = () => {
      if (held !== undefined && editor !== null && !editor.isDestroyed) replacePicture(editor, held, null);
    };
    const stop = () => {
      control.abort();
      drop();
      remove(id);
    };
    setUploads((now) => [...now, { id, name: file.name, share: 0, fault: null, stop }]);
    places.current.add(place);
    running.current.add(control);
    try {
      const picture = await onUploadPicture(file, {
        onProgress: (share) => change(id, { share }),
        signal: control.signal,
      });
      if (control.signal.aborted || editor === null || editor.isDestroyed) return;
      if (held === undefined) insertPicture(editor, place.pos, picture);
      else replacePicture(editor, held, picture);
      remove(id);
    } catch (error) {
      drop();
      if (!control.signal.aborted) change(id, { fault: error instanceof Error ? error.message : 'The upload failed.' });
    } finally {
      places.current.delete(place);
      running.current.delete(control);
    }
  }

  return {
    uploads,
    upload: (files: readonly File[], pos: number) => files.forEach((file) => void start(file, { pos })),
    fill: (held: ReadonlyMap<string, File>) => held.forEach((file, address) => void start(file, { pos: 0 }, address)),
  };
}

/** Wider ones take all the room that there is. */
const ROOM_PX = 552;

const sizeOf = ({ width, height }: StoredPicture) => ({
  width: width === null || width > ROOM_PX ? null : width,
  ratio: width === null || height === null ? null : height / width,
});

export function insertPicture(editor: Editor, pos: number, picture: StoredPicture): void {
  const { src } = picture;
  const attrs = { src, alt: '', ...sizeOf(picture), decorative: false, href: '', align: 'left' };
  const place = placeOfBlocks(editor.state.doc, Math.min(pos, editor.state.doc.content.size));
  editor.chain().insertContentAt(place, { type: 'picture', attrs }).run();
  let at = -1;
  editor.state.doc.descendants((node, found) => {
    if (node.type.name === 'picture' && node.attrs['src'] === src && found >= place - 2 && at === -1) at = found;
  });
  // Selected, so that its alternative text is asked for.
  if (at !== -1) editor.chain().focus().setNodeSelection(at).run();
}

/**
 * Puts a picture in the place of those with this address; null: they are taken out. Undo takes it out with what it was
 * pasted with. False: there is none (any more).
 */
export function replacePicture(editor: Editor, src: string, picture: StoredPicture | null): boolean {
  const { tr, doc } = editor.state;
  doc.descendants((node, pos) => {
    if (node.type.name !== 'picture' || node.attrs['src'] !== src) return;
    const at = tr.mapping.map(pos);
    if (picture === null) tr.delete(at, at + node.nodeSize);
    else {
      const own = sizeOf(picture);
      const width = node.attrs['width'] ?? own.width;
      tr.setNodeMarkup(at, undefined, { ...node.attrs, src: picture.src, width, ratio: own.ratio });
    }
  });
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false));
  return tr.docChanged;
}
