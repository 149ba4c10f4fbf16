import { writeFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { temporaryDir } from '#test/support/database.ts';

const ANTHROPIC = ['sk-ant-0123456789-first', 'sk-ant-0123456789-second'] as const;
const OPENAI = ['sk-proj-0123456789-first', 'sk-0123456789-0123-second'] as const;

/** Settings of the environment and of the file, as one configuration. */
const load = (env: NodeJS.ProcessEnv, file: object = {}): Config => {
  const workingDir = temporaryDir();
  writeFileSync(join(workingDir, 'finclaw.config.json'), JSON.stringify(file));
  return loadConfig(env, workingDir, CHANNELS);
};
const engineOf = (env: NodeJS.ProcessEnv, file?: object) => load(env, file).engine;

const errorOf = (env: NodeJS.ProcessEnv, file?: object): string => {
  try {
    load(env, file);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    return String(error);
  }
  throw new Error('It was accepted');
};

describe('the keys of the environment', () => {
  it('are one each, or several separated by commas, without the spaces and empty places between', () => {
    const { apiKeys } = engineOf({
      ANTHROPIC_API_KEY: ANTHROPIC[0],
      OPENAI_API_KEY: ` ${OPENAI[0]} ,, ${OPENAI[1]},`,
    });
    expect(apiKeys).toEqual({ anthropic: [ANTHROPIC[0]], openai: [...OPENAI] });
  });

  it.each([
    ['a key of the other provider', 'OPENAI_API_KEY', ANTHROPIC[0], 'openai (sk-…)'],
    ['a key of the other provider', 'ANTHROPIC_API_KEY', OPENAI[0], 'anthropic (sk-ant-…)'],
    ['half a key', 'ANTHROPIC_API_KEY', 'sk-ant-0123', 'anthropic (sk-ant-…)'],
    ['a sentence', 'OPENAI_API_KEY', 'sk-put your own key here', 'openai (sk-…)'],
    ['another alphabet', 'OPENAI_API_KEY', 'sk-0123456789-열쇠-0123456789', 'openai (sk-…)'],
  ])('are refused when one is %s (%s), and are never repeated', (_what, name, key, form) => {
    const error = errorOf({ [name]: key });
    expect(error).toContain(`  ${name}: the key does not look like a key of ${form}; copy it again`);
    expect(error).not.toContain(key);
    expect(error).not.toContain(key.slice(0, 9));
  });

  it('are told apart by their place, so that the wrong one is found without being shown', () => {
    const error = errorOf({
      ANTHROPIC_API_KEY: `${ANTHROPIC[0]},wrong-one-0123456789,${ANTHROPIC[1]}`,
      OPENAI_API_KEY: 'wrong-two-0123456789',
    });
    expect(error).toContain('ANTHROPIC_API_KEY: key 2 of 3 does not look like');
    expect(error).toContain('OPENAI_API_KEY: the key does not look like');
    expect(error).not.toMatch(/wrong-|0123456789/);
  });

  it.each([
    ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'anthropic'],
    ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'openai'],
  ] as const)(
    'may have any form in %s behind %s, but still must fit into a header',
    (name, base, provider) => {
      const env = { [base]: 'http://127.0.0.1:11434/v1' };
      expect(engineOf({ ...env, [name]: 'ollama' }).apiKeys[provider]).toEqual(['ollama']);
      expect(errorOf({ ...env, [name]: 'two words' })).toContain(name);
    },
  );

  it('may not have any form behind the address of the other provider', () => {
    expect(errorOf({ OPENAI_API_KEY: 'ollama', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })).toContain(
      'OPENAI_API_KEY',
    );
  });

  it.each([',', ' , ,'])('are missing where a variable holds only %j', (value) => {
    expect(errorOf({ ANTHROPIC_API_KEY: value })).toContain('ANTHROPIC_API_KEY: holds no key');
  });

  it('are masked, each and as a whole, and so are those that stand in the file', () => {
    const { secrets } = load(
      { OPENAI_API_KEY: OPENAI.join(',') },
      {
        providers: {
          anthropic: { apiKey: `${ANTHROPIC[0]}-in-the-file` },
          openai: { apiKey: `${OPENAI[0]}-in-the-file` },
          defaultKeys: { anthropic: 'default-a', openai: 'default-o' },
        },
      },
    );
    expect(new Set(secrets)).toEqual(
      new Set([
        ...OPENAI,
        OPENAI.join(','),
        `${ANTHROPIC[0]}-in-the-file`,
        `${OPENAI[0]}-in-the-file`,
        'default-a',
        'default-o',
      ]),
    );
  });

  it.each(['anthropic', 'openai'] as const)('of the file (%s) are looked at in the same way', (provider) => {
    const wrong = { providers: { [provider]: { apiKey: 'wrong-one-0123456789' } } };
    const error = errorOf({}, wrong);
    expect(error).toContain(
      `  providers.${provider}.apiKey: the key does not look like a key of ${provider}`,
    );
    expect(error).not.toContain('wrong-one');
    const base = { [`${provider.toUpperCase()}_BASE_URL`]: 'http://127.0.0.1:1' };
    expect(engineOf(base, wrong).keyConfig.providers[provider].apiKey).toBe('wrong-one-0123456789');
  });

  it('in AWS need the region in which they are kept', () => {
    const openai = { awsSecretId: 'prod/key' };
    expect(errorOf({}, { providers: { openai } })).toContain(
      'providers.openai.awsSecretId: needs providers.aws.region',
    );
    expect(engineOf({}, { providers: { openai, aws: { region: 'eu-west-1' } } }).aws).toEqual({
      region: 'eu-west-1',
    });
  });

  it('that seal stored ones are missing where their variable holds only a comma', () => {
    expect(errorOf({ FINCLAW_SECRET_KEY: ' , ' })).toContain('FINCLAW_SECRET_KEY: holds no key');
  });

  it('that seal the stored keys may be several, the newest first', () => {
    expect(engineOf({ FINCLAW_SECRET_KEY: 'new-secret, old-secret' }).secretKeys).toEqual([
      'new-secret',
      'old-secret',
    ]);
  });
});

