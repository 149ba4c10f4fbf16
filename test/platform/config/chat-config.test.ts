import { describe, expect, it } from 'vitest';
import { CHANNELS } from '#channels/index.ts';
import { configFileSchema } from '#src/platform/config/config-file.ts';
import { QUEUE_MODES } from '#src/kernel/chat/queue.ts';
import { everyRow } from '#test/support/every-row.ts';
import { load, problemsOf } from './support.ts';

describe('gates', () => {
  it('are set one by one, and the others keep their defaults', () => {
    const gates = {
      allowBots: ['discord:77'],
      botLoop: { maxMessages: 3 },
      allow: { users: ['discord:1'], guilds: ['9'] },
      direct: { policy: 'pairing' },
      mention: { freeChats: ['slack:C1'] },
      rateLimitPerMinute: 0,
    };
    expect(load({ gates }).gates).toEqual({
      ...gates,
      maxMessageChars: 20_000,
      botLoop: { maxMessages: 3, windowSeconds: 60, silenceSeconds: 60 },
      direct: { policy: 'pairing', users: [] },
      mention: { required: true, freeChats: ['slack:C1'] },
    });
  });

  it('tell an empty list, which is nobody, from one that is left out, which is everybody', () => {
    const { allow } = load({ gates: { allow: { users: [], channels: [] } } }).gates;
    expect(allow).toEqual({ users: [], channels: [] });
    expect(Object.keys(allow)).toEqual(['users', 'channels']);
  });

  it('read ids without the blanks around them', () => {
    expect(load({ gates: { allow: { roles: [' Desk One '] } } }).gates.allow.roles).toEqual(['Desk One']);
  });

  everyRow([
    [{ rateLimitPerMinute: -1 }, /^gates\.rateLimitPerMinute: .*>=0.*found -1/],
    [{ rateLimitPerMinute: 10_001 }, /^gates\.rateLimitPerMinute: .*<=10000.*found 10001/],
    [{ rateLimitPerMinute: 2.5 }, /^gates\.rateLimitPerMinute: .*expected int/],
    [{ allowBots: 'all' }, /^gates\.allowBots: .*expected array.*found "all"/],
    [{ allowBots: [' '] }, /^gates\.allowBots\.0: must not be empty/],
    [{ botLoop: { maxMessages: 0 } }, /^gates\.botLoop\.maxMessages: .*>=1/],
    [{ botLoop: { windowSeconds: 0 } }, /^gates\.botLoop\.windowSeconds: .*>0/],
    [{ botLoop: { silenceSeconds: 3_601 } }, /^gates\.botLoop\.silenceSeconds: .*<=3600/],
    [{ allow: { users: [''] } }, /^gates\.allow\.users\.0: must not be empty/],
    [{ allowBots: ['discord:*'] }, /^gates\.allowBots\.0: is not a user id; .*no wildcards/],
    [{ direct: { users: ['slack:*'] } }, /^gates\.direct\.users\.0: is not a user id; .*no wildcards/],
    [{ allow: { roles: ['99:*'] } }, /^gates\.allow\.roles\.0: is not a role; write its id, or 123:Name/],
    [{ allow: { roles: ['<@&7>'] } }, /^gates\.allow\.roles\.0: is not a role/],
    [
      { allow: { guilds: ['*'] } },
      /^gates\.allow\.guilds\.0: is not the id of a server or team; .*no wildcards/,
    ],
    [{ allow: { channels: ['discord:*'] } }, /^gates\.allow\.channels\.0: .*write discord for all of/],
    [{ mention: { freeChats: ['#general'] } }, /^gates\.mention\.freeChats\.0: is neither a platform/],
    [{ allow: { users: null } }, /^gates\.allow\.users: .*expected array.*found null/],
    [{ allow: { user: ['1'] } }, /^gates\.allow\.user: there is no such setting; did you mean "users"\?/],
    [{ direct: { policy: 'closed' } }, /^gates\.direct\.policy: .*"open"\|"allowlist"\|"pairing".*"closed"/],
    [{ mention: { required: 'yes' } }, /^gates\.mention\.required: .*expected boolean/],
    [{ mention: false }, /^gates\.mention: .*expected object/],
    [{ ratelimitPerMinute: 5 }, /^gates\.ratelimitPerMinute: .*did you mean "rateLimitPerMinute"\?/],
  ])('say of %j where it is and what to write', (gates, message) => {
    expect(problemsOf({ gates })).toEqual([expect.stringMatching(message)]);
  });
});

