/** A request as new users send it, and the whole of its answer: a row of the test and of docs/typical-mistakes.md. */
export interface Mistake {
  /** Says what is wrong, as a row of the document. */
  readonly what: string;
  readonly request: MistakenRequest;
  readonly answer: ExpectedAnswer;
}

export interface MistakenRequest {
  /** POST with a body, GET without, unless given. */
  readonly method?: string;
  /** `{newsletter}` and other names of `prepareRecords` stand for records that exist. */
  readonly url: string;
  /** JSON; a text is sent as it stands. */
  readonly body?: unknown;
  /** In place of `Authorization` with a key that may do everything; an empty text leaves a header out. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ExpectedAnswer {
  readonly status: number;
  /** Of a refused request; nothing may be stored then. */
  readonly name?: string;
  readonly message?: string;
  readonly param?: string;
  readonly details?: readonly string[];
  readonly warnings?: readonly string[];
  /** The header X-Unknown-Fields. */
  readonly unknown?: string;
}
