/** The embedded PostgreSQL cannot run here. `message` is written for the person at the terminal and says what to do. */
export class PostgresStartError extends Error {
  override readonly name: string = 'PostgresStartError';
}

/** A live Posthorn process owns the data directory; it may be gone a moment later. */
export class DataDirInUse extends PostgresStartError {
  override readonly name = 'DataDirInUse';
}
