import { Button, FileButton, Modal, Progress, Skeleton, Text } from '@mantine/core';
import { ImagePlus, Images } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { shownAddress } from '../../lib/mail/own-picture.ts';
import { EmptyState } from '../EmptyState.tsx';
import { Notice } from '../Notice.tsx';
import { PICTURE_TYPES, type PictureStore, type StoredPicture } from '../../lib/files/picture-store.ts';
import classes from './pictures.module.css';

interface Props {
  opened: boolean;
  store: PictureStore;
  onChoose(picture: StoredPicture): void;
  onClose(): void;
}

/** Earlier pictures, newest first and page by page, and a way to upload another. */
export function PictureDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Pictures" size="xl" closeButtonProps={{ 'aria-label': 'Close' }}>
      {opened && <Library {...rest} />}
    </Modal>
  );
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : 'It failed.');

function Library({ store, onChoose }: Pick<Props, 'store' | 'onChoose'>) {
  const [pictures, setPictures] = useState<readonly StoredPicture[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const read = async (cursor: string | null) => {
    setReading(true);
    setFault(null);
    try {
      const page = await store.list(cursor);
      setPictures((shown) => [...(cursor === null ? [] : (shown ?? [])), ...page.pictures]);
      setNext(page.next);
    } catch (error) {
      setFault(sentenceOf(error));
    }
    setReading(false);
  };
  useEffect(() => {
    let isShown = true;
    store.list(null).then(
      (page) => {
        if (!isShown) return;
        setPictures(page.pictures);
        setNext(page.next);
      },
      (error: unknown) => isShown && setFault(sentenceOf(error)),
    );
    return () => {
      isShown = false;
    };
  }, [store]);
  return (
    <>
      <UploadBar store={store} onDone={onChoose} />
      {fault !== null && (
        <Notice
          tone="bad"
          action={
            <Button size="xs" variant="default" onClick={() => void read(pictures === null ? null : next)}>
              Try again
            </Button>
          }
        >
          {fault}
        </Notice>
      )}
      {pictures === null && fault === null && (
        <div className={classes['grid']} aria-busy="true">
          {[1, 2, 3, 4].map((one) => (
            <Skeleton key={one} height={128} radius="md" />
          ))}
        </div>
      )}
      {pictures?.length === 0 && (
        <EmptyState icon={<Images size={20} />} title="No pictures yet">
          Pictures that you upload or paste into an issue are kept here.
        </EmptyState>
      )}
      {pictures !== null && pictures.length > 0 && (
        <ul className={classes['grid']} aria-label="Earlier pictures">
          {pictures.map((picture) => (
            <li key={picture.src}>
              <button type="button" className={classes['picture']} onClick={() => onChoose(picture)}>
                <span className={classes['frame']}>
                  <img src={shownAddress(picture.src)} alt="" loading="lazy" />
                </span>
                <span className={classes['name']}>{picture.name}</span>
                {picture.width !== null && picture.height !== null && (
                  <span className={classes['size']}>
                    {picture.width} × {picture.height}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <Button mt="md" fullWidth variant="default" loading={isReading} onClick={() => void read(next)}>
          Show more
        </Button>
      )}
    </>
  );
}

/** A button for a file, its progress, and why it failed. */
export function UploadBar({
  store,
  onDone,
  label = 'Upload a picture',
}: {
  store: PictureStore;
  onDone(picture: StoredPicture): void;
  label?: string;
}) {
  const [share, setShare] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const control = useRef<AbortController>(null);
  useEffect(() => {
    return () => control.current?.abort();
  }, []);
  const upload = async (file: File | null) => {
    if (file === null) return;
    control.current = new AbortController();
    const { signal } = control.current;
    setFault(null);
    setShare(0);
    try {
      const picture = await store.upload(file, { onProgress: setShare, signal });
      if (!signal.aborted) onDone(picture);
    } catch (error) {
      if (!signal.aborted) setFault(`${file.name}: ${sentenceOf(error)}`);
    }
    setShare(null);
  };
  return (
    <div className={classes['bar']}>
      <FileButton accept={PICTURE_TYPES} onChange={(file) => void upload(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="xs"
            loading={share !== null}
            leftSection={<ImagePlus size={14} aria-hidden />}
          >
            {label}
          </Button>
        )}
      </FileButton>
      {share !== null && <Progress className={classes['progress'] ?? ''} value={share * 100} aria-label="Upload" />}
      {fault !== null && (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
    </div>
  );
}