describe('the addresses of the providers', () => {
  it('are those of the environment', () => {
    const { providers } = engineOf({
      ANTHROPIC_BASE_URL: 'https://proxy.example.com/anthropic',
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
    });
    expect(providers.anthropic.baseUrl).toBe('https://proxy.example.com/anthropic');
    expect(providers.openai.baseUrl).toBe('http://127.0.0.1:11434/v1');
  });

  it.each(['models.internal', 'ftp://example.com', 'file:///etc/passwd', 'user:hunter22@example.com'])(
    'are refused when they are none for HTTP, and are not repeated: %s',
    (value) => {
      const error = errorOf({ OPENAI_BASE_URL: value });
      expect(error).toContain('OPENAI_BASE_URL: must be an address such as https://');
      expect(error).not.toContain(value);
    },
  );
});

describe('the model and its fallbacks', () => {
  const models = { defaultModel: 'sonnet', fallbacks: ['haiku'] };

  it('are those of the file where the environment says nothing', () => {
    expect(engineOf({}, { models })).toMatchObject({ model: 'sonnet', fallbacks: ['haiku'] });
  });

  it('are those of the environment before those of the file', () => {
    const env = { FINCLAW_MODEL: ' opus ', FINCLAW_FALLBACKS: 'gpt-6 , haiku,' };
    expect(engineOf(env, { models })).toMatchObject({ model: 'opus', fallbacks: ['gpt-6', 'haiku'] });
  });

  it('are none at all when the environment says none, also against the file', () => {
    for (const none of ['none', ' None ', 'NONE,'])
      expect(engineOf({ FINCLAW_FALLBACKS: none }, { models }).fallbacks).toEqual([]);
    expect(engineOf({}, { models: { fallbacks: [] } }).fallbacks).toEqual([]);
  });

  it('are not meant by a variable that names none', () => {
    expect(errorOf({ FINCLAW_FALLBACKS: ' , ' })).toContain('FINCLAW_FALLBACKS: names no model; use none');
  });

  it('are left to the program where nobody says anything', () => {
    expect(engineOf({}).fallbacks).toBeUndefined();
  });

  it('are tried again for the reasons that the file names, and for no invented ones', () => {
    const reasons = ['rate-limit', 'context-overflow'];
    expect(engineOf({}, { models: { fallbackOn: reasons } }).fallbackOn).toEqual(reasons);
    expect(errorOf({}, { models: { fallbackOn: ['bad-mood'] } })).toContain('models.fallbackOn.0');
  });
});

