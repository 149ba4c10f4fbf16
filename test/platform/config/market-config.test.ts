import { describe, expect, it } from 'vitest';
import type { MarketConfig } from '#src/platform/config/config.ts';
import { load, problemsOf } from './support.ts';

const marketOf = (env: NodeJS.ProcessEnv, file: object = {}): MarketConfig => load(file, env).market;

describe('where prices come from', () => {
  it('is decided by itself for somebody who only tries the bot out', () => {
    expect(marketOf({})).toEqual({ mode: 'auto', hasLiveSetup: false });
    expect(marketOf({ FINCLAW_MARKET: '', ANTHROPIC_API_KEY: '' })).toEqual(marketOf({}));
  });

  it.each([
    ['a Discord token', { DISCORD_BOT_TOKEN: 'abc' }, {}],
    ['a Slack token', { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }, {}],
    ['a key for Claude', { ANTHROPIC_API_KEY: 'sk-ant-secret-of-claude-1111' }, {}],
    ['a key for GPT', { OPENAI_API_KEY: 'sk-secret-of-gpt-2222' }, {}],
    ['a key in the file', {}, { providers: { anthropic: { apiKey: 'sk-ant-secret-of-claude-1111' } } }],
    [
      'a key that lies with AWS',
      {},
      { providers: { aws: { region: 'ap-northeast-2' }, openai: { awsSecretId: 'prod/openai' } } },
    ],
  ])('is in earnest with %s', (_what, env, file) => {
    expect(marketOf(env, file)).toMatchObject({ mode: 'auto', hasLiveSetup: true });
  });

  it('can be fixed, and asked at another address', () => {
    const env = {
      FINCLAW_MARKET: 'yahoo',
      FINCLAW_YAHOO_URL: 'http://127.0.0.1:1',
      FINCLAW_UPBIT_URL: 'http://127.0.0.1:2',
    };
    expect(marketOf(env)).toEqual({
      mode: 'yahoo',
      hasLiveSetup: false,
      yahooUrl: 'http://127.0.0.1:1',
      upbitUrl: 'http://127.0.0.1:2',
    });
    expect(problemsOf({}, { FINCLAW_MARKET: 'nasdaq' }).join()).toContain('FINCLAW_MARKET');
    expect(problemsOf({}, { FINCLAW_YAHOO_URL: 'yahoo' }).join()).toContain('FINCLAW_YAHOO_URL');
  });
});
