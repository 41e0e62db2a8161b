export interface ObjectName {
  region: string;
  bucket: string;
  key: string;
}

/** The store in which a service has put messages. */
export interface ReceivedObjects {
  /**
   * The whole object, or only its size when that is above `bytesMax`. It ends within a minute, and rejects when there
   * is no answer, no such object, or no permission.
   */
  fetch(name: ObjectName, bytesMax: number): Promise<{ bytes: Buffer } | { tooLarge: number }>;
  /** Ends the calls that are under way. It may be called again afterwards. */
  close(): void;
}
