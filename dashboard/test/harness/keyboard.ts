import assert from 'node:assert/strict';
import { until } from '../../../server/test/harness/until.ts';
import type { Page } from './journey.ts';

/** The focus, as a person sees and hears it. */
interface Focus {
  /** As a screen reader says it: `button "Send now"`. */
  said: string;
  /** False: nothing on the page shows where the focus is. */
  isVisible: boolean;
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
      assert.ok(focus.isOnBody || focus.isVisible, `the focus cannot be seen on ${focus.said}`);
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
    await until(
      () => `the focus on ${String(said)} (it is on ${focus?.said}${focus?.isVisible === true ? '' : ', unseen'})`,
      async () => {
        focus = await this.focus();
        return isSaid(focus, said) && focus.isVisible ? true : undefined;
      },
    );
  }

  async focus(): Promise<Focus> {
    const seen = await this.#page.evaluate(seenFocus);
    if (seen.isOnBody) return { ...seen, said: 'the body' };
    // The element may be gone in the next moment: then nothing is said.
    const snapshot = await this.#page
      .locator(':focus')
      .first()
      .ariaSnapshot({ timeout: 1_000 })
      .catch(() => '');
    // YAML puts quotes around a name with a colon.
    return { ...seen, said: snapshot.split('\n', 1)[0]?.replace(/^- '?/, '').replace(/:$/, '') ?? '' };
  }
}

const isSaid = (focus: Focus, said: string | RegExp): boolean =>
  typeof said === 'string' ? focus.said.startsWith(said) : said.test(focus.said);

/** Runs in the page. The mark of a hidden input is drawn by what stands beside it or around it. */
function seenFocus(): { isVisible: boolean; isOnBody: boolean } {
  const element = document.activeElement;
  if (element === null || element === document.body) return { isVisible: false, isOnBody: true };
  const isMarked = (one: Element | null, part?: '::after'): boolean => {
    if (one === null) return false;
    const style = getComputedStyle(one, part);
    const { width, height } = one.getBoundingClientRect();
    const isDrawn = width >= 8 && height >= 8 && style.opacity !== '0' && style.visibility === 'visible';
    const hasOutline = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
    return isDrawn && (hasOutline || (part === undefined && style.boxShadow !== 'none'));
  };
  const isVisible =
    [
      element,
      element.nextElementSibling,
      element.parentElement,
      element.closest('[data-focus-frame], .mantine-PillsInput-input'),
    ].some((one) => isMarked(one)) ||
    // The link of a row is drawn as large as the row.
    isMarked(element, '::after') ||
    // A frame of mail shows its own focus, and the palette is one field and nothing else.
    element.matches('iframe, .mantine-Spotlight-search');
  return { isVisible, isOnBody: false };
}
