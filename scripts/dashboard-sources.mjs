// `npm run dev`: Vite serves the dashboard from its sources and reloads what changes. It passes requests to the API on.
import { spawn } from 'node:child_process';
import { VITE } from './dashboard.mjs';
import { DASHBOARD, hasDashboard } from './install.mjs';

const PORT = 5173;

/** The settings of a Posthorn beside it, and how to end it. */
export async function serveSources(node) {
  if (!hasDashboard()) return { env: {} };
  const server = `http://localhost:${process.env.PORT || 3000}`;
  const child = spawn(node, [VITE, '--port', String(PORT), '--strictPort', '--clearScreen', 'false'], {
    cwd: DASHBOARD,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { POSTHORN_URL: server, ...process.env },
  });
  child.once('error', (error) => console.error(`posthorn: the dashboard is not served: ${error.message}`));
  child.once('exit', (code) => {
    if (code) console.error(`posthorn: the server of the dashboard ended (exit ${code}); what it says is above.`);
  });
  return {
    // The links in account mails, and the address that the start prints.
    env: { POSTHORN_DASHBOARD_FILES: 'none', POSTHORN_DASHBOARD_URL: `http://localhost:${PORT}` },
    stop: () => child.kill(),
  };
}
