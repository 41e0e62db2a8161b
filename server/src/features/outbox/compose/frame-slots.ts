import { escapeHtml } from '#platform/html/html.ts';
import type { Frame } from './personal-content.ts';

/** The places of a frame: what stands there is one of the recipient's variables. */
export const SLOTS = ['unsubscribe_url', 'preferences_url', 'preheader'] as const;
export type SlotValues = Readonly<Partial<Record<(typeof SLOTS)[number], string>>>;

const SLOT = new RegExp(`\\{\\{ (${SLOTS.join('|')}) \\}\\}`, 'g');

/** Reads the variables of one recipient that stand in the frame. An email without a way out does not leave. */
export function createSlotReader({ html, text }: Frame): (variables: Readonly<Record<string, unknown>>) => SlotValues {
  const texts = [html.before, html.after, html.preheader, html.footer, text.after].join('\n');
  const names = SLOTS.filter((name) => texts.includes(`{{ ${name} }}`));
  return (variables) => {
    const values: Partial<Record<(typeof SLOTS)[number], string>> = {};
    for (const name of names) {
      const value = variables[name];
      if (typeof value !== 'string') throw new Error(`a recipient came without ${name}`);
      values[name] = value;
    }
    return values;
  };
}

/** The frame is filled before it goes around the html: what the html happens to hold is not touched. */
export function filledFrame({ html, text }: Frame, values: SlotValues): Frame {
  const fill = (part: string): string => fillSlots(part, values, escapeHtml);
  return {
    html: {
      before: fill(html.before),
      after: fill(html.after),
      preheader: fill(html.preheader),
      footer: fill(html.footer),
    },
    text: { after: fillSlots(text.after, values, (value) => value) },
  };
}

const fillSlots = (text: string, values: SlotValues, as: (value: string) => string): string =>
  text.replace(SLOT, (_, name: keyof SlotValues) => as(values[name] ?? ''));
