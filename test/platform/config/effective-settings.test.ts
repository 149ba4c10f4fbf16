import * as fc from 'fast-check';
import { CHANNELS } from '#channels/index.ts';
import { describe, expect, it } from 'vitest';
import { config as configCommand } from '#commands/admin/config.ts';
import type { Config } from '#src/platform/config/config.ts';
import { environmentSchema } from '#src/platform/config/environment.ts';
import { msgContext } from '#test/support/context.ts';
import { load } from './support.ts';

const settingOf = ({ effective }: Config, path: string) => {
  const found = effective.filter((setting) => setting.path === path);
  expect(found, path).toHaveLength(1);
  return found.map(({ value, source }) => `${value} (${source})`).join();
};

describe('the settings in force', () => {
  it('are those of the program where nothing is set, also those that have no value', () => {
    const config = load({});
    expect(new Set(config.effective.map(({ source }) => source))).toEqual(new Set(['default']));
    expect(
      [
        'pipeline.timeoutSeconds',
        'gates.allow.users',
        'agents',
        'bindings',
        'queue.mode',
        'providers.aws',
      ].map((path) => settingOf(config, path)),
    ).toEqual([
      '300 (default)',
      '— (default)',
      '{} (default)',
      '[] (default)',
      'collect (default)',
      '— (default)',
    ]);
    expect(settingOf(config, 'timeZone')).toBe(`${config.timeZone} (default)`);
    expect(settingOf(config, 'FINCLAW_DATA_DIR')).toBe(`${config.dataDir} (default)`);
    expect(settingOf(config, 'FINCLAW_LOCALE')).toBe('auto (default)');
    expect(settingOf(config, 'FINCLAW_HTTP_PORT')).toBe('— (default)');
  });

  it('are each there once, in the order of the file, and behind them the variables', () => {
    const paths = load({}).effective.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.slice(0, 4)).toEqual(['admins.users', 'admins.roles', 'timeZone', 'gates.maxMessageChars']);
    expect(paths.at(-1)).toBe('OTEL_SDK_DISABLED');
    expect(paths).not.toContain('$schema');
  });

  it('come from the file where it sets them, and only those', () => {
    const config = load({
      $schema: './finclaw.config.schema.json',
      timeZone: 'Asia/Seoul',
      gates: { allow: { users: ['discord:1', 'U2'], roles: [] }, maxMessageChars: 20_000 },
      queue: { channels: { 'discord:1': 'steer' } },
      agents: { research: { model: 'opus', tools: { deny: ['*'] } } },
      bindings: [{ agent: 'research', peers: ['a', 'b'] }, { agent: 'main' }],
      agent: { instructions: '' },
      providers: { aws: { region: 'ap-northeast-2' } },
    });
    const set = config.effective.filter(({ source }) => source !== 'default');
    expect(set.map(({ path, value, source }) => `${path} = ${value} (${source})`)).toEqual([
      'timeZone = Asia/Seoul (file)',
      'gates.maxMessageChars = 20000 (file)',
      'gates.allow.users = discord:1, U2 (file)',
      'gates.allow.roles = [] (file)',
      'queue.channels.discord:1 = steer (file)',
      'agent.instructions = "" (file)',
      'agents.research.model = opus (file)',
      'agents.research.tools.deny = * (file)',
      'bindings.0 = { agent: research, peers: [a, b], priority: 0 } (file)',
      'bindings.1 = { agent: main, priority: 0 } (file)',
      'providers.aws.region = ap-northeast-2 (file)',
    ]);
    expect(settingOf(config, 'agents.research.maxTurns')).toBe('— (default)');
    expect(settingOf(config, 'agents.research.tools.allow')).toBe('— (default)');
    expect(settingOf(config, 'providers.aws.endpoint')).toBe('— (default)');
  });

  it('come from the environment where both set them', () => {
    const file = {
      models: { defaultModel: 'opus', fallbacks: ['opus'] },
      budgets: { perDayUsd: 9 },
      queue: { mode: 'steer' },
      gates: { rateLimitPerMinute: 3 },
    };
    const shown = (config: Config) =>
      [
        'models.defaultModel',
        'models.fallbacks',
        'budgets.perDayUsd',
        'queue.mode',
        'gates.rateLimitPerMinute',
      ].map((path) => settingOf(config, path));
    expect(shown(load(file))).toEqual(['opus (file)', 'opus (file)', '9 (file)', 'steer (file)', '3 (file)']);
    const env = {
      FINCLAW_MODEL: 'haiku',
      FINCLAW_FALLBACKS: 'sonnet, opus',
      FINCLAW_DAILY_BUDGET_USD: '2.50',
      FINCLAW_QUEUE_MODE: 'queue',
      FINCLAW_RATE_LIMIT: '0',
    };
    const values = ['haiku', 'sonnet, opus', '2.50', 'queue', '0'];
    for (const settings of [file, {}])
      expect(shown(load(settings, env))).toEqual(values.map((value) => `${value} (environment)`));
    expect(load(file, env).effective.map(({ path }) => path)).not.toContain('FINCLAW_MODEL');
    expect(settingOf(load(file, { FINCLAW_FALLBACKS: 'none' }), 'models.fallbacks')).toBe('[] (environment)');
  });

  it('tell the budgets that hold where nobody set any', () => {
    expect(settingOf(load({}), 'budgets.perUserUsd')).toBe('none (default)');
    const onDiscord = load({}, { DISCORD_BOT_TOKEN: 'a.b.c' });
    expect(settingOf(onDiscord, 'budgets.perUserUsd')).toBe('2 (default)');
    expect(settingOf(onDiscord, 'budgets.perDayUsd')).toBe('20 (default)');
  });

  it('are under the name of the variable where the file has no place for them', () => {
    const config = load(
      {},
      { FINCLAW_HTTP_PORT: '8080', FINCLAW_LOCALE: 'ko', FINCLAW_DATA_DIR: '/srv/bot' },
    );
    expect(settingOf(config, 'FINCLAW_HTTP_PORT')).toBe('8080 (environment)');
    expect(settingOf(config, 'FINCLAW_LOCALE')).toBe('ko (environment)');
    expect(settingOf(config, 'FINCLAW_DATA_DIR')).toBe('/srv/bot (environment)');
  });

  it('leave no variable out that this version reads', () => {
    const config = load({});
    const placed = new Set([
      'MODEL',
      'FALLBACKS',
      'USER_BUDGET_USD',
      'DAILY_BUDGET_USD',
      'QUEUE_MODE',
      'RATE_LIMIT',
      'GROUNDING',
    ]);
    for (const name of Object.keys(environmentSchema(CHANNELS).shape))
      if (!placed.has(name.replace('FINCLAW_', ''))) settingOf(config, name);
  });

  it('are one short line each', () => {
    const config = load({
      agent: { instructions: `one\n\ntwo\u202e${'가😀'.repeat(500)}` },
      admins: { users: Array.from({ length: 200 }, (_, index) => `discord:${index}`) },
    });
    const [instructions, users] = ['agent.instructions', 'admins.users'].map((path) =>
      settingOf(config, path),
    );
    expect(instructions).toMatch(/^one two 가😀[가😀]+… \(file\)$/u);
    expect(users).toMatch(/^discord:0, discord:1, .*… \(file\)$/);
    for (const { value } of config.effective) expect(Array.from(value).length).toBeLessThanOrEqual(161);
  });

  it('cannot be changed', () => {
    const { effective } = load({});
    expect(Object.isFrozen(effective) && effective.every((setting) => Object.isFrozen(setting))).toBe(true);
  });
});

