import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backupName } from '#src/platform/backup/stored-backups.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { freePort, temporaryDir } from '#test/support/database.ts';
import { CLAUDE_KEYS, startEngineApp, startServers } from '#test/support/engine-app.ts';
import { runDoctor, spawnDoctor } from '#test/support/run-doctor.ts';
import { clockFindings } from '../../scripts/doctor/clock.ts';

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const inZone = (zone: string) => ({ TZ: zone, FINCLAW_DATA_DIR: temporaryDir() });

const slackEnv = async (): Promise<NodeJS.ProcessEnv> => {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  return { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl };
};

const folderWith = (config: object): string => {
  const cwd = temporaryDir();
  writeFileSync(join(cwd, 'finclaw.config.json'), JSON.stringify(config), { mode: 0o600 });
  return cwd;
};

interface Document {
  readonly level: string;
  readonly checks: readonly {
    readonly id: string;
    readonly level: string;
    readonly message: string;
    readonly advice: string | null;
  }[];
}

describe('npm run doctor warns of', () => {
  it('a machine in UTC, unless a time zone is configured', async () => {
    const server = await spawnDoctor(inZone('UTC'), temporaryDir());
    expect(server.output).toMatch(/^• The time zone is UTC, that of this machine: .* Set timeZone in/m);
    expect(server.code).toBe(0);
    const home = await spawnDoctor(inZone('Asia/Seoul'), temporaryDir());
    expect(home.output).not.toContain('The time zone is');
    const chosen = await spawnDoctor(inZone('UTC'), folderWith({ timeZone: 'UTC' }));
    expect(chosen.output).not.toContain('The time zone is');
  });

  it('a bot on Slack that nobody administers, and what then works for nobody', async () => {
    const env = { ...(await slackEnv()), FINCLAW_DATA_DIR: temporaryDir() };
    const { output, code } = await runDoctor(
      env,
      folderWith({
        gates: { direct: { policy: 'pairing' } },
        approvals: { approvers: { users: ['slack:U1'] } },
      }),
    );
    expect(output).toMatch(/^• Administrators: nobody on slack; .*Add yourself to finclaw\.config\.json/m);
    expect(output).toMatch(/^• gates\.direct\.policy is pairing, but there is no administrator/m);
    expect(output).toMatch(/^• Approvals are configured, but there is no administrator/m);
    // A new bot cannot have one yet.
    expect(output).not.toContain('Backups:');
    expect(code).toBe(0);
    const named = await runDoctor(env, folderWith({ admins: { users: ['slack:U1'] } }));
    expect(named.output).toContain('✔ Administrators: 1 in admins of finclaw.config.json');
    expect(named.output).not.toContain('there is no administrator');
    const used = temporaryDir();
    writeFileSync(join(used, 'old'), '');
    utimesSync(join(used, 'old'), 0, 0);
    const unsafe = await runDoctor({ ...env, FINCLAW_DATA_DIR: used }, temporaryDir());
    expect(unsafe.output).toMatch(/^• Backups: there are none in .*Make one: npm run backup$/m);
    const backedUpElsewhere = folderWith({ backup: { everyHours: 0 } });
    const trusted = await runDoctor({ ...env, FINCLAW_DATA_DIR: used }, backedUpElsewhere);
    expect(trusted.output).not.toContain('Backups:');
  });

  it('a key in the terminal without a budget, and a key in the configuration file', async () => {
    const [key] = CLAUDE_KEYS;
    const { claude } = await startServers({ claude: { keys: [key] } });
    const env = { ANTHROPIC_BASE_URL: claude.url, FINCLAW_DATA_DIR: temporaryDir() };
    const cwd = folderWith({ providers: { anthropic: { apiKey: key } } });
    const { output } = await runDoctor(env, cwd);
    expect(output).toMatch(/^• A model key is set without a budget: .*Set FINCLAW_DAILY_BUDGET_USD/m);
    expect(output).toContain(
      `• ${cwd}/finclaw.config.json holds a key or token in plain text. Move it to .env`,
    );
    expect(output).not.toContain(key);
    const limited = { ...env, ANTHROPIC_API_KEY: key, FINCLAW_DAILY_BUDGET_USD: '5' };
    const right = await runDoctor(limited, temporaryDir());
    expect(right.output).not.toMatch(/without a budget|plain text/);
  });

  it('misspelt variables, of the environment and of .env', async () => {
    const cwd = temporaryDir();
    writeFileSync(join(cwd, '.env'), 'FINCLAW_TYPO=1\n', { mode: 0o600 });
    const { output, code } = await spawnDoctor(
      { DISCORD_TOKEN: 'geheim.x', FINCLAW_DATA_DIR: temporaryDir() },
      cwd,
    );
    expect(output).toContain('• DISCORD_TOKEN is set, but not read: did you mean DISCORD_BOT_TOKEN?');
    expect(output).toContain('• FINCLAW_TYPO is set, but there is no such variable');
    expect(output).not.toContain('geheim');
    expect(code).toBe(0);
  });

  it('a data directory that others can read, and says nothing of a closed one', async () => {
    const dataDir = temporaryDir();
    chmodSync(dataDir, 0o755);
    const open = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(open.output).toContain(`• Other users of this machine could open ${dataDir}`);
    chmodSync(dataDir, 0o700);
    const closed = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(closed.output).not.toContain('Other users');
  });

  it('old backups, by the newest', async () => {
    const dataDir = temporaryDir();
    const backups = join(dataDir, 'backups');
    mkdirSync(backups);
    const made = (daysAgo: number): void => {
      const at = Temporal.Now.instant().subtract({ hours: daysAgo * 24 });
      writeFileSync(join(backups, backupName(at, '0.1.0', 'schedule')), '');
    };
    made(40);
    made(9);
    writeFileSync(join(backups, 'other.fcb'), '');
    const old = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(old.output).toMatch(
      /^• Backups: the newest is 9 days old \(.* UTC\)\. Make one: npm run backup$/m,
    );
    made(1);
    const fresh = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, temporaryDir());
    expect(fresh.output).toMatch(/^✔ Backups: the newest was made at .* UTC$/m);
    // Those in another directory count, and only those.
    const folder = temporaryDir();
    writeFileSync(
      join(folder, 'finclaw.config.json'),
      JSON.stringify({ backup: { directory: 'elsewhere' } }),
      {
        mode: 0o600,
      },
    );
    const elsewhere = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, folder);
    expect(elsewhere.output).not.toContain('✔ Backups');
    writeFileSync(join(folder, 'elsewhere'), 'a file');
    const nowhere = await runDoctor({ FINCLAW_DATA_DIR: dataDir }, folder);
    expect(nowhere.output).toMatch(
      /^• Backups: none can be made in .*elsewhere \(.*elsewhere is a file\)\. Set backup\.directory /m,
    );
    expect(nowhere.code).toBe(0);
  });

  it('a health port that another program has, or that other machines reach', async () => {
    const other = await listening(createServer((_request, response) => void response.end('hello')));
    const taken = { FINCLAW_HTTP_PORT: new URL(other).port, FINCLAW_DATA_DIR: temporaryDir() };
    const first = await runDoctor(taken, temporaryDir());
    expect(first.output).toMatch(/^✖ Health server: port \d+ is taken by another program, .*Choose another/m);
    expect(first.code).toBe(1);
    const free = String(await freePort());
    const open = { ...taken, FINCLAW_HTTP_PORT: free, FINCLAW_HTTP_HOST: '0.0.0.0' };
    const second = await runDoctor(open, temporaryDir());
    expect(second.output).toContain(`✔ Health server: port ${free} is free`);
    expect(second.output).toContain('• Health server: FINCLAW_HTTP_HOST is 0.0.0.0, so other machines reach');
    expect(second.output).toContain('In a container with a network of its own that is right.');
  });

  it('a health port of another bot, but not of the one that runs on the same data', async () => {
    const port = await freePort();
    const app = await startEngineApp({ env: { FINCLAW_HTTP_PORT: String(port) } });
    const at = (dataDir: string) => ({ FINCLAW_HTTP_PORT: String(port), FINCLAW_DATA_DIR: dataDir });
    const own = await runDoctor(at(app.dataDir), temporaryDir());
    expect(own.output).toContain(
      `✔ Health server: the running FinClaw of this data directory answers on port ${port}`,
    );
    expect(own.code).toBe(0);
    for (const dataDir of [temporaryDir(), join(temporaryDir(), 'not-there-yet')]) {
      const other = await runDoctor(at(dataDir), temporaryDir());
      expect(other.output).toContain(`✖ Health server: port ${port} is taken by a FinClaw with another data`);
      expect(other.code).toBe(1);
    }
  });

  it('an address of the health server that this machine does not have', async () => {
    const env = { FINCLAW_HTTP_PORT: String(await freePort()), FINCLAW_HTTP_HOST: '192.0.2.1' };
    const { output, code } = await runDoctor({ ...env, FINCLAW_DATA_DIR: temporaryDir() }, temporaryDir());
    expect(output).toMatch(/^✖ Health server: port \d+ of 192\.0\.2\.1 cannot be used \(EADDRNOTAVAIL\)/m);
    expect(code).toBe(1);
  });

  it.each([
    [3, /^✔ .*agrees/, 0],
    [20, /^• .*2[01] s ahead of .*NTP/, 0],
    [-20, /^• .*(?:19|20) s behind .*NTP/, 0],
    [90, /^✖ .* 9[01] s ahead of .*NTP/, 1],
  ])('a clock that is %i s ahead of a server', async (seconds, said, expected) => {
    const server = createServer((_request, response) => {
      const date = new Date(Date.now() - seconds * 1_000).toUTCString();
      response.writeHead(404, { date }).end();
    });
    const url = await listening(server);
    const env = { FINCLAW_MARKET: 'auto', FINCLAW_YAHOO_URL: url, FINCLAW_UPBIT_URL: url };
    const { output, code } = await runDoctor({ ...env, FINCLAW_DATA_DIR: temporaryDir() }, temporaryDir());
    const line = output.split('\n').find((each) => each.includes('The clock of this machine'));
    expect(line).toMatch(said);
    expect(code).toBe(expected);
  });
});

