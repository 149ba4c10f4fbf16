import { describe, expect, it } from 'vitest';
import { checkSlack } from '#channels/slack/check.ts';
import { BOT_SCOPES, slackManifest } from '#channels/slack/manifest.ts';
import { commandDefinitions } from '#commands/index.ts';
import { setUpChannel } from './fixture.ts';

describe('the manifest of the Slack app', () => {
  it('has every command but those that Slack reserves, with what to type, and keeps its limits', () => {
    const { features, settings, oauth_config: oauth } = slackManifest(commandDefinitions);
    const names = features.slash_commands.map(({ command }) => command);
    expect(names).toEqual(expect.arrayContaining(['/finclaw', '/price', '/usage']));
    expect(names).not.toContain('/status');
    expect(new Set(names).size).toBe(names.length);
    expect(features.slash_commands.find(({ command }) => command === '/price')).toEqual({
      command: '/price',
      description: 'the price of a stock, coin or currency · 종목, 코인, 환율의 시세를 보여 줍니다',
      usage_hint: 'AAPL · 삼성전자',
      should_escape: true,
    });
    for (const { command, description } of features.slash_commands) {
      expect(command).toMatch(/^\/[a-z0-9_-]{1,32}$/);
      expect(description.length).toBeGreaterThan(0);
    }
    expect(settings.socket_mode_enabled).toBe(true);
    expect(oauth.scopes.bot).toContain('chat:write');
    expect(settings.event_subscriptions.bot_events).toEqual(
      expect.arrayContaining(['app_mention', 'message.im', 'user_change', 'channel_rename', 'group_rename']),
    );
  });
});

describe('the check of a Slack set-up', () => {
  it('says what is there, what is missing and how to mend it', async () => {
    const { fake } = await setUpChannel({ isStarted: false });
    const settings = { botToken: fake.botToken, appToken: fake.appToken, apiUrl: fake.apiUrl };
    const statuses = async (more: Partial<typeof settings> = {}) =>
      (await checkSlack({ ...settings, ...more })).map(({ status, text }) => `${status}: ${text}`);
    expect((await statuses()).map((line) => line.slice(0, 2))).toEqual(['ok', 'ok', 'ok']);
    fake.setScopes(Object.keys(BOT_SCOPES).filter((scope) => scope !== 'files:read'));
    expect((await statuses())[1]).toMatch(/^note: .*files:read \(reading attachments\).*slack:manifest/);
    fake.sockets.refuse('missing_scope');
    expect((await statuses())[2]).toMatch(/^bad: .*SLACK_APP_TOKEN \(missing_scope\).*connections:write/);
    expect(await statuses({ botToken: 'xoxb-wrong' })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^bad: .*SLACK_BOT_TOKEN \(invalid_auth\)/)]),
    );
    expect(await statuses({ appToken: 'xoxb-mixed' })).toEqual([
      expect.stringMatching(/^bad: SLACK_APP_TOKEN is not an app-level token/),
    ]);
    expect((await statuses({ apiUrl: 'http://127.0.0.1:1/api/' }))[0]).toMatch(/^bad: Slack cannot be asked/);
  });
});
