/** The embedded PostgreSQL cannot run here. `message` is written for the person at the terminal and says what to do. */
export class PostgresStartError extends Error {
  override readonly name = 'PostgresStartError';
}