describe('the daily budgets', () => {
  it('are those of the file, and the one for everybody that of the environment before it', () => {
    const budgets = { perDayUsd: 5, perUserUsd: 0.25 };
    expect(engineOf({}, { budgets })).toMatchObject({ perDayUsd: '5', perUserUsd: '0.25' });
    expect(engineOf({ FINCLAW_DAILY_BUDGET_USD: '2.50' }, { budgets })).toMatchObject({
      perDayUsd: '2.50',
      perUserUsd: '0.25',
    });
  });

  it('may be zero, which is not the same as none', () => {
    expect(engineOf({ FINCLAW_DAILY_BUDGET_USD: '0' }, { budgets: { perUserUsd: 0 } })).toMatchObject({
      perDayUsd: '0',
      perUserUsd: '0',
    });
  });

  it.each(['-1', '$5', '5,00', '1e3', 'nothing', '1.1234567', 'Infinity'])(
    'are refused when they are no amount: %s',
    (value) => {
      expect(errorOf({ FINCLAW_DAILY_BUDGET_USD: value })).toContain(
        'FINCLAW_DAILY_BUDGET_USD: must be an amount of US dollars such as 5 or 2.50',
      );
    },
  );

  it('are those of the variables before those of the file, and none is no limit', () => {
    const budgets = { perDayUsd: 5, perUserUsd: 0.25 };
    expect(engineOf({ FINCLAW_USER_BUDGET_USD: '0.5' }, { budgets })).toMatchObject({
      perDayUsd: '5',
      perUserUsd: '0.5',
    });
    const none = { perDayUsd: undefined, perUserUsd: undefined };
    expect(
      engineOf({ FINCLAW_USER_BUDGET_USD: 'none', FINCLAW_DAILY_BUDGET_USD: 'None' }, { budgets }),
    ).toMatchObject(none);
    expect(engineOf({}, { budgets: { perDayUsd: 'none', perUserUsd: 'none' } })).toMatchObject(none);
  });

  it.each([
    ['Discord', { DISCORD_BOT_TOKEN: 'a.b.c' }],
    ['Slack', { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }],
  ])('have defaults where %s is on, which a setting or none replaces', (_platform, tokens) => {
    expect(engineOf(tokens)).toMatchObject({ perUserUsd: '2', perDayUsd: '20' });
    expect(
      engineOf({ ...tokens, FINCLAW_DAILY_BUDGET_USD: 'none' }, { budgets: { perUserUsd: 0.5 } }),
    ).toMatchObject({
      perUserUsd: '0.5',
      perDayUsd: undefined,
    });
  });

  it('have no defaults in the terminal', () => {
    expect(engineOf({})).toMatchObject({ perUserUsd: undefined, perDayUsd: undefined });
  });

  it('of the file are refused below zero', () => {
    expect(errorOf({}, { budgets: { perUserUsd: -0.01 } })).toContain('budgets.perUserUsd');
  });
});

describe('how long the use of models is remembered', () => {
  it.each([1, 30, 3_650])('is what the file says: %d days', (retentionDays) => {
    expect(engineOf({}, { retentionDays }).retentionDays).toBe(retentionDays);
  });

  it.each([0, -1, 1.5, 3_651, '90', null])('is refused when it is no number of days: %j', (retentionDays) => {
    expect(errorOf({}, { retentionDays })).toContain('  retentionDays: ');
  });
});

