import { type Html, html } from '../html/html.ts';
import { isolated } from './layout.ts';

/**
 * A text with its placeholders filled with what somebody typed: escaped, and with a direction of writing of its own.
 */
export const sayHtml = (text: string, values: Readonly<Record<string, string>>): Html =>
  html`${text.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name !== undefined && Object.hasOwn(values, name) ? isolated(values[name] ?? '') : part;
  })}`;
