/**
 * A text with its placeholders filled, plain: escape it where it goes into HTML (the `html` template does). A
 * placeholder that has no value stays as it is. Inserted values are not looked at again.
 */
export const say = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );

/** How long, in words of the language: "5 minutes", "1 Stunde". Never less than a minute. */
export function sayDuration(language: string, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [amount, unit] = minutes < 90 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}
