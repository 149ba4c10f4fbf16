import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorMessage } from '#src/kernel/errors.ts';
import { openFile, SQLITE_FILE } from '#src/platform/storage/database.ts';
import { temporaryDir } from '#test/support/database.ts';
import { startServers } from '#test/support/engine-app.ts';
import { fingerprint, OLD_API_KEY, OLD_SECRET_KEY, oldDirectory } from '#test/support/old-directory.ts';
import { runDoctor } from '#test/support/run-doctor.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { startAsMain } from '#test/support/start-as-main.ts';
import { query } from './gateway-support.ts';

const NOBODY = 'http://127.0.0.1:1';
const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret', SLACK_API_URL: NOBODY };
const TEXT_AS_KEY = Buffer.from('the same text as a key, 32 bytes').toString('base64');

/** What the operator is told. */
const start = async (env: NodeJS.ProcessEnv, workingDir: string): Promise<string> => {
  try {
    await (await startAsMain(env, workingDir)).stop();
    return 'it started';
  } catch (error) {
    expect(error).toMatchObject({ isOperational: true });
    return errorMessage(error);
  }
};

const folderWith = (file: object): string => {
  const folder = temporaryDir();
  writeFileSync(join(folder, 'finclaw.config.json'), JSON.stringify(file), { mode: 0o600 });
  return folder;
};

const takenPort = async (): Promise<string> => {
  const other = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  return String((other.address() as AddressInfo).port);
};

type Env = Readonly<Record<string, string>>;

const WRONG: readonly (readonly [
  what: string,
  env: Env | (() => Promise<Env>),
  file: object,
  sentence: RegExp,
])[] = [
  ['a misspelt setting', {}, { quue: {} }, /did you mean "queue"\?/],
  ['no address of PostgreSQL', { DATABASE_URL: 'mysql://host/bot' }, {}, /DATABASE_URL: must look like/],
  ['no port', { FINCLAW_HTTP_PORT: 'http' }, {}, /FINCLAW_HTTP_PORT: /],
  ['a short operator token', { FINCLAW_OPERATOR_TOKEN: 'short' }, {}, /FINCLAW_OPERATOR_TOKEN: must have/],
  ['a token of another kind', { ...SLACK, SLACK_BOT_TOKEN: 'xapp-1' }, {}, /must begin with xoxb-/],
  ['a worker without PostgreSQL', { FINCLAW_ROLE: 'worker' }, {}, /FINCLAW_ROLE: worker needs a database/],
  ['no API key', { ANTHROPIC_API_KEY: 'sk-no' }, {}, /does not look like a key of anthropic/],
  ['a short secret key', { FINCLAW_SECRET_KEY: 'geheim' }, {}, /FINCLAW_SECRET_KEY must be 32 bytes/],
  ['a text as secret key', { FINCLAW_SECRET_KEY: TEXT_AS_KEY }, {}, /FINCLAW_SECRET_KEY can be guessed/],
  ['another secret key', { FINCLAW_SECRET_KEY: secretKeyOf(1) }, {}, /not the one it was sealed with/],
  ['a text as backup key', { FINCLAW_BACKUP_KEY: TEXT_AS_KEY }, {}, /FINCLAW_BACKUP_KEY can be guessed/],
  [
    'a directory of backups that cannot be made, so none is made before the change',
    {},
    { backup: { directory: '/dev/null/backups' } },
    /^(?:✖ )?No backup could be made in \/dev\/null\/backups: \/dev\/null is a file\. .* set backup\.directory/,
  ],
  ['an unknown model', { FINCLAW_MODEL: 'quetzal' }, {}, /There is no model "quetzal"/],
  ['an unknown model of an agent', {}, { agents: { a: { model: 'quetzal' } } }, /no model "quetzal"/],
  ['a model without a key', { FINCLAW_MODEL: 'sonnet' }, {}, /needs a key for anthropic/],
  [
    'a model of a plugin that is gone',
    { FINCLAW_MODEL: 'llama' },
    { plugins: ['gone.mjs'] },
    /There is no model "llama"/,
  ],
  [
    'instructions without room for a conversation',
    { FINCLAW_SECRET_KEY: OLD_SECRET_KEY, FINCLAW_MODEL: 'sonnet', ANTHROPIC_BASE_URL: NOBODY },
    { agent: { maxContextTokens: 6_000, instructions: '간단히. '.repeat(790) } },
    /has no room for a conversation/,
  ],
  ['a market without hours', {}, { pipeline: { markets: ['MARS'] } }, /pipeline\.markets names "MARS"/],
  [
    'a port in use',
    async () => ({ FINCLAW_HTTP_PORT: await takenPort() }),
    {},
    /is already in use\. Set FINCLAW_HTTP_PORT|is taken by another program/,
  ],
  [
    'a port of Slack in use',
    async () => ({ ...SLACK, SLACK_PORT: await takenPort() }),
    {},
    /is already in use\. Set SLACK_PORT/,
  ],
];