describe('the clocks of servers', () => {
  it('count by the one in the middle, and those of this machine only where there is no other', () => {
    const here = { host: '127.0.0.1', aheadMs: 0 };
    const wrong = { host: 'a.example', aheadMs: -900_000 };
    const two = [
      { host: 'b.example', aheadMs: 7_000 },
      { host: 'c.example', aheadMs: 8_000 },
    ];
    expect(clockFindings([])).toEqual([]);
    expect(clockFindings([here])).toEqual([expect.objectContaining({ status: 'ok' })]);
    expect(clockFindings([here, wrong, ...two])).toEqual([
      expect.objectContaining({
        status: 'note',
        text: expect.stringContaining('7 s ahead of that of b.example'),
      }),
    ]);
  });
});

describe('npm run doctor --json', () => {
  it('prints one document and nothing else, with 1 only for what fails', async () => {
    const [key] = CLAUDE_KEYS;
    const { claude } = await startServers({ claude: { keys: [] } });
    const warned = await spawnDoctor(inZone('UTC'), temporaryDir(), ['--json']);
    const { level, checks } = JSON.parse(warned.output) as Document;
    expect({ level, code: warned.code, errors: warned.errors }).toEqual({
      level: 'warn',
      code: 0,
      errors: '',
    });
    for (const check of checks) expect(Object.keys(check)).toEqual(['id', 'level', 'message', 'advice']);
    expect(checks.find(({ id }) => id === 'time-zone')).toEqual({
      id: 'time-zone',
      level: 'warn',
      message: expect.stringContaining('The time zone is UTC'),
      advice: expect.stringContaining('Asia/Seoul'),
    });
    expect(checks.find(({ id }) => id === 'node')).toMatchObject({ level: 'ok', advice: null });
    const refused = { ...inZone('UTC'), ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: key };
    const failed = await spawnDoctor(refused, temporaryDir(), ['--json']);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.output)).toMatchObject({ level: 'fail' });
    expect(failed.output).not.toContain(key);
    const broken = await spawnDoctor({ FINCLAW_LOCALE: 'fr' }, temporaryDir(), ['--json']);
    expect(JSON.parse(broken.output)).toMatchObject({
      level: 'fail',
      checks: [{ id: 'version' }, { id: 'node' }, { id: 'configuration', level: 'fail' }],
    });
    expect(broken.code).toBe(1);
  });
});

