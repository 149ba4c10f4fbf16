import { describe, expect, it } from 'vitest';
import { load, problemsOf } from './support.ts';

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

  it.each([
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
    expect(load({}).live).toEqual({ mode: 'status', channels: {} });
    const live = { mode: 'off', channels: { slack: 'stream', 'discord:123': 'status' } };
    expect(load({ live }).live).toEqual(live);
  });

  it('names a mode that does not exist, and a place that is none', () => {
    expect(problemsOf({ live: { mode: 'loud' } }).join()).toContain('live.mode');
    expect(problemsOf({ live: { channels: { 'Discord 123': 'off' } } }).join()).toContain('discord:123');
  });
});
