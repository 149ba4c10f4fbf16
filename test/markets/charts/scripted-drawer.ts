import { writeFileSync } from 'node:fs';
import { serveDrawings } from '#src/markets/charts/drawing-process.ts';

const NOTE = 'note the end in ';

/** A drawing process that behaves as the job says. */
export type Order = `draw ${string}` | `note the end in ${string}` | 'tell pid' | 'fail' | 'crash' | 'hang';

serveDrawings<Order>((order) => {
  if (order === 'fail') throw new Error('no such colour');
  // As a fault in native code ends it.
  if (order === 'crash') process.kill(process.pid, 'SIGKILL');
  // Blocks forever.
  if (order === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (order.startsWith(NOTE)) process.on('exit', () => writeFileSync(order.slice(NOTE.length), 'ended'));
  return Buffer.from(order === 'tell pid' ? String(process.pid) : order);
});