describe('secrets among the settings in force', () => {
  const KEYS = ['sk-ant-0123456789-first', 'sk-ant-0123456789-second'];

  it('are told to be set, and nothing else about them', () => {
    const config = load(
      {
        providers: {
          anthropic: { apiKey: 'sk-ant-0123456789-third' },
          openai: { apiKey: 'short' },
          defaultKeys: { openai: 'x' },
        },
      },
      {
        ANTHROPIC_API_KEY: KEYS.join(','),
        FINCLAW_SECRET_KEY: 'AAAA',
        OPENAI_BASE_URL: 'http://me:pw@localhost:1/v1?token=t',
        DATABASE_URL: 'postgres://bot:hunter22@db:5432/app',
      },
    );
    expect(
      [
        'ANTHROPIC_API_KEY',
        'FINCLAW_SECRET_KEY',
        'providers.anthropic.apiKey',
        'providers.openai.apiKey',
        'providers.defaultKeys.openai',
        'OPENAI_BASE_URL',
        'DATABASE_URL',
        'OPENAI_API_KEY',
      ].map((path) => settingOf(config, path)),
    ).toEqual([
      '[***], [***] (environment)',
      '[***] (environment)',
      '[***] (file)',
      '[***] (file)',
      '[***] (file)',
      'http://[***]@localhost:1/v1?[***] (environment)',
      'postgres://[***]@db:5432/app (environment)',
      '— (default)',
    ]);
  });

  it('are hidden wherever else they stand, also in names and in long texts', () => {
    const config = load(
      {
        agent: { instructions: `${'x'.repeat(150)} correct-horse-battery` },
        models: { aliases: { 'correct-horse': 'opus' } },
        admins: { roles: ['correct-horse'] },
        bindings: [{ agent: 'main', peers: ['correct-horse'] }],
      },
      { SOME_SERVICE_TOKEN: 'correct-horse', DATABASE_URL: 'postgres://finclaw:finclaw@db/finclaw' },
    );
    expect(settingOf(config, 'agent.instructions')).toContain('xxx [***]-bat…');
    expect(settingOf(config, 'models.aliases.[***]')).toBe('opus (file)');
    expect(settingOf(config, 'admins.roles')).toBe('[***] (file)');
    expect(settingOf(config, 'bindings.0')).toBe('{ agent: main, peers: [[***]], priority: 0 } (file)');
    expect(settingOf(config, 'DATABASE_URL')).toBe('postgres://[***]@db/[***] (environment)');
  });

  const secret = fc
    .stringMatching(/^[A-Za-z0-9!$%&+./:;=?^-]{8,40}$/)
    .filter((text) => !/^:|::|:$/.test(text));

  it('are never seen, neither here nor in /config', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(secret, secret, secret, secret, secret),
        fc.constantFrom('all', 'gates', 'models', 'FINCLAW', ''),
        async ([key, token, password, fileKey, defaultKey], view) => {
          const config = load(
            {
              providers: { anthropic: { apiKey: fileKey }, defaultKeys: { openai: defaultKey } },
              agent: { instructions: `Say ${token}, ${fileKey} and ${password}.` },
              admins: { users: [key, defaultKey, `${'y'.repeat(150)}${token}`] },
              models: { aliases: { [token]: key }, defaultModel: `${password}x` },
              bindings: [{ agent: 'main', peers: [defaultKey, token], accounts: [key] }],
            },
            {
              ANTHROPIC_BASE_URL: 'http://localhost:1',
              OPENAI_BASE_URL: `http://localhost:1/${encodeURIComponent(token)}`,
              OPENAI_API_KEY: key,
              SLACK_BOT_TOKEN: 'xoxb-1',
              SLACK_SIGNING_SECRET: token,
              SLACK_PORT: '3000',
              FINCLAW_SECRET_KEY: password,
              DATABASE_URL: `postgres://bot:${encodeURIComponent(password)}@db/${fileKey.replaceAll(/\W/g, '')}`,
            },
          );
          const { content } = await configCommand({ settings: config.effective }).execute(
            view === '' ? [] : [view],
            msgContext({ isAdmin: true }),
            new AbortController().signal,
          );
          const seen = [content, ...config.effective.flatMap(({ path, value }) => [path, value])];
          for (const hidden of [key, token, password, fileKey, defaultKey])
            expect(seen.filter((text) => text.includes(hidden))).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
