/** The header section of a message as its fields, each with the bytes it stands in. */

export interface HeaderField {
  /** In lower case. */
  name: string;
  /** Unfolded, without the space around it. */
  value: string;
  /** As it stands in the message, with its line breaks. */
  text: string;
}

/**
 * Reads a header section whose last line is ended. null: a line of it is no field. A character stands for a byte
 * (latin1).
 */
export function readHeaderFields(section: string): HeaderField[] | null {
  const fields: HeaderField[] = [];
  for (const text of section.split(/(?<=\r\n)(?![ \t])/)) {
    const [, name, value] = /^([!-9;-~]+):([^]*)\r\n$/.exec(text) ?? [];
    if (name === undefined || value === undefined) return null;
    fields.push({
      name: name.toLowerCase(),
      value: value
        .replaceAll('\r\n', '')
        .replace(/^[ \t]+/, '')
        .trimEnd(),
      text,
    });
  }
  return fields;
}
