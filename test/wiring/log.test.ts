import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const OPEN_LOG = fileURLToPath(new URL('../../src/wiring/log.ts', import.meta.url));

/** Writes until the other end of its log is closed, and then some more. */
const PROGRAM = `
  import { openLog } from ${JSON.stringify(OPEN_LOG)};
  const { logger } = openLog({ platforms: { discord: {} }, logLevel: 'info', secrets: [], operator: undefined });
  process.stdin.on('data', () => logger.error('nobody reads this'));
  process.stdin.on('end', () => console.log('still here'));
  logger.info('ready');
`;

it('goes on when nobody reads the log any more', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  const closed = once(child, 'close');
  // A program that ended takes no more input.
  child.stdin.on('error', () => undefined);
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  await once(child.stderr, 'data');
  child.stderr.destroy();
  child.stdin.write('1');
  await new Promise((resolve) => setTimeout(resolve, 50));
  child.stdin.end('2');
  const [code] = await closed;
  expect({ code, said }).toEqual({ code: 0, said: 'still here\n' });
});
