import pg from 'pg';
import { keepingPlans } from './kept-plans.ts';

/**
 * Runs the statements of a connection, each for so long, and ends the connection of one that has run out of time. The
 * caller only stops waiting: the connection would go back to the pool with the statement still on it, and every later
 * one would wait behind it until its own time is up. 0 is without end.
 *
 * The promise and the limit are ours and not the driver's. It assigns a function to a property of each statement, and
 * V8 puts a function that is written there into the old generation at once. Everything that can be reached from it
 * follows at the next scavenge: values, rows, and the requests that waited. It stays until the next collection of the
 * whole heap, and brings that about.
 */
export function boundedStatements(
  client: pg.ClientBase,
  limitMs: number,
): (text: string, values: unknown[]) => Promise<unknown> {
  const submit = client.query.bind(client);
  const abandon = (): void => {
    if (client instanceof pg.Client) client.end().catch(() => undefined); // it is of no use either way
  };
  return keepingPlans(
    (text, values, name) =>
      new Promise((resolve, reject) => {
        const giveUp = (): void => {
          reject(new Error('Query read timeout'));
          abandon();
        };
        const timer = limitMs === 0 ? undefined : setTimeout(giveUp, limitMs);
        const query = new pg.Query(text, values, (error, result) => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve(result);
        });
        // A name given in an object would have the driver copy the object, property by property.
        if (name !== undefined) Object.assign(query, { name });
        submit(query);
      }),
  );
}
