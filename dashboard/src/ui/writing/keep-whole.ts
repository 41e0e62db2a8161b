import {
  deletedAt,
  fallbackAt,
  type Selected,
  type Span,
  spanAround,
  wholeEdit,
  wholeSelection,
} from './whole-variables.ts';

/**
 * Keeps the variables in a line whole while a person edits it, by keys, pointer, paste, drop or an input method.
 * Before an edit the selection is made whole, and the browser edits, so it can undo. An edit that has cut a variable
 * nevertheless (a drop, or a keyboard of a phone that asks nobody) is corrected. F2 and a double click open a variable
 * at its fallback, until the caret leaves it. Gives back what ends it.
 */
export function keepWhole(element: HTMLInputElement): () => void {
  const line = new WholeLine(element);
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const on = (target: EventTarget, names: readonly string[], take: (event: Event) => void) => {
    for (const name of names) target.addEventListener(name, take, options);
  };
  // A script that sets the text may tell so with a plain Event: it is no edit of a person.
  const ofPerson = (take: (event: InputEvent) => void) => (event: Event) =>
    event instanceof InputEvent && !event.isComposing && take(event);
  on(
    element,
    ['beforeinput'],
    ofPerson((event) => line.prepare(event)),
  );
  on(
    element,
    ['input'],
    ofPerson(() => line.settle()),
  );
  on(element, ['compositionstart'], () => line.remember());
  on(element, ['compositionend'], () => line.settle() && element.dispatchEvent(new Event('input', { bubbles: true })));
  on(element, ['pointerdown'], () => line.press());
  on(window, ['pointerup', 'pointercancel', 'dragend'], () => line.release());
  // The browser tells of a selection a moment later, and what comes next must find it whole.
  on(element, ['copy', 'cut'], () => line.snap());
  on(element, ['keydown'], (event) => {
    line.key();
    if (event instanceof KeyboardEvent && event.key === 'F2' && line.open()) event.preventDefault();
  });
  on(element, ['dblclick'], () => line.open());
  on(element.ownerDocument, ['selectionchange'], () => line.snap());
  return () => ended.abort();
}

class WholeLine {
  #last: Selected = { anchor: 0, focus: 0 };
  #byPointer = false;
  #isPressed = false;
  /** The selection is inside a variable that is being written: it was opened, or became complete around the caret. */
  #isOpen = false;
  /** The text before the edit, and what it replaces; null: the edit may do what it wants. */
  #before: { text: string; selected: Span } | null = null;
  readonly #element: HTMLInputElement;

  constructor(element: HTMLInputElement) {
    this.#element = element;
  }

  key(): void {
    this.snap();
    this.#byPointer = false;
  }

  press(): void {
    this.#byPointer = true;
    this.#isPressed = true;
  }

  release(): void {
    if (!this.#isPressed) return;
    this.#isPressed = false;
    this.snap();
  }

  /** Makes the selection whole; not while a pointer still draws it. */
  snap(): void {
    const element = this.#element;
    if (this.#isPressed || element.ownerDocument.activeElement !== element) return;
    const now = selectionOf(element);
    this.#isOpen &&= isInsideOne(element);
    this.#last = this.#isOpen ? now : wholeSelection(element.value, now, this.#last, this.#byPointer);
    if (this.#last.anchor !== now.anchor || this.#last.focus !== now.focus) select(element, this.#last);
  }

  /** Selects the fallback of the variable at the selection, so that it can be typed over; false: there is none. */
  open(): boolean {
    const element = this.#element;
    const found = element.readOnly ? undefined : fallbackAt(element.value, spanOf(selectionOf(element)));
    if (found === undefined) return false;
    const { whole, text, fallback } = found;
    const added = text.length - (whole.to - whole.from);
    if (added > 0) {
      if (element.maxLength >= 0 && element.value.length + added > element.maxLength) return false;
      element.setSelectionRange(whole.from, whole.to);
      // As in `prepare`: Ctrl+Z takes it back.
      element.ownerDocument.execCommand('insertText', false, text);
    }
    element.setSelectionRange(fallback.from, fallback.to);
    this.#isOpen = true;
    this.snap();
    return true;
  }

  remember(): void {
    this.#before = { text: this.#element.value, selected: spanOf(selectionOf(this.#element)) };
  }

  /** Before an edit. */
  prepare(event: InputEvent): void {
    const element = this.#element;
    this.#isPressed = false;
    this.#before = null;
    // A step back leads to a text that was whole.
    if (event.inputType.startsWith('history')) return;
    // A drop goes where the pointer is, and the selection is that or another place.
    if (event.inputType !== 'insertFromDrop') this.snap();
    this.remember();
    const { anchor, focus } = selectionOf(element);
    const span = anchor === focus && !this.#isOpen ? deletedAt(element.value, focus, event.inputType) : undefined;
    if (span === undefined) return;
    event.preventDefault();
    element.setSelectionRange(span.from, span.to);
    // Old, but the only deletion by a script that Ctrl+Z takes back.
    element.ownerDocument.execCommand('delete');
  }

  /** After an edit; true: it was corrected. */
  settle(): boolean {
    const element = this.#element;
    const before = this.#isOpen ? null : this.#before;
    const fixed = before === null ? undefined : wholeEdit(before.text, element.value, before.selected);
    this.#before = null;
    // `setRangeText` and not `value`: React remembers what is given to `value` and would see no change.
    if (fixed !== undefined) {
      element.setRangeText(fixed.text, 0, element.value.length);
      element.setSelectionRange(fixed.caret, fixed.caret);
    }
    this.#last = selectionOf(element);
    this.#isOpen = isInsideOne(element);
    return fixed !== undefined;
  }
}

function isInsideOne(element: HTMLInputElement): boolean {
  const { anchor, focus } = selectionOf(element);
  const span = spanAround(element.value, anchor);
  return span !== undefined && span.from < focus && focus < span.to;
}

function selectionOf({ selectionStart, selectionEnd, selectionDirection }: HTMLInputElement): Selected {
  const from = selectionStart ?? 0;
  const to = selectionEnd ?? from;
  return selectionDirection === 'backward' ? { anchor: to, focus: from } : { anchor: from, focus: to };
}

function select(element: HTMLInputElement, { anchor, focus }: Selected): void {
  const { from, to } = spanOf({ anchor, focus });
  element.setSelectionRange(from, to, focus < anchor ? 'backward' : 'forward');
}

const spanOf = ({ anchor, focus }: Selected): Span => ({ from: Math.min(anchor, focus), to: Math.max(anchor, focus) });
