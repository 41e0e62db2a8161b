import { useUrlState } from './use-url-state.ts';

export interface PreviewView {
  width: '320' | '600' | 'full';
  dark: boolean;
  /** Of this server alone, or none, or also of other servers, which learn that the mail is being read. */
  pictures: 'own' | 'all' | 'none';
}

export const DEFAULT_VIEW: PreviewView = { width: '600', dark: false, pictures: 'own' };

/** How a mail is looked at (`ui/mail-preview`), in the address: `?width=320&scheme=dark&pictures=all`. */
export function usePreviewView(): [PreviewView, (view: PreviewView) => void] {
  const [{ width, scheme, pictures }, setUrl] = useUrlState(['width', 'scheme', 'pictures']);
  const view: PreviewView = {
    width: width === '320' || width === 'full' ? width : DEFAULT_VIEW.width,
    dark: scheme === 'dark',
    pictures: pictures === 'all' || pictures === 'none' ? pictures : DEFAULT_VIEW.pictures,
  };
  const setView = (next: PreviewView) =>
    setUrl({
      width: next.width === DEFAULT_VIEW.width ? undefined : next.width,
      scheme: next.dark ? 'dark' : undefined,
      pictures: next.pictures === DEFAULT_VIEW.pictures ? undefined : next.pictures,
    });
  return [view, setView];
}
