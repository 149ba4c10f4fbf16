import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeBuild, readBuild } from '#src/platform/build.ts';
import { openFile } from '#src/platform/storage/database.ts';
import { NODE_COMPILE_CACHE } from '#test/support/compile-cache.ts';
import { copyDatabaseTo, temporaryDir } from '#test/support/database.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a script as an operator does, in an empty folder. */
const run = (
  script: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = temporaryDir(),
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'scripts', `${script}.ts`), ...words],
      { cwd, env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE, ...env } },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });

describe('backup, restore and move, as programs', () => {
  it('restore with the settings of another data directory what a backup of a stopped bot holds', async () => {
    const [from, to] = [temporaryDir(), temporaryDir()];
    await copyDatabaseTo(from);
    const made = await run('backup', [], { FINCLAW_DATA_DIR: from });
    expect(made).toMatchObject({ code: 0, errors: '' });
    expect(made.output).toMatch(/ rows, .*, read back and compared, NOT encrypted/);
    const [path = ''] = made.output.split('\n');
    const build = readBuild();
    expect(path).toMatch(new RegExp(`Z-${RegExp.escape(build.version)}\\.fcb$`));

    const restored = await run('restore', [path], { FINCLAW_DATA_DIR: to });
    expect(restored).toMatchObject({ code: 0, errors: '' });
    expect(restored.output).toContain(`, made by FinClaw ${describeBuild(build)}, is restored into `);
    expect(readdirSync(to)).toContain('finclaw.sqlite');
    const { db } = openFile({ dataDir: to });
    await db.destroy();

    const unreachable = await run('restore', [path, '--to', 'postgres://me@127.0.0.1:1/bot'], {
      PGPASSWORD: 'secret',
    });
    expect(unreachable).toMatchObject({ code: 1, output: '' });
    expect(unreachable.errors).toMatch(
      /^The database cannot be used \(.+\)\. .+ its address \(DATABASE_URL, unless another one was given\) is right\.\n$/,
    );
    expect(unreachable.errors).not.toContain('secret');

    const cut = join(temporaryDir(), 'cut.fcb');
    writeFileSync(cut, readFileSync(path).subarray(0, 2_000));
    const refused = await run('restore', [cut, '--to', temporaryDir()], {});
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toMatch(/^The backup .* is damaged or not complete: .*\n$/);
  });

  it.each([
    ['backup', [], 'There is no database in '],
    ['restore', [], 'Name one backup: '],
    ['restore', ['/nowhere/finclaw.fcb'], 'The backup /nowhere/finclaw.fcb cannot be read: '],
    ['move', ['--to', 'postgress://me:secret@host/bot'], 'The target is neither a directory nor an address'],
    ['move', ['--to', 'postgres://me:sec/ret@host/bot'], 'The address of PostgreSQL cannot be read. '],
    ['move', ['--to', 'postgres://me:secret@host/bot'], 'Every user of this machine can read a password'],
  ] as const)('say in one sentence what is wrong: %s %j', async (script, words, sentence) => {
    const { code, output, errors } = await run(script, words, { FINCLAW_DATA_DIR: temporaryDir() });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^[^\n]+\n$/);
    expect(errors.startsWith(sentence)).toBe(true);
    expect(errors).not.toMatch(/sec\/?ret/);
  });

  it.each([
    ['backup', ['list'], 'npm run backup -- [--to DIRECTORY]'],
    ['backup', ['--to', ''], 'npm run backup -- [--to DIRECTORY]'],
    ['backup', ['--to', 'postgres://me:secret@host/bot'], 'npm run backup -- [--to DIRECTORY]'],
    ['restore', [''], 'npm run restore -- FILE '],
    ['move', ['postgres://me:secret@host/bot'], 'npm run move -- --to '],
    ['slack-manifest', ['--al'], 'npm run slack:manifest -- '],
  ] as const)(
    'show how they are called after a wrong word, and do nothing: %s %j',
    async (script, words, usage) => {
      const cwd = temporaryDir();
      const { code, output, errors } = await run(script, words, { FINCLAW_DATA_DIR: temporaryDir() }, cwd);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(/^[^\n]+\n$/);
      expect(errors).toContain(usage);
      expect(errors).not.toContain('secret');
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  // `npm run backup --to=/x` runs the script without a word, with this in its environment.
  it.each([
    ['backup', [], { npm_config_to: '/x' }, '--to'],
    // npm 11 has an option that begins like it.
    ['backup', ['/x'], { npm_config_token_description: 'true' }, '--to'],
    ['restore', ['FILE'], { npm_config_continue: 'true' }, '--continue'],
  ] as const)(
    'stop when npm has taken an option for itself: %s %j %j',
    async (script, words, env, option) => {
      const { code, output, errors } = await run(script, words, env);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(
        new RegExp(`^npm took ${option} for itself\\. Write -- before the options: npm run .+\\n$`),
      );
    },
  );

  it('obey the options behind --, whatever npm has for itself', async () => {
    const [dataDir, to] = [temporaryDir(), temporaryDir()];
    await copyDatabaseTo(dataDir);
    const env = { FINCLAW_DATA_DIR: dataDir, npm_config_to: '/nowhere' };
    expect(await run('backup', ['--to', to], env)).toMatchObject({ code: 0, errors: '' });
    expect(readdirSync(to)).toHaveLength(1);
  });
});
