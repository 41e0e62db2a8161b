import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Parts of `ui` know no router and render plain links. This turns a click on a link of the dashboard into a navigation
 * without a reload, and loads the page behind it as soon as the pointer or the focus is on it. Links to what the server
 * shows itself have `target` or `rel="external"`.
 */
export function usePlainLinks(): void {
  const router = useRouter();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const path = pathOf(event);
      if (path === undefined || event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
      event.preventDefault();
      router.history.push(path);
    };
    const onApproach = (event: Event) => preload(router, pathOf(event));
    document.addEventListener('click', onClick);
    document.addEventListener('pointerover', onApproach, { passive: true });
    document.addEventListener('focusin', onApproach);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('pointerover', onApproach);
      document.removeEventListener('focusin', onApproach);
    };
  }, [router]);
}

const hasModifier = (event: MouseEvent): boolean => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

function pathOf({ target }: Event): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link === null || !link.hasAttribute('href') || link.target !== '' || link.hasAttribute('download'))
    return undefined;
  if (link.origin !== window.location.origin || link.relList.contains('external')) return undefined;
  // A jump inside of the page is the browser's.
  if (link.hash !== '' && link.pathname === window.location.pathname) return undefined;
  return `${link.pathname}${link.search}${link.hash}`;
}

let preloaded: string | undefined;

function preload(router: AnyRouter, path: string | undefined): void {
  if (path === undefined || path === preloaded) return;
  preloaded = path;
  const { pathname } = new URL(path, window.location.origin);
  void router.preloadRoute({ to: pathname }).catch(() => undefined); // The navigation itself shows what is wrong.
}
