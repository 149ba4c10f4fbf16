import { mkdirSync, writeFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { temporaryDir } from '#test/support/database.ts';
import { everyRow } from '#test/support/every-row.ts';

/** A working directory with this text as its configuration file; without a text there is none. */
const setUp = (file?: string) => {
  const workingDir = temporaryDir();
  const path = join(workingDir, 'finclaw.config.json');
  if (file !== undefined) writeFileSync(path, file);
  return {
    workingDir,
    path,
    load: (env: NodeJS.ProcessEnv = {}): Config => loadConfig(env, workingDir, CHANNELS),
  };
};

const errorOf = (load: () => Config): unknown => {
  try {
    load();
  } catch (error) {
    return error;
  }
  return 'no error';
};

describe('loadConfig', () => {
  it('has a value for everything without a file and without variables', () => {
    const { workingDir, load } = setUp();
    const { effective, ...config } = load();
    expect(effective).not.toEqual([]);
    expect(config).toEqual({
      admins: { users: [], roles: [] },
      timeZone: Temporal.Now.timeZoneId(),
      isZoneConfigured: false,
      gates: {
        maxMessageChars: 20_000,
        allowBots: [],
        botLoop: { maxMessages: 20, windowSeconds: 60, silenceSeconds: 60 },
        allow: {},
        direct: { policy: 'open', users: [] },
        mention: { required: true, freeChats: [] },
        rateLimitPerMinute: 20,
      },
      queue: { maxPerSession: 50, maxPerPerson: 100, maxRunningPerPerson: 4, mode: 'collect', channels: {} },
      lanes: {
        main: { maxConcurrency: 64, maxQueueSize: 10_000, timeoutSeconds: 300 },
        cron: { maxConcurrency: 4, maxQueueSize: 1_000, timeoutSeconds: 300 },
      },
      live: { channels: {} },
      feedback: { channels: {} },
      welcome: true,
      platforms: {},
      market: { mode: 'auto', hasLiveSetup: false },
      pipeline: {
        enableAck: true,
        commandPrefix: '/',
        maxResponseLength: 100_000,
        timeoutSeconds: 300,
        respectMarketHours: false,
        privacyNote: true,
      },
      agents: {},
      bindings: [],
      alerts: {
        everySeconds: 60,
        maxPerPerson: 100,
        maxPerChannel: 50,
        maxRepeatingPerChannel: 10,
        repeatMinutesInChannel: 15,
        maxBriefingsPerChannel: 5,
      },
      portfolio: { riskFreePercent: 0, maxEntries: 10_000 },
      retentionDays: 90,
      tools: { rules: [], groups: {}, redactPatterns: [] },
      approvals: { approvers: { users: [], roles: [] }, expiresMinutes: 10 },
      plugins: [],
      skillDirectories: [],
      engine: {
        apiKeys: { anthropic: [], openai: [] },
        secretKeys: [],
        keyConfig: {
          providers: {
            anthropic: { maxConcurrency: 64, idleTimeoutSeconds: 30 },
            openai: { maxConcurrency: 64, idleTimeoutSeconds: 30, api: 'responses' },
          },
          allowDefaultKeys: false,
          defaultKeys: {},
        },
        aws: undefined,
        providers: {
          anthropic: { baseUrl: undefined, maxConcurrency: 64, idleTimeoutMs: 30_000 },
          openai: { baseUrl: undefined, maxConcurrency: 64, idleTimeoutMs: 30_000, api: 'responses' },
        },
        definitions: [],
        aliases: {},
        model: undefined,
        fallbacks: undefined,
        fallbackOn: undefined,
        maxRetriesPerKey: 1,
        maxTurns: 10,
        grounding: { mode: 'repair' },
        voice: { model: undefined, maxSeconds: 600 },
        maxOutputTokens: 8_192,
        maxContextTokens: 200_000,
        compaction: { warnAt: 0.7, compactAt: 0.85, target: 0.5, keepMessages: 6, strategy: 'hybrid' },
        maxParallelTools: 8,
        maxResultChars: 10_000,
        agents: {},
        perDayUsd: undefined,
        perUserUsd: undefined,
        timeZone: Temporal.Now.timeZoneId(),
        retentionDays: 90,
      },
      dataDir: join(workingDir, 'data'),
      backup: {
        envFile: join(workingDir, '.env'),
        directory: join(join(workingDir, 'data'), 'backups'),
        keep: 7,
        everyHours: 24,
        beforeUpgrade: true,
        keys: [],
      },
      databaseUrl: undefined,
      role: 'all',
      httpPort: undefined,
      httpHost: '127.0.0.1',
      operator: undefined,
      locale: 'auto',
      logLevel: undefined,
      secrets: [],
      warnings: [],
      settingsFiles: [join(workingDir, '.env'), join(workingDir, 'finclaw.config.json')],
    });
  });

  it('takes what the file says, and the defaults for the rest', () => {
    const file = {
      $schema: './finclaw.config.schema.json',
      admins: { users: ['discord:42'], roles: ['Operators'] },
      timeZone: 'Asia/Seoul',
      gates: { maxMessageChars: 500 },
      pipeline: { enableAck: false, timeoutSeconds: 0.5 },
    };
    const config = setUp(JSON.stringify(file)).load();
    expect(config).toMatchObject({
      admins: file.admins,
      timeZone: 'Asia/Seoul',
      gates: { maxMessageChars: 500 },
      queue: { maxPerSession: 50 },
      pipeline: { enableAck: false, maxResponseLength: 100_000, timeoutSeconds: 0.5 },
    });
    expect(config).not.toHaveProperty('$schema');
  });

  it('takes what the variables say', () => {
    const { load } = setUp();
    const config = load({
      FINCLAW_DATA_DIR: '/var/lib/finclaw',
      DATABASE_URL: 'postgresql://bot:hunter22@db:5432/app',
      FINCLAW_HTTP_PORT: '8080',
      FINCLAW_LOCALE: 'ko',
      FINCLAW_LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({
      dataDir: '/var/lib/finclaw',
      databaseUrl: 'postgresql://bot:hunter22@db:5432/app',
      httpPort: 8080,
      locale: 'ko',
      logLevel: 'debug',
    });
  });

  it('lets the variables for the queue and the rate go before the file', () => {
    const { load } = setUp('{ "queue": { "mode": "steer" }, "gates": { "rateLimitPerMinute": 5 } }');
    expect(load()).toMatchObject({ queue: { mode: 'steer' }, gates: { rateLimitPerMinute: 5 } });
    expect(load({ FINCLAW_QUEUE_MODE: 'interrupt', FINCLAW_RATE_LIMIT: '0' })).toMatchObject({
      queue: { mode: 'interrupt', maxPerSession: 50 },
      gates: { rateLimitPerMinute: 0, maxMessageChars: 20_000 },
    });
  });

  it('finds the data directory from the working directory when its path is relative', () => {
    const { workingDir, load } = setUp();
    expect(load({ FINCLAW_DATA_DIR: 'state/bot' }).dataDir).toBe(join(workingDir, 'state', 'bot'));
  });

  it('reads the file that FINCLAW_CONFIG names, and not the default one', () => {
    const { workingDir, load } = setUp('{ "queue": { "maxPerSession": 1 } }');
    mkdirSync(join(workingDir, 'etc'));
    writeFileSync(join(workingDir, 'etc', 'bot.json'), '{ "queue": { "maxPerSession": 7 } }');
    expect(load({ FINCLAW_CONFIG: 'etc/bot.json' }).queue.maxPerSession).toBe(7);
    expect(load({ FINCLAW_CONFIG: join(workingDir, 'etc', 'bot.json') }).queue.maxPerSession).toBe(7);
    expect(load().queue.maxPerSession).toBe(1);
  });

  it('reads a file that an editor began with a byte order mark', () => {
    expect(setUp('\ufeff{ "timeZone": "UTC" }').load().timeZone).toBe('UTC');
  });

  it('takes a variable that is set to nothing for not set', () => {
    const { workingDir, load } = setUp();
    const names = [
      'FINCLAW_DATA_DIR',
      'FINCLAW_CONFIG',
      'DATABASE_URL',
      'FINCLAW_HTTP_PORT',
      'FINCLAW_HTTP_HOST',
      'FINCLAW_OPERATOR_TOKEN',
      'FINCLAW_LOCALE',
      'FINCLAW_LOG_LEVEL',
      'DISCORD_BOT_TOKEN',
      'DISCORD_API_URL',
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_SIGNING_SECRET',
      'SLACK_PORT',
      'SLACK_API_URL',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'FINCLAW_MODEL',
      'FINCLAW_FALLBACKS',
      'FINCLAW_USER_BUDGET_USD',
      'FINCLAW_DAILY_BUDGET_USD',
      'FINCLAW_QUEUE_MODE',
      'FINCLAW_RATE_LIMIT',
      'FINCLAW_GROUNDING',
      'FINCLAW_SECRET_KEY',
    ];
    const config = load(Object.fromEntries(names.map((name) => [name, ''])));
    expect(config).toEqual(load());
    expect(config.dataDir).toBe(join(workingDir, 'data'));
  });

  it('carries the secrets to mask', () => {
    const [first, second] = ['sk-ant-0123456789-one-x', 'sk-ant-0123456789-two-x'];
    const config = setUp().load({
      ANTHROPIC_API_KEY: `${first},${second}`,
      FINCLAW_MODEL: 'opus',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-2',
    });
    expect(config.secrets).toEqual(expect.arrayContaining([first, second, 'xoxb-1', 'xapp-2']));
  });

  it('cannot be changed, at any depth', () => {
    const config = setUp('{ "admins": { "users": ["me"] } }').load({
      OPENAI_API_KEY: 'sk-0123456789-0123456789',
    });
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(isFrozen(config)).toBe(true);
    expect(() => Object.assign(config.queue, { maxPerSession: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.admins.users, ['intruder'])).toThrow(TypeError);
    expect(() => Object.assign(config.engine.apiKeys.openai, ['other'])).toThrow(TypeError);
    expect(config).toMatchObject({ queue: { maxPerSession: 50 }, admins: { users: ['me'] } });
  });
});

describe('loadConfig on a broken file', () => {
  everyRow([
    ['a wrong type', '{"pipeline":{"enableAck":"yes"}}', 'pipeline.enableAck', 'expected boolean', '"yes"'],
    ['a wrong type in a list', '{"admins":{"users":["a",5]}}', 'admins.users.1', 'expected string', '5'],
    [
      'a text for a list',
      '{"admins":{"roles":"Operators"}}',
      'admins.roles',
      'expected array',
      '"Operators"',
    ],
    ['a list for a section', '{"queue":[1]}', 'queue', 'expected object', '[1]'],
    ['a list for the whole', '[]', '(top level)', 'expected object', '[]'],
    ['nothing for the whole', 'null', '(top level)', 'expected object', 'null'],
    ['a number below its range', '{"queue":{"maxPerSession":0}}', 'queue.maxPerSession', '>=1', '0'],
    ['a number above its range', '{"agent":{"maxTurns":51}}', 'agent.maxTurns', '<=50', '51'],
    [
      'a time above its range',
      '{"pipeline":{"timeoutSeconds":3601}}',
      'pipeline.timeoutSeconds',
      '<=3600',
      '3601',
    ],
    ['a time of nothing', '{"pipeline":{"timeoutSeconds":0}}', 'pipeline.timeoutSeconds', '>0', '0'],
    ['half a message', '{"queue":{"maxPerSession":1.5}}', 'queue.maxPerSession', 'expected int', '1.5'],
    ['no time zone', '{"timeZone":"Mars/Base"}', 'timeZone', 'use a name such as Asia/Seoul', '"Mars/Base"'],
    [
      'a date for a time zone',
      '{"timeZone":"2020-01-01T00:00Z"}',
      'timeZone',
      'use a name such as Asia/Seoul',
      '"2020-01-01T00:00Z"',
    ],
  ])('says of %s where it is, what belongs there and what was found', (_what, file, place, advice, found) => {
    const { path, load } = setUp(file);
    const error = errorOf(load);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    const [first, ...problems] = String(error).split('\n');
    expect(first).toContain(`${path} is not valid`);
    expect(problems).toEqual([expect.stringMatching(/^ {2}\S/)]);
    expect(problems[0]).toContain(`  ${place}: `);
    expect(problems[0]).toContain(advice);
    expect(problems[0]).toContain(`(found ${found})`);
  });

  it.each([
    ['{"pipelin":{}}', 'pipelin: there is no such setting; did you mean "pipeline"?'],
    ['{"timezone":"UTC"}', 'timezone: there is no such setting; did you mean "timeZone"?'],
    [
      '{"pipeline":{"enableAcks":true}}',
      'pipeline.enableAcks: there is no such setting; did you mean "enableAck"?',
    ],
    [
      '{"color":"red"}',
      'color: there is no such setting; the settings here are admins, timeZone, gates, queue, lanes, pipeline, live, feedback, welcome, discord, agent, grounding, voice, agents, bindings, alerts, portfolio, retentionDays, backup, providers, models, budgets',
    ],
    [
      '{"queue":{"lanes":3}}',
      'queue.lanes: there is no such setting; the settings here are maxPerSession, maxPerPerson, maxRunningPerPerson, mode, channels',
    ],
    [
      '{"admins":{"owners":[]}}',
      'admins.owners: there is no such setting; the settings here are users, roles',
    ],
  ])('says of the unknown setting in %s which one could be meant', (file, sentence) => {
    expect(String(errorOf(setUp(file).load))).toContain(`\n  ${sentence}`);
  });

  it('says everything that is wrong at once', () => {
    const { load } = setUp(
      '{"queue":{"maxPerSession":0},"pipelin":{},"agent":{"maxTurns":"ten"},"nothing":1}',
    );
    const [, ...problems] = String(errorOf(load)).split('\n');
    expect(problems.map((line) => line.trim().split(':', 1).join()).toSorted()).toEqual([
      'agent.maxTurns',
      'nothing',
      'pipelin',
      'queue.maxPerSession',
    ]);
  });

  it('shows the beginning of a long value only', () => {
    const error = String(errorOf(setUp(JSON.stringify({ queue: 'x'.repeat(5_000) })).load));
    expect(error).toContain('(found "xxxx');
    expect(error.length).toBeLessThan(500);
  });

  it.each([
    ['{ "queue": { "maxPerSession": 5 }, }', 'line 1 column'],
    ['{\n  queue: 5\n}', 'line 2 column'],
    ['', 'Unexpected end'],
  ])('says where the text %j is not JSON', (file, where) => {
    const { path, load } = setUp(file);
    const error = errorOf(load);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    expect(String(error)).toContain(`${path} is not valid JSON`);
    expect(String(error)).toContain(where);
  });

  it.each([
    ['is missing', 'missing.json', 'ENOENT'],
    ['is a directory', '.', 'EISDIR'],
  ])('says which file FINCLAW_CONFIG names when it %s', (_what, name, reason) => {
    const { workingDir, load } = setUp();
    const error = errorOf(() => load({ FINCLAW_CONFIG: name }));
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    expect(String(error)).toContain(
      `The configuration file ${join(workingDir, name)} cannot be read: ${reason}`,
    );
  });
});
