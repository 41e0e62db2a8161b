import { useEffect } from 'react';

/**
 * Keeps the page as wide as it is while a dialog has taken the scroll bar away (`ui/base.css`). The part that locks the
 * page does not see the gutter of a page that is too short to scroll. An observer is called when the sizes are known
 * anyway, so nothing is measured twice.
 */
export function useKeptGutter(): void {
  useEffect(() => {
    const { body, documentElement: html } = document;
    let kept = 0;
    const observer = new ResizeObserver(() => {
      if (body.hasAttribute('data-scroll-locked')) return;
      const gutter = window.innerWidth - body.offsetWidth;
      if (gutter === kept) return;
      kept = gutter;
      html.style.setProperty('--ph-gutter', `${gutter}px`);
    });
    observer.observe(body);
    return () => observer.disconnect();
  }, []);
}
