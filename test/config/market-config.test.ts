import { describe, expect, it } from 'vitest';
import { configFileSchema } from '#src/config/config-file.ts';
import { environmentSchema } from '#src/config/environment.ts';
import { marketConfig } from '#src/config/market-config.ts';

const marketOf = (env: NodeJS.ProcessEnv, file: object = {}) =>
  marketConfig(environmentSchema.parse(env), configFileSchema.parse(file));

describe('where prices come from', () => {
  it('is decided by itself for somebody who only tries the bot out', () => {
    expect(marketOf({})).toEqual({ mode: 'auto', isConfigured: false });
    expect(marketOf({ FINCLAW_MARKET: '', ANTHROPIC_API_KEY: '' })).toEqual(marketOf({}));
  });

  it.each([
    ['a Discord token', { DISCORD_BOT_TOKEN: 'abc' }, {}],
    ['a Slack token', { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }, {}],
    ['a key for Claude', { ANTHROPIC_API_KEY: 'geheim' }, {}],
    ['a key for GPT', { OPENAI_API_KEY: 'geheim' }, {}],
    ['a key in the file', {}, { providers: { anthropic: { apiKey: 'geheim' } } }],
    [
      'a key that lies with AWS',
      {},
      { providers: { aws: { region: 'ap-northeast-2' }, openai: { awsSecretId: 'prod/openai' } } },
    ],
  ])('is in earnest with %s', (_what, env, file) => {
    expect(marketOf(env, file)).toMatchObject({ mode: 'auto', isConfigured: true });
  });

  it('can be fixed, and asked at another address', () => {
    const env = {
      FINCLAW_MARKET: 'yahoo',
      FINCLAW_YAHOO_URL: 'http://127.0.0.1:1',
      FINCLAW_UPBIT_URL: 'http://127.0.0.1:2',
    };
    expect(marketOf(env)).toEqual({
      mode: 'yahoo',
      isConfigured: false,
      yahooUrl: 'http://127.0.0.1:1',
      upbitUrl: 'http://127.0.0.1:2',
    });
    expect(environmentSchema.safeParse({ FINCLAW_MARKET: 'nasdaq' }).success).toBe(false);
    expect(environmentSchema.safeParse({ FINCLAW_YAHOO_URL: 'yahoo' }).success).toBe(false);
  });
});
