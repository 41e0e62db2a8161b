/** To spread into the description of a text that names a host. */
export const HOST_NAME = {
  pattern: /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i,
  expects: 'a host name',
} as const;