it('the doctor says that npm took --json for itself, and obeys the one behind --', async () => {
  const env = { ...inZone('UTC'), npm_config_json: 'true' };
  const lines = await spawnDoctor(env, temporaryDir());
  expect(lines.errors).toBe(
    'npm took --json for itself. Write -- before the options: npm run doctor -- --json\n',
  );
  expect(lines.output).toMatch(/^✔ Node /m);
  expect(lines.code).toBe(0);
  const { output, errors, code } = await spawnDoctor(env, temporaryDir(), ['--json']);
  expect({ level: (JSON.parse(output) as Document).level, errors, code }).toEqual({
    level: 'warn',
    errors: '',
    code: 0,
  });
});

describe('npm run doctor while no server answers', () => {
  it('prints what it knows, then gives up after five seconds', async () => {
    const url = await listening(createServer(() => undefined));
    const env = {
      FINCLAW_MARKET: 'yahoo',
      FINCLAW_YAHOO_URL: url,
      FINCLAW_UPBIT_URL: url,
      SLACK_BOT_TOKEN: 'xoxb-1-2-geheim',
      SLACK_APP_TOKEN: 'xapp-1-A0-1-geheim',
      SLACK_API_URL: `${url}/api/`,
    };
    const { output, code, firstMs, endMs } = await spawnDoctor({ ...env, ...inZone('UTC') }, temporaryDir());
    // The first findings did not wait for the market.
    expect(endMs - firstMs).toBeGreaterThan(3_000);
    expect(endMs - firstMs).toBeLessThan(30_000);
    const lines = output.split('\n');
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^✔ FinClaw \d/),
      expect.stringMatching(/^✔ Node/),
    ]);
    expect(output).toMatch(/^✔ Database: /m);
    expect(output).toMatch(/^✖ .*(?:Yahoo Finance cannot be used|did not end within 5 s)/m);
    expect(output).not.toContain('come from Yahoo Finance meanwhile');
    expect(code).toBe(1);
  });
});