describe('lanes', () => {
  it('stay within their bounds', () => {
    const lanes = {
      main: { maxConcurrency: 0, maxQueueSize: 100_001 },
      cron: { maxConcurrency: 1_001, timeoutSeconds: 0 },
      subagent: {},
    };
    expect(problemsOf({ lanes })).toEqual([
      expect.stringMatching(/^lanes\.main\.maxConcurrency: .*>=1/),
      expect.stringMatching(/^lanes\.main\.maxQueueSize: .*<=100000/),
      expect.stringMatching(/^lanes\.cron\.maxConcurrency: .*<=1000/),
      expect.stringMatching(/^lanes\.cron\.timeoutSeconds: .*>0/),
      expect.stringMatching(/^lanes\.subagent: there is no such setting/),
    ]);
  });
});

describe('queue', () => {
  everyRow(QUEUE_MODES)('takes the mode %s, from the file and from the environment', (mode) => {
    expect(load({ queue: { mode } }).queue.mode).toBe(mode);
    expect(load({ queue: { mode: 'queue' } }, { FINCLAW_QUEUE_MODE: mode }).queue.mode).toBe(mode);
  });

  it('has other modes for platforms and chats', () => {
    const channels = { discord: 'steer', 'slack:C0:1': 'interrupt', my_net: 'queue' };
    expect(load({ queue: { channels } }).queue).toMatchObject({ mode: 'collect', channels });
  });

  it.each([
    [{ mode: 'fifo' }, /^queue\.mode: .*"queue"\|"followup"\|"collect"\|"steer".*found "fifo"/],
    [{ channels: { discord: 'fast' } }, /^queue\.channels\.discord: .*"interrupt".*found "fast"/],
    [
      { channels: { '123': 'queue' } },
      /^queue\.channels\.123: is neither a platform nor a chat; write a name such as discord, or discord:123/,
    ],
    [{ channels: { 'discord:': 'queue' } }, /^queue\.channels\.discord:: is neither a platform nor a chat/],
    [{ channels: { 'a b': 'queue' } }, /^queue\.channels\.a b: is neither a platform nor a chat/],
    [{ channels: { 'discord:*': 'queue' } }, /^queue\.channels\.discord:\*: .*no wildcards/],
    [{ channels: ['discord'] }, /^queue\.channels: .*expected record/],
  ])('says of %j where it is and what to write', (queue, message) => {
    expect(problemsOf({ queue })).toEqual([expect.stringMatching(message)]);
  });
});

const BLANK_OR_LETTER = ['', '!!!!', 'a', '!a', '봇', 'é', 'e\u0301', '1', '٣', ' ', '! ', '\u3000', '\t'];
const UNSEEN = ['\u200b', '\u202e', '!\n'];
const FORBIDDEN = [...BLANK_OR_LETTER, ...UNSEEN, ...'<>@#`*_~|\\'.split('')];

describe('pipeline', () => {
  it('takes all of its settings', () => {
    const pipeline = {
      enableAck: false,
      commandPrefix: '!!',
      maxResponseLength: 200,
      timeoutSeconds: 1,
      respectMarketHours: true,
      markets: ['KRX'],
      privacyNote: false,
    };
    expect(load({ pipeline }).pipeline).toEqual(pipeline);
  });

  everyRow(['!', '//', '?!.', '$', '-', ';', '❗', '。', '¿'])(
    'lets commands begin with %s',
    (commandPrefix) => {
      expect(load({ pipeline: { commandPrefix } }).pipeline.commandPrefix).toBe(commandPrefix);
    },
  );

  everyRow(FORBIDDEN)('does not let commands begin with %j', (commandPrefix) => {
    const [problem, ...others] = problemsOf({ pipeline: { commandPrefix } });
    expect(problem).toContain('pipeline.commandPrefix: must be one to three signs such as ! or //');
    expect(others).toEqual([]);
  });

  it.each([
    [{ markets: [] }, /^pipeline\.markets: must name at least one market, such as KRX; leave it out/],
    [{ markets: [''] }, /^pipeline\.markets\.0: must not be empty/],
    [{ markets: 'KRX' }, /^pipeline\.markets: .*expected array.*found "KRX"/],
    [{ respectMarketHours: 1 }, /^pipeline\.respectMarketHours: .*expected boolean/],
    [{ privacyNote: 'no' }, /^pipeline\.privacyNote: .*expected boolean/],
  ])('says of %j where it is and what to write', (pipeline, message) => {
    expect(problemsOf({ pipeline })).toEqual([expect.stringMatching(message)]);
  });
});

describe('retentionDays', () => {
  it('is told to the engine and to the rest alike', () => {
    const config = load({ retentionDays: 7 });
    expect([config.retentionDays, config.engine.retentionDays]).toEqual([7, 7]);
  });

  it('says what is kept for so long', () => {
    expect(configFileSchema(CHANNELS).shape.retentionDays.description).toBe(
      'Days for which answered messages, answers, ratings of answers, conversations and usage records are kept. A conversation that stays in use is kept whole, with its compacted parts, until its newest entry is that old.',
    );
  });
});

