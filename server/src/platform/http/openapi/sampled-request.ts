/** The example of an operation, as a program sends it. */
export interface SampledRequest {
  method: string;
  url: string;
  /** The variable of the shell that holds the credential. */
  credential: string | undefined;
  contentType: string | undefined;
  body: unknown;
  /** The name of a file that is the body. */
  file: string | undefined;
  isJson: boolean;
}

export const textOfBody = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));
