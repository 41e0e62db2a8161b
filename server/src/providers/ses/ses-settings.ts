/** How mail reaches Amazon SES. Credentials are not among it: the chain of the AWS SDK finds them. */
export interface SesSettings {
  region: string;
  /** null: events come only if the identity has a default configuration set. */
  configurationSet: string | null;
  /** The most requests at once. */
  connections: number;
  /** Another address of the API, for emulators; null: that of the region. */
  endpoint: string | null;
}
