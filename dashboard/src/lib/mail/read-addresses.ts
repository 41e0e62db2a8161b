/**
 * Addresses out of pasted text: separated by commas, semicolons or white space, with or without names in front
 * (`Ada <ada@example.com>`). Each comes once. Whether one is valid is the server's to say.
 */
export function readAddresses(text: string): string[] {
  const found = text
    .split(/[\n,;]+/)
    .flatMap((part) => {
      const named = /<([^<>]*)>/.exec(part);
      return named === null ? part.split(/\s+/) : [named[1] ?? ''];
    })
    .map((address) => address.trim())
    .filter((address) => address !== '');
  return [...new Set(found)];
}
