import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimDirectory } from '#src/platform/storage/directory-lock.ts';
import { openStorage, temporaryDir } from '#test/support/database.ts';
import { CLAUDE_KEYS, startServers } from '#test/support/engine-app.ts';
import { canBeOtherUser, OTHER_USER } from '#test/support/other-user.ts';
import { runDoctor, spawnDoctor } from '#test/support/run-doctor.ts';

const DOCTOR = join(import.meta.dirname, '../../scripts/doctor.ts');

describe('npm run doctor on a new machine', () => {
  it('makes neither the data directory nor a database, and still tries models and keys', async () => {
    const [key] = CLAUDE_KEYS;
    const { claude } = await startServers({ claude: { keys: [key] } });
    const parent = temporaryDir();
    const dataDir = join(parent, 'deep/data');
    const env = { FINCLAW_DATA_DIR: dataDir, ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: key };
    const { output, code } = await runDoctor(env, temporaryDir());
    expect(output).toContain(`✔ Database: there is none yet; the first start makes it in ${dataDir}\n`);
    expect(output).toContain('✔ Model: Claude Opus 5.5');
    expect(output).toMatch(/^✔ Key .+ is accepted$/m);
    expect(code).toBe(0);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('leaves an empty data directory empty, so that a backup can be restored into it', async () => {
    const dataDir = temporaryDir();
    await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('says where the data directory could not be made', async () => {
    const parent = temporaryDir();
    writeFileSync(join(parent, 'file'), '');
    for (const dataDir of [join(parent, 'file'), join(parent, 'file/data')]) {
      const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
      expect(output).toContain(`✖ The data directory ${dataDir} cannot be used (`);
      expect(output).toContain('Set FINCLAW_DATA_DIR to a directory this user may write to.');
      expect(code).toBe(1);
    }
  });

  it.runIf(canBeOtherUser)('says that nothing may be written there', () => {
    const cwd = temporaryDir();
    chmodSync(cwd, 0o755);
    for (const dataDir of [cwd, join(cwd, 'deep/data')]) {
      const env = { PATH: process.env['PATH'], FINCLAW_MARKET: 'sample', FINCLAW_DATA_DIR: dataDir };
      const { stdout, status } = spawnSync(process.execPath, [DOCTOR], {
        ...OTHER_USER,
        cwd,
        env,
        encoding: 'utf8',
      });
      expect(stdout).toContain(`✖ The data directory ${dataDir} cannot be used (EACCES`);
      expect(status).toBe(1);
    }
  });

  it('says of a directory that is being restored that it is in use', async () => {
    const dataDir = temporaryDir();
    const { release } = claimDirectory(dataDir);
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    release();
    expect(output).toMatch(/^• Database: .* is in use by a running FinClaw or a restore/m);
    expect(output).not.toContain('there is none yet');
    expect(readdirSync(dataDir)).toEqual(['.restoring']);
    expect(code).toBe(0);
  });

  it('says of a directory where a restore was killed that no start makes a database there', async () => {
    const dataDir = temporaryDir();
    claimDirectory(dataDir).release();
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(output).toMatch(/^✖ A restore or move into .* was interrupted\. Run it again, or remove /m);
    expect(output).not.toContain('there is none yet');
    expect(readdirSync(dataDir)).toEqual(['.restoring']);
    expect(code).toBe(1);
  });

  it('needs no place for temporary files', async () => {
    const cwd = temporaryDir();
    const env = { FINCLAW_DATA_DIR: join(cwd, 'data'), TMPDIR: join(cwd, 'none') };
    const { output, code } = await spawnDoctor(env, cwd);
    expect(output).toContain('✔ Database: there is none yet');
    expect(output).toContain('• Model: offline');
    expect(readdirSync(cwd)).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('npm run doctor on a database that is there', () => {
  it('makes no folder beside it, and leaves the rights of files as they are', async () => {
    const dataDir = temporaryDir();
    const storage = await openStorage({ dataDir });
    await storage.close();
    rmSync(join(dataDir, 'skills'), { recursive: true, force: true });
    mkdirSync(join(dataDir, 'backups'));
    for (const name of ['', 'backups']) chmodSync(join(dataDir, name), 0o755);
    const before = readdirSync(dataDir);
    const { output } = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(output).toMatch(/✔ Database: SQLite in .* is writable and up to date/);
    expect(output).toContain('• Model: offline');
    expect(readdirSync(dataDir)).toEqual(before);
    for (const name of ['', 'backups']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o755);
  });

  it('makes no new key of codes where that file is missing, and says what a start would do', async () => {
    const dataDir = temporaryDir();
    const storage = await openStorage({ dataDir });
    await storage.close();
    const key = join(dataDir, 'person-codes.key');
    rmSync(key);
    const { output, code } = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(output).toMatch(/^• Database: person-codes\.key is missing .* put it back/m);
    expect(existsSync(key)).toBe(false);
    expect(code).toBe(0);
  });
});
