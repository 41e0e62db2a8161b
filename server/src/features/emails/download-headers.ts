/** The headers of a download: a browser shows nothing of it, whatever type its sender gave. */
export const downloadHeaders = (filename: string): Record<string, string> => ({
  'content-disposition': `attachment; filename*=UTF-8''${encoded(filename)}`,
  'cache-control': 'private, no-store',
});

/** The value of an extended parameter (RFC 8187), which has fewer characters than a part of a URL. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