describe('the platforms', () => {
  it('are none without a token: then there is the terminal', () => {
    expect(load({}).platforms).toEqual({});
    expect(load({}, { DISCORD_BOT_TOKEN: '', SLACK_BOT_TOKEN: '' }).platforms).toEqual({});
  });

  it('are those that have their tokens, with the address they are reached at', () => {
    const env = {
      DISCORD_BOT_TOKEN: ' abc.def.ghi ',
      DISCORD_API_URL: 'http://127.0.0.1:4000/api',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-2',
    };
    expect(load({ discord: { commandGuilds: ['42'] } }, env).platforms).toEqual({
      discord: { token: 'abc.def.ghi', apiUrl: 'http://127.0.0.1:4000/api', commandGuilds: ['42'] },
      slack: { botToken: 'xoxb-1', appToken: 'xapp-2' },
    });
  });

  it('take Slack in HTTP mode, with a secret and a port instead of the app token, and hide the secret', () => {
    const secret = '8f742231b10e8888abcd';
    const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: ` ${secret} `, SLACK_PORT: '3000' };
    const { platforms, secrets, effective } = load({}, env);
    const signed = { botToken: 'xoxb-1', signingSecret: secret, port: 3_000 };
    expect(platforms).toEqual({ slack: { ...signed, host: '127.0.0.1' } });
    expect(secrets).toContain(secret);
    expect(effective.find(({ path }) => path === 'SLACK_SIGNING_SECRET')?.value).toBe('[***]');
    expect(effective.find(({ path }) => path === 'SLACK_PORT')?.value).toBe('3000');
  });

  const HTTP = { SLACK_SIGNING_SECRET: 'abc', SLACK_PORT: '3000' };

  it.each([
    [{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'abc' }, /^SLACK_PORT: is missing.*HTTP mode/],
    [
      { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_PORT: '3000' },
      /^SLACK_SIGNING_SECRET: is missing.*Basic Information/,
    ],
    [{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', ...HTTP }, /^SLACK_APP_TOKEN: .*remove/],
    [
      { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', SLACK_PORT: '3000' },
      /^SLACK_APP_TOKEN: .*remove/,
    ],
    [HTTP, /^SLACK_BOT_TOKEN: is missing.*OAuth & Permissions/],
    [{ SLACK_BOT_TOKEN: 'xoxb-1', ...HTTP, SLACK_PORT: 'web' }, /SLACK_PORT.*must be a port number/],
    [{ ...HTTP, SLACK_SIGNING_SECRET: 'xapp-1' }, /SLACK_SIGNING_SECRET.*not a token/],
    [{ SLACK_BOT_TOKEN: 'xoxb-1' }, /^SLACK_APP_TOKEN: is missing.*connections:write/],
    [{ SLACK_APP_TOKEN: 'xapp-1' }, /^SLACK_BOT_TOKEN: is missing.*OAuth & Permissions/],
    [{ SLACK_BOT_TOKEN: 'xapp-1', SLACK_APP_TOKEN: 'xapp-1' }, /SLACK_BOT_TOKEN.*must begin with xoxb-/],
    [{ SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xoxb-1' }, /SLACK_APP_TOKEN.*must begin with xapp-/],
    [{ DISCORD_BOT_TOKEN: 'Bot abc.def' }, /DISCORD_BOT_TOKEN.*without the word Bot/],
    [{ DISCORD_BOT_TOKEN: 'abc', DISCORD_API_URL: 'discord' }, /DISCORD_API_URL.*must be an address/],
  ])('say which token is wrong or missing, and where it is found: %o', (env, problem) => {
    const problems = problemsOf({}, env);
    expect(problems).toEqual([expect.stringMatching(problem)].concat(problems.slice(1)));
    expect(problems.join()).not.toContain('abc');
  });
});

describe('what is shown while an answer is made', () => {
  it('is what is being done, unless something else is chosen for a platform or a chat', () => {
    expect(load({}).live).toEqual({ channels: {} });
    const live = { mode: 'off', channels: { slack: 'stream', 'discord:123': 'status' } };
    expect(load({ live }).live).toEqual(live);
  });

  it('names a mode that does not exist, and a place that is none', () => {
    expect(problemsOf({ live: { mode: 'loud' } }).join()).toContain('live.mode');
    expect(problemsOf({ live: { channels: { 'Discord 123': 'off' } } }).join()).toContain('discord:123');
  });
});
