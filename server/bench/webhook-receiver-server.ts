// The receiver of the webhooks bench, as a process of its own, so that it takes no time from the loop beside it:
// `/ok` answers 200 at once, `/far` after 200 ms, everything else never. `/arrived` says how many posts `/ok` has had,
// and when.
import { createServer } from 'node:http';

/** Of a receiver on another continent. */
const FAR_MS = 200;

const arrivedMs: number[] = [];
const server = createServer((request, response) => {
  if (request.url === '/arrived') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(arrivedMs.splice(0)));
    return;
  }
  request.resume();
  if (request.url === '/far') {
    request.on('end', () => setTimeout(() => response.end('ok'), FAR_MS));
    return;
  }
  if (request.url !== '/ok') return;
  request.on('end', () => {
    arrivedMs.push(Date.now());
    response.end('ok');
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('ready'));
