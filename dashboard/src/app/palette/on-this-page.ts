import { MousePointerClick } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import type { Command } from './command.ts';

/** An action of the page behind the palette. Choosing it presses the button itself. */
interface ActionHere extends Command {
  button: HTMLElement;
  /** Of one row among several. */
  isOfRow: boolean;
}

/**
 * The `ActionButton`s in sight, read from the page itself: no action is described a second time, and its dialog, its
 * reason and the return of the focus are those of the button. There are none while a dialog covers the page.
 */
export function useOnThisPage(isOpen: boolean): readonly ActionHere[] {
  const [actions, setActions] = useState<readonly ActionHere[]>([]);
  useLayoutEffect(() => {
    const content = document.getElementById('content');
    if (!isOpen || content === null) return undefined;
    const look = () => setActions(isCovered() ? [] : actionsIn(content));
    look();
    const changes = new MutationObserver(look);
    changes.observe(content, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-disabled', 'aria-label', 'data-loading'],
    });
    return () => changes.disconnect();
  }, [isOpen]);
  return actions;
}

/** By another dialog than the palette, or by the navigation of a phone. */
function isCovered(): boolean {
  const dialogs = [...document.querySelectorAll('[aria-modal=true]')];
  return dialogs.some((dialog) => dialog.querySelector('.mantine-Spotlight-search') === null);
}

function actionsIn(content: HTMLElement): readonly ActionHere[] {
  const seen = new Map<string, number>();
  return [...content.querySelectorAll<HTMLElement>('[data-page-action]')]
    .filter((button) => button.checkVisibility())
    .map((button) => {
      const label = (button.ariaLabel ?? button.textContent).trim();
      const before = seen.get(label) ?? 0;
      seen.set(label, before + 1);
      const part = button.closest('section')?.querySelector('h2')?.textContent;
      return {
        // By its name and not by its place: when another action goes away, Enter is not for the next one.
        id: `here-${label}-${before}`,
        label,
        group: part === undefined ? 'On this page' : `On this page · ${part}`,
        icon: MousePointerClick,
        button,
        isOfRow: button.closest('li, tr') !== null,
        disabledReason: reasonOf(button),
      };
    });
}

function reasonOf(button: HTMLElement): string | undefined {
  if (button.dataset['loading'] !== undefined) return 'It is being done.';
  if (button.ariaDisabled !== 'true') return undefined;
  return document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
}

/** As the person would: the focus is on the button, so that it returns there from the dialog. */
export function press(button: HTMLElement): void {
  if (!button.isConnected) return;
  button.focus();
  button.click();
}
