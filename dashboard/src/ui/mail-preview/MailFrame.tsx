import { useEffect, useRef, useState } from 'react';
import type { PreviewView } from '../../lib/use-preview-view.ts';
import type { LinkBadges } from './inert-html.ts';
import styles from './mail-preview.module.css';

interface Props {
  html: string;
  /** For screen readers. */
  label: string;
  view: PreviewView;
  badges?: LinkBadges | undefined;
  /** A part of its size: 0.6. */
  scale?: number;
}

/** The library that reads html is a chunk of its own, which the first preview of a visit loads. */
const readHtml = () => import('./inert-html.ts');

/** The frame grows with its mail. It begins low: its document is never shorter than the frame itself. */
const HEIGHT_MIN = 96;
/** A mail may give itself any height. */
const HEIGHT_MAX = 20_000;

const FRAMES: Readonly<Record<PreviewView['pictures'], string>> = {
  none: '/frames/mail-without-pictures',
  own: '/frames/mail',
  all: '/frames/mail-with-pictures',
};

/** Html of mail as a reader sees it, in a frame that runs nothing of it and asks no other server unless told to. */
export function MailFrame({ html, label, view: { width, dark, pictures }, badges, scale = 1 }: Props) {
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
    <iframe
      key={pictures}
      ref={frame}
      className={styles['frame']}
      data-width={width}
      style={{ height, ...(scale < 1 && scaled(scale, height)) }}
      title={label}
      // Without leave to open windows, a link of the mail leads nowhere even if one is left.
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      src={FRAMES[pictures]}
    />
  );
}

/** A transform leaves the place as it was: the margin takes back what is not drawn. */
const scaled = (scale: number, height: number) => ({
  width: `${100 / scale}%`,
  marginBottom: height * (scale - 1),
  transform: `scale(${scale})`,
  transformOrigin: '0 0',
});
