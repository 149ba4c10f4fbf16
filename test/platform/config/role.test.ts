import { describe, expect, it } from 'vitest';
import { CHANNELS } from '#channels/index.ts';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { temporaryDir } from '#test/support/database.ts';

const load = (env: NodeJS.ProcessEnv = {}): Config => loadConfig(env, temporaryDir(), CHANNELS);

describe('FINCLAW_ROLE', () => {
  it.each([
    [{ FINCLAW_ROLE: 'worker' }, /FINCLAW_ROLE: worker needs a database .* set DATABASE_URL/],
    [
      { FINCLAW_ROLE: 'gateway', DATABASE_URL: 'postgres://u:p@localhost/db' },
      /FINCLAW_ROLE: gateway needs a platform/,
    ],
    [{ FINCLAW_ROLE: 'leader' }, /FINCLAW_ROLE/],
  ])('refuses a role without those that it works with: %j', (env, problem) => {
    expect(() => load(env)).toThrow(problem);
  });

  it('takes the role of a process', () => {
    const env = { DATABASE_URL: 'postgres://u:p@localhost/db', DISCORD_BOT_TOKEN: 'x' };
    expect(load({ ...env, FINCLAW_ROLE: 'worker' }).role).toBe('worker');
    expect(load().role).toBe('all');
  });
});
