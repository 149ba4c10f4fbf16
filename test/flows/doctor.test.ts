import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '#test/support/app.ts';
import { temporaryDir } from '#test/support/database.ts';

const DOCTOR = join(import.meta.dirname, '../../scripts/doctor.ts');

const runDoctor = async (env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [DOCTOR], {
    cwd: temporaryDir(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { output, code: code as number };
};

describe('npm run doctor', () => {
  it('ends with 0 when everything is in order', async () => {
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: temporaryDir() });
    expect(code).toBe(0);
    expect(output).toContain('✔ Configuration is valid');
    expect(output).toMatch(/✔ Database: SQLite in .* is writable and up to date/);
  });

  it('ends with 1 and says how to mend a wrong setting', async () => {
    const { output, code } = await runDoctor({ FINCLAW_LOCALE: 'fr' });
    expect(code).toBe(1);
    expect(output).toContain('✖ The environment is not valid');
    expect(output).toContain('FINCLAW_LOCALE');
  });

  it('ends with 1 when the data directory cannot be used', async () => {
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: '/dev/null/data' });
    expect(code).toBe(1);
    expect(output).toContain('✖ The data directory /dev/null/data cannot be used');
  });

  it('does not take a running bot for a fault', async () => {
    const { dataDir } = await startTestApp();
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(output).toContain('is in use by a running FinClaw');
  });
});
