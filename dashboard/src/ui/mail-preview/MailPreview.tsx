/** Html of mail as a reader sees it, in a frame that runs nothing of it and asks no other server unless told to. */
import { Group, SegmentedControl, Switch } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { PreviewView } from '../../lib/use-preview-view.ts';
import type { LinkBadges } from './inert-html.ts';
import styles from './mail-preview.module.css';

interface Props {
  html: string;
  /** For screen readers: “Mail to ada@example.com”. */
  label: string;
  /** Kept by the page, in its address. */
  view: PreviewView;
  onViewChange(view: PreviewView): void;
  badges?: LinkBadges;
}

/** The library that reads html is a chunk of its own, which the first preview of a visit loads. */
const readHtml = () => import('./inert-html.ts');

/** The frame grows with its mail. It begins low: its document is never shorter than the frame itself. */
const HEIGHT_MIN = 96;
/** A mail may give itself any height. */
const HEIGHT_MAX = 20_000;

const WIDTHS = [
  { value: '320', label: 'Phone' },
  { value: '600', label: 'Desktop' },
  { value: 'full', label: 'Full' },
];

const PICTURES = [
  { value: 'none', label: 'No pictures' },
  { value: 'own', label: 'Own pictures' },
  { value: 'all', label: 'All' },
];

const FRAMES: Readonly<Record<PreviewView['pictures'], string>> = {
  none: '/frames/mail-without-pictures',
  own: '/frames/mail',
  all: '/frames/mail-with-pictures',
};

export function MailPreview({ html, label, view, onViewChange, badges }: Props) {
  const { width, dark, pictures } = view;
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(HEIGHT_MIN);
  useEffect(() => {
    let isShown = true;
    const show = async () => {
      const { inertHtml } = await readHtml();
      if (isShown) frame.current?.contentWindow?.postMessage({ html: inertHtml(html, { dark, badges }) }, '*'); // it has no origin
    };
    const hear = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data?.ready === true) void show();
      else if (typeof data?.height === 'number') setHeight(Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, data.height)));
    };
    window.addEventListener('message', hear);
    void show();
    return () => {
      isShown = false;
      window.removeEventListener('message', hear);
    };
  }, [html, dark, pictures, badges]);
  return (
    <section aria-label={label} className={styles['preview']}>
      <Group justify="space-between" gap="sm" className={styles['bar'] ?? ''}>
        <SegmentedControl
          size="xs"
          aria-label="Width"
          data={WIDTHS}
          value={width}
          onChange={(value) => onViewChange({ ...view, width: value as PreviewView['width'] })} // one of WIDTHS
        />
        <Group gap="md">
          <Switch
            size="xs"
            label="Dark"
            checked={dark}
            onChange={(event) => onViewChange({ ...view, dark: event.currentTarget.checked })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Pictures"
            data={PICTURES}
            value={pictures}
            onChange={(value) => onViewChange({ ...view, pictures: value as PreviewView['pictures'] })} // one of PICTURES
          />
        </Group>
      </Group>
      <div className={styles['desk']} data-dark={dark}>
        <iframe
          key={pictures}
          ref={frame}
          className={styles['frame']}
          data-width={width}
          style={{ height }}
          title={label}
          // Without leave to open windows, a link of the mail leads nowhere even if one is left.
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          src={FRAMES[pictures]}
        />
      </div>
    </section>
  );
}
