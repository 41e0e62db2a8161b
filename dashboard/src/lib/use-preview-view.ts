import { useUrlState } from './use-url-state.ts';

export interface PreviewView {
  width: '320' | '600' | 'full';
  dark: boolean;
  /** Pictures of other servers are loaded, which tells these that the mail is being read. */
  pictures: boolean;
}

export const DEFAULT_VIEW: PreviewView = { width: '600', dark: false, pictures: false };

/** How a mail is looked at (`ui/mail-preview`), in the address: `?width=320&scheme=dark&pictures=1`. */
export function usePreviewView(): [PreviewView, (view: PreviewView) => void] {
  const [{ width, scheme, pictures }, setUrl] = useUrlState(['width', 'scheme', 'pictures']);
  const view: PreviewView = {
    width: width === '320' || width === 'full' ? width : DEFAULT_VIEW.width,
    dark: scheme === 'dark',
    pictures: pictures === '1',
  };
  const setView = (next: PreviewView) =>
    setUrl({
      width: next.width === DEFAULT_VIEW.width ? undefined : next.width,
      scheme: next.dark ? 'dark' : undefined,
      pictures: next.pictures ? '1' : undefined,
    });
  return [view, setView];
}
