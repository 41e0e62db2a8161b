import { useEffect } from 'react';

/** Dialogs and new pages move the focus themselves within this time. */
const PATIENCE_MS = 80;
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/**
 * The focus of a person without a mouse is never lost. A browser moves it to the body when the element that has it is
 * removed or disabled. The focus then goes back to that element, or to what has taken its place, or else to the title
 * of the page. A button that waits for an answer keeps it (`ui/WaitingButton`).
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let around: HTMLElement[] = [];
    /** Of the row among its rows. */
    let index = -1;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (last === null || document.activeElement !== document.body) return;
      if (last.isConnected && last.matches(':disabled')) return; // it comes back, which is a change to look at
      const next = last.isConnected ? last : successorOf(around, index);
      next?.focus({ preventScroll: true });
    };
    const onFocus = ({ target }: FocusEvent) => {
      last = target instanceof HTMLElement ? target : null;
      around = ancestorsOf(last);
      index = last?.closest('tr')?.sectionRowIndex ?? -1;
    };
    // A click beside everything takes the focus away on purpose.
    const onPointer = () => {
      last = null;
    };
    const changes = new MutationObserver(() => {
      if (last === null || document.activeElement !== document.body) return;
      clearTimeout(timer);
      timer = setTimeout(look, PATIENCE_MS);
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPointer, { capture: true, passive: true });
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPointer, { capture: true });
    };
  }, []);
}

function ancestorsOf(element: HTMLElement | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let at = element?.parentElement ?? null; at !== null && at.tagName !== 'MAIN'; at = at.parentElement) {
    found.push(at);
  }
  return found;
}

/** The row that has taken the place, the first thing to use in what is left around it, or the title of the page. */
function successorOf(around: readonly HTMLElement[], index: number): HTMLElement | null {
  const left = around.find((one) => one.isConnected && one.closest('main, [role=dialog]') !== null);
  // The next step of a dialog: what is behind it is not for the person now.
  if (left?.closest('[role=dialog]')) return left.querySelector('[data-autofocus]') ?? left.querySelector(FOCUSABLE);
  // Not to a button of the row: Enter, pressed again, would act on another record.
  const links = left?.querySelectorAll<HTMLElement>(':scope > tr [data-row-link]') ?? [];
  const link = links[Math.min(index, links.length - 1)];
  if (link !== undefined) return link;
  const near = left?.closest<HTMLElement>('li, section, form, tr, [role=tabpanel]');
  return near?.querySelector<HTMLElement>(FOCUSABLE) ?? document.querySelector<HTMLElement>('[data-page-title]');
}
