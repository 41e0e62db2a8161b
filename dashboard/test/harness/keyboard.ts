import assert from 'node:assert/strict';
import { until } from '../../../server/test/harness/until.ts';
import type { Page } from './journey.ts';

/** The focus, as a person hears it. */
interface Focus {
  /** As a screen reader says it: `button "Send now"`. */
  said: string;
  isOnBody: boolean;
}

const STOPS_MAX = 90;

/**
 * A person without a mouse. Every move fails when the focus is lost (on the body) or cannot be seen, so that a test
 * which reaches its end has proved both at each stop.
 */
export class Keyboard {
  readonly #page: Page;
  /** Each stop of the last `tabTo`, for the message of a failure. */
  #stops: string[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Types into the field that has the focus, in place of what it holds. */
  async replace(text: string): Promise<void> {
    await this.press('Control+a');
    await this.type(text);
  }

  /** Presses Tab (or Shift+Tab) until the focus is on what is `said`. */
  async tabTo(said: string | RegExp, { back = false }: { back?: boolean } = {}): Promise<void> {
    this.#stops = [];
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      await this.press(back ? 'Shift+Tab' : 'Tab');
      const focus = await this.focus();
      this.#stops.push(focus.said);
      // Behind the last stop is the browser itself, and then the page again.
      assert.ok(focus.isOnBody || (await this.#isSeen()), `the focus cannot be seen on ${focus.said}`);
      if (isSaid(focus, said)) return;
    }
    assert.fail(`Tab does not lead to ${String(said)}, but to:\n${this.#stops.join('\n')}`);
  }

  /** Opens the list of the field that has the focus, goes down to an option, and takes it. */
  async choose(option: string): Promise<void> {
    await this.press('Enter');
    const wanted = this.#page.getByRole('option', { name: option, exact: true });
    await wanted.waitFor();
    for (let down = 0; (await wanted.getAttribute('data-combobox-selected')) === null; down += 1) {
      assert.ok(down < STOPS_MAX, `ArrowDown does not lead to the option ${option}`);
      await this.press('ArrowDown');
    }
    await this.press('Enter');
    await wanted.waitFor({ state: 'hidden' });
  }

  /** Waits until the focus is on what is `said`, and can be seen: after a page or a dialog has opened or closed. */
  async isOn(said: string | RegExp): Promise<void> {
    let focus: Focus | undefined;
    let isSeen = false;
    await until(
      () => `the focus on ${String(said)} (it is on ${focus?.said}${isSeen ? '' : ', unseen'})`,
      async () => {
        focus = await this.focus();
        isSeen = isSaid(focus, said) && (await this.#isSeen());
        return isSeen ? true : undefined;
      },
    );
  }

  async focus(): Promise<Focus> {
    const isOnBody = await this.#page.evaluate(
      () => document.activeElement === null || document.activeElement === document.body,
    );
    if (isOnBody) return { isOnBody, said: 'the body' };
    // The element may be gone in the next moment: then nothing is said.
    const snapshot = await this.#page
      .locator(':focus')
      .first()
      .ariaSnapshot({ timeout: 1_000 })
      .catch(() => '');
    // YAML puts quotes around a name with a colon.
    return { isOnBody, said: snapshot.split('\n', 1)[0]?.replace(/^- '?/, '').replace(/:$/, '') ?? '' };
  }

  #isSeen = (): Promise<boolean> => this.#page.evaluate(isFocusSeen);
}

const isSaid = (focus: Focus, said: string | RegExp): boolean =>
  typeof said === 'string' ? focus.said.startsWith(said) : said.test(focus.said);

/**
 * Runs in the page. The focus is seen when the element looks different without it: its outline, its border, its shadow,
 * or those of what stands around or beside it, which draw the focus of a hidden input and of a field with buttons.
 */
function isFocusSeen(): boolean {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return false;
  // A frame of mail shows its own focus, and the palette is one field and nothing else.
  if (element.matches('iframe, .mantine-Spotlight-search')) return true;
  // Tab goes through the parts of a date in one field, and a field that has the focus anew begins with the first.
  const dates = window as { judgedDate?: Element }; // what this function keeps in the page between two stops
  if (element === dates.judgedDate) return true;
  if (element.matches('input[type=datetime-local], input[type=date], input[type=time]')) dates.judgedDate = element;
  const parents = [1, 2, 3].reduce<Element[]>((all) => [...all, all.at(-1)?.parentElement ?? element], [element]);
  const others = [element.nextElementSibling, element.closest('[data-focus-frame]')];
  const places = [...parents, ...others].filter((one) => one !== null);
  /** The marks that are drawn; empty for a part that nobody can see. */
  const marks = () =>
    places.map((one) => {
      const { width, height } = one.getBoundingClientRect();
      // The link of a row is drawn as large as the row.
      return [undefined, '::after'].map((part) => {
        const style = getComputedStyle(one, part);
        const isDrawn = width >= 8 && height >= 8 && style.opacity !== '0' && style.visibility === 'visible';
        const lines = [
          [style.outlineStyle, style.outlineWidth, style.outlineColor],
          [style.borderTopStyle, style.borderTopWidth, style.borderTopColor],
        ].filter(([line, thickness = '', colour = '']) => {
          return line !== 'none' && Number.parseFloat(thickness) >= 1 && !/, 0\)$|transparent/.test(colour);
        });
        return isDrawn ? [...lines.map(String), style.boxShadow].filter((mark) => mark !== 'none') : [];
      });
    });
  // Nothing in the page hears of the moment without the focus, so no menu closes and no field is checked.
  const silence = (event: Event) => event.stopImmediatePropagation();
  const names = ['focus', 'blur', 'focusin', 'focusout', 'change'];
  for (const name of names) window.addEventListener(name, silence, true);
  const selection = element.isContentEditable ? getSelection() : null;
  const range = selection?.rangeCount === 1 ? selection.getRangeAt(0).cloneRange() : undefined;
  const focused = marks();
  element.blur();
  const without = marks();
  element.focus({ preventScroll: true });
  if (range !== undefined) selection?.removeAllRanges();
  if (range !== undefined) selection?.addRange(range);
  for (const name of names) window.removeEventListener(name, silence, true);
  return focused.some((parts, at) =>
    parts.some((own, part) => own.some((mark) => without[at]?.[part]?.includes(mark) !== true)),
  );
}
