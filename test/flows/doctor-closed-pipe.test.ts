import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { temporaryDir } from '#test/support/database.ts';

const DOCTOR = join(import.meta.dirname, '../../scripts/doctor.ts');

/** As below `| head -1`: reads the first line and closes the pipe. */
const readOneLine = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [DOCTOR, ...args], {
    cwd: temporaryDir(),
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE,
      FINCLAW_MARKET: 'sample',
      FINCLAW_DATA_DIR: temporaryDir(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (args.length > 0) child.stdout.destroy();
  else child.stdout.once('data', () => child.stdout.destroy());
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { errors, code: code as number };
};

it.each([
  ['in order', [], {}, 0],
  ['at fault', [], { FINCLAW_MODEL: 'quetzal' }, 1],
  ['in order, as JSON', ['--json'], {}, 0],
  ['at fault, as JSON', ['--json'], { FINCLAW_MODEL: 'quetzal' }, 1],
] as const)('npm run doctor | head ends quietly, with the usual code: %s', async (_what, args, env, code) => {
  expect(await readOneLine(args, env)).toEqual({ errors: '', code });
});