const entryOf = (definition: object) =>
  engineOf({}, { models: { definitions: { 'qwen3:8b': definition } } }).definitions[0];

describe('models of the configuration', () => {
  const local = { provider: 'openai', contextWindow: 32_000, maxOutputTokens: 4_000 };

  it('have the form of the catalog, and are trusted with little unless the file says more', () => {
    expect(entryOf(local)).toEqual({
      id: 'qwen3:8b',
      displayName: 'qwen3:8b',
      ...local,
      capabilities: {
        vision: false,
        functionCalling: true,
        streaming: true,
        extendedThinking: false,
        temperature: true,
        numericalReasoningTier: 'low',
      },
      pricing: null,
      aliases: [],
      deprecated: false,
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  it('have their price, their day and their abilities from the file', () => {
    const prices = { inputPerMillion: 1, outputPerMillion: 2, cacheReadPerMillion: 0.1 };
    const entry = entryOf({
      ...local,
      displayName: 'Qwen',
      aliases: ['qwen'],
      pricing: { ...prices, asOf: '2026-10-01' },
      vision: true,
      streaming: false,
    });
    expect(entry).toMatchObject({ displayName: 'Qwen', aliases: ['qwen'], asOf: '2026-10-01' });
    expect(entry?.pricing).toEqual(prices);
    expect(entry?.capabilities).toMatchObject({ vision: true, streaming: false, functionCalling: true });
  });

  it('that cost nothing have a price of zero, and no unknown one', () => {
    expect(entryOf({ ...local, pricing: { inputPerMillion: 0, outputPerMillion: 0 } })?.pricing).toEqual({
      inputPerMillion: 0,
      outputPerMillion: 0,
    });
  });

  it.each([
    ['without a provider', { contextWindow: 32_000, maxOutputTokens: 4_000 }, 'provider'],
    ['of an unknown provider', { ...local, provider: 'acme' }, 'provider'],
    ['with a window that holds nothing', { ...local, contextWindow: 100 }, 'contextWindow'],
    ['with an invented ability', { ...local, telepathy: true }, 'telepathy'],
    [
      'with a negative price',
      { ...local, pricing: { inputPerMillion: -1, outputPerMillion: 1 } },
      'pricing.inputPerMillion',
    ],
  ])('are refused %s, by their place in the file', (_what, definition, place) => {
    expect(errorOf({}, { models: { definitions: { 'qwen3:8b': definition } } })).toContain(
      `models.definitions.qwen3:8b.${place}: `,
    );
  });

  it('get names of their own', () => {
    expect(engineOf({}, { models: { aliases: { fast: 'haiku' } } }).aliases).toEqual({ fast: 'haiku' });
    expect(errorOf({}, { models: { aliases: { fast: '' } } })).toContain('models.aliases.fast');
  });
});

describe('how providers are asked', () => {
  it('is what the file says, in milliseconds where the program counts in them', () => {
    const engine = engineOf(
      {},
      {
        providers: {
          anthropic: { maxConcurrency: 2, idleTimeoutSeconds: 1.5, awsSecretId: 'prod/key' },
          openai: { api: 'chat' },
          aws: { region: 'ap-northeast-2' },
        },
        agent: {
          maxTurns: 3,
          maxOutputTokens: 1_000,
          maxContextTokens: 50_000,
          maxParallelTools: 2,
          maxResultChars: 900,
        },
        models: { maxRetriesPerKey: 0 },
      },
    );
    expect(engine).toMatchObject({
      providers: {
        anthropic: { maxConcurrency: 2, idleTimeoutMs: 1_500 },
        openai: { maxConcurrency: 64, api: 'chat' },
      },
      keyConfig: { providers: { anthropic: { awsSecretId: 'prod/key' } } },
      aws: { region: 'ap-northeast-2' },
      maxTurns: 3,
      maxOutputTokens: 1_000,
      maxContextTokens: 50_000,
      maxParallelTools: 2,
      maxResultChars: 900,
      maxRetriesPerKey: 0,
    });
  });
});
