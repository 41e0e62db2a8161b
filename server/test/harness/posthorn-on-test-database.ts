import { createTestDatabase } from './database.ts';
import { type PosthornProcess, type ProcessOptions, startProcess } from './posthorn-process.ts';

/**
 * A process on its first start, on a database of the test server. An embedded PostgreSQL of its own costs three seconds
 * of processor time: only the tests about it start one. The database goes when the process is stopped.
 */
export async function startOnTestDatabase(options: Omit<ProcessOptions, 'databaseUrl'> = {}): Promise<PosthornProcess> {
  const database = await createTestDatabase({ poolMax: 1 });
  try {
    const posthorn = await startProcess({ ...options, databaseUrl: database.url });
    return {
      ...posthorn,
      async stop() {
        const ended = await posthorn.stop();
        await database.close();
        return ended;
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
