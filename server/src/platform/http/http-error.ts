import { AppError } from '../errors/app-error.ts';

/** A failure of the request itself that no error name but request_error fits. */
export class HttpError extends AppError {
  readonly status: number;

  constructor(status: number, message: string) {
    super('request_error', message);
    this.status = status;
  }
}