describe('a start of a new version and the doctor say what is wrong, and leave the data as they are:', () => {
  it.each(WRONG)('%s', async (_what, env, file, sentence) => {
    const dataDir = await oldDirectory();
    const before = fingerprint(dataDir);
    const folder = folderWith(file);
    const settings = { ...(typeof env === 'function' ? await env() : env), FINCLAW_DATA_DIR: dataDir };
    expect(await start(settings, folder)).toMatch(sentence);
    expect(fingerprint(dataDir)).toEqual(before);
    const { output, code } = await runDoctor(settings, folder);
    const faults = output.split(/^(?=[✔•✖] )/m).filter((finding) => finding.startsWith('✖'));
    expect(faults.filter((fault) => sentence.test(fault))).toHaveLength(1);
    expect(code).toBe(1);
    expect(fingerprint(dataDir)).toEqual(before);
  });

  it('a damaged key of codes', async () => {
    const dataDir = await oldDirectory();
    writeFileSync(join(dataDir, 'person-codes.key'), 'no key');
    const before = fingerprint(dataDir);
    const env = { FINCLAW_DATA_DIR: dataDir };
    expect(await start(env, folderWith({}))).toContain('person-codes.key is damaged');
    expect((await runDoctor(env, folderWith({}))).output).toMatch(/^✖ .*person-codes\.key is damaged/m);
    expect(fingerprint(dataDir)).toEqual(before);
  });

  it('nothing is made in a directory that is empty', async () => {
    const dataDir = temporaryDir();
    expect(await start({ FINCLAW_DATA_DIR: dataDir, FINCLAW_MODEL: 'quetzal' }, folderWith({}))).toContain(
      'quetzal',
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

it('of a bot that was killed, a refused start keeps every row and every other file', async () => {
  const running = await oldDirectory();
  const { db } = openFile({ dataDir: running });
  await db.updateTable('auth_profiles').set({ name: 'in the log of SQLite' }).execute();
  const dataDir = join(temporaryDir(), 'killed');
  cpSync(running, dataDir, { recursive: true });
  await db.destroy();
  const rest = (): object =>
    Object.fromEntries(
      Object.entries(fingerprint(dataDir)).filter(([name]) => !name.startsWith(SQLITE_FILE)),
    );
  const before = rest();
  const env = { FINCLAW_DATA_DIR: dataDir, FINCLAW_SECRET_KEY: secretKeyOf(1) };
  expect(await start(env, folderWith({}))).toContain('not the one it was sealed with');
  expect(rest()).toEqual(before);
  expect(query(dataDir, 'select name from auth_profiles')).toEqual([{ name: 'in the log of SQLite' }]);
  expect(query(dataDir, `select count(*) as made from kysely_migration where name > '0016'`)).toEqual([
    { made: 0 },
  ]);
});

it('with right settings the doctor says what the start will do, and the start does it', async () => {
  const dataDir = await oldDirectory();
  const { claude } = await startServers({ claude: { keys: [OLD_API_KEY] } });
  const env = {
    FINCLAW_DATA_DIR: dataDir,
    FINCLAW_SECRET_KEY: OLD_SECRET_KEY,
    FINCLAW_MODEL: 'sonnet',
    ANTHROPIC_BASE_URL: claude.url,
  };
  const folder = folderWith({});
  const before = fingerprint(dataDir);
  const { output, code } = await runDoctor(env, folder);
  expect(output).toMatch(/^• Database: .+ the next start makes a backup and brings it up to date$/m);
  expect(output).toMatch(/^✔ Model: Claude Sonnet/m);
  expect(output).toMatch(/^✔ Key .+ \(anthropic, at home\) is accepted$/m);
  expect(code).toBe(0);
  expect(fingerprint(dataDir)).toEqual(before);
  expect(await start(env, folder)).toBe('it started');
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([expect.stringContaining('-before-upgrade.fcb')]);
  expect(existsSync(join(dataDir, 'sessions'))).toBe(false);
});
