import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SCHEMA } from '#src/wiring/schema.ts';
import { openFile } from '#src/platform/storage/database.ts';
import { createMigrations } from '#src/platform/storage/migrate.ts';
import { startTestApp } from '#test/support/app.ts';
import { freePort, temporaryDir } from '#test/support/database.ts';
import { CLAUDE_KEYS, GPT_KEY, startServers } from '#test/support/engine-app.ts';
import { runDoctor, spawnDoctor } from '#test/support/run-doctor.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';

describe('npm run doctor', () => {
  it('ends with 1 and says how to mend a wrong setting', async () => {
    const { output, code } = await runDoctor({ FINCLAW_LOCALE: 'fr' }, temporaryDir());
    expect(code).toBe(1);
    expect(output).toContain('✖ The environment is not valid');
    expect(output).toContain('FINCLAW_LOCALE');
  });

  it('ends with 1 when the data directory cannot be used', async () => {
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: '/dev/null/data' }, temporaryDir());
    expect(code).toBe(1);
    expect(output).toContain('✖ The data directory /dev/null/data cannot be used');
  });

  it('ends with 0 when everything is in order, and with 1 for a key that is refused, without showing it', async () => {
    const [right, wrong] = CLAUDE_KEYS;
    const { claude, gpt } = await startServers({ claude: { keys: [right] }, gpt: { keys: [GPT_KEY] } });
    const env = {
      FINCLAW_DATA_DIR: temporaryDir(),
      ANTHROPIC_BASE_URL: claude.url,
      OPENAI_BASE_URL: gpt.url,
      OPENAI_API_KEY: GPT_KEY,
    };
    const healthy = await spawnDoctor({ ...env, ANTHROPIC_API_KEY: right }, temporaryDir());
    expect(healthy.code).toBe(0);
    expect(healthy.output).toContain('✔ Configuration is valid');
    expect(healthy.output).toMatch(/^✔ Database: there is none yet; the first start makes it in /m);
    expect(healthy.output).toContain('✔ Model: Claude Opus 5.5');
    expect(healthy.output.match(/^✔ Key .+ is accepted$/gm)).toHaveLength(2);
    const ill = await runDoctor({ ...env, ANTHROPIC_API_KEY: `${right},${wrong}` }, temporaryDir());
    expect(ill.code).toBe(1);
    expect(ill.output.match(/^✖ .+/gm)).toEqual([
      expect.stringMatching(/^✖ Key geh\.\.\.2222 \(anthropic, .+\) is not accepted: .*make a new one$/),
    ]);
    expect(healthy.output + ill.output).not.toContain('geheim');
    // Looking is free: no model was asked anything.
    expect([...claude.history, ...gpt.history].every(({ path }) => path === '/v1/models')).toBe(true);
  });

  it.each([
    ['a model without a key', { FINCLAW_MODEL: 'sonnet' }, /^✖ .+ANTHROPIC_API_KEY/m],
    ['a model that nobody knows', { FINCLAW_MODEL: 'quetzal' }, /^✖ .*"quetzal"/m],
  ] as const)('ends with 1 for %s, as a start would', async (_, env, finding) => {
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: temporaryDir(), ...env }, temporaryDir());
    expect(code).toBe(1);
    expect(output).toMatch(finding);
  });

  it('ends with 1 for a key that would travel unencrypted, as a start would', async () => {
    const env = { ANTHROPIC_BASE_URL: 'http://models.example.com', ANTHROPIC_API_KEY: CLAUDE_KEYS[0] };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(code).toBe(1);
    expect(output).toContain(
      'ANTHROPIC_BASE_URL: would send keys and messages unencrypted to models.example.com',
    );
  });

  it('ends with 1 for a key of backups that a start would refuse, and leaves an older database to the start', async () => {
    const dataDir = temporaryDir();
    const { db } = openFile({ dataDir });
    const [first] = Object.entries(SCHEMA.known).toSorted(([a], [b]) => (a < b ? -1 : 1));
    await createMigrations(db, Object.fromEntries([first ?? []]), { isPostgres: false }).run();
    await db.destroy();
    const env = { FINCLAW_DATA_DIR: dataDir, FINCLAW_BACKUP_KEY: 'guess' };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(code).toBe(1);
    expect(output).toContain('✖ FINCLAW_BACKUP_KEY must be 32 bytes in base64');
    expect(output).toMatch(/^• Database: .+ the next start makes a backup and brings it up to date/m);
    const opened = openFile({ dataDir });
    expect(await sql`select name from kysely_migration`.execute(opened.db)).toMatchObject({
      rows: [{ name: first?.[0] }],
    });
    await opened.db.destroy();
  });

  it('names files with settings that other users can open, and the command that closes them', async () => {
    const workingDir = temporaryDir();
    writeFileSync(join(workingDir, '.env'), '', { mode: 0o644 });
    writeFileSync(join(workingDir, 'finclaw.config.json'), '{}', { mode: 0o600 });
    const env = { FINCLAW_DATA_DIR: temporaryDir() };
    const { output, code } = await runDoctor(env, workingDir);
    expect(code).toBe(0);
    expect(output).toContain(`Run: chmod 600 '${join(workingDir, '.env')}'`);
    expect(output).not.toContain("finclaw.config.json'");
  });

  it('does not take a running bot for a fault', async () => {
    const { dataDir } = await startTestApp();
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(code).toBe(0);
    expect(output).toContain('is in use by a running FinClaw');
    expect(output).toContain('• Model: offline');
    // There may be a saved key for it, which is the bot's to know.
    const env = { FINCLAW_DATA_DIR: dataDir, FINCLAW_MODEL: 'sonnet', FINCLAW_SECRET_KEY: secretKeyOf(1) };
    const unsure = await runDoctor(env, temporaryDir());
    expect(unsure.output).toMatch(/^• Unless there is a saved key, which could not be looked up: .*sonnet/m);
    expect(unsure.code).toBe(0);
  });

  it('looks at models and keys also where the database cannot be reached', async () => {
    const env = {
      FINCLAW_DATA_DIR: temporaryDir(),
      DATABASE_URL: `postgres://bot@127.0.0.1:${await freePort()}/bot`,
      FINCLAW_MODEL: 'quetzal',
    };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(output).toMatch(/^✖ The database cannot be used \(/m);
    expect(output).toMatch(/^✖ .*There is no model "quetzal"/m);
    expect(code).toBe(1);
  });
});
