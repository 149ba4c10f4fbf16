import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkSlack } from '#channels/slack/check.ts';
import { BOT_SCOPES, slackManifest } from '#channels/slack/manifest.ts';
import { commandDefinitions } from '#commands/index.ts';
import { freePort } from '#test/support/database.ts';
import { setUpChannel } from './fixture.ts';

describe('the manifest of the Slack app', () => {
  it('registers /finclaw and a few names that no other app has', () => {
    const { features } = slackManifest(commandDefinitions);
    expect(features.slash_commands.map(({ command }) => command).toSorted()).toEqual([
      '/chart',
      '/finclaw',
      '/portfolio',
      '/price',
    ]);
  });

  it('turns the home tab and the assistant on, and has shortcuts with names that fit', () => {
    const { features, settings, oauth_config: oauth } = slackManifest(commandDefinitions);
    expect(features.app_home).toEqual({
      home_tab_enabled: true,
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    });
    expect(features.assistant_view.assistant_description.length).toBeLessThanOrEqual(300);
    expect(features.shortcuts.map(({ type, callback_id: id }) => `${type} ${id}`)).toEqual([
      'global finclaw_ask',
      'message finclaw_menu_explain',
      'message finclaw_menu_prices',
    ]);
    for (const { name, description } of features.shortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
    expect(oauth.scopes.bot).toContain('assistant:write');
    expect(settings.event_subscriptions.bot_events).toEqual(
      expect.arrayContaining([
        'app_home_opened',
        'assistant_thread_started',
        'assistant_thread_context_changed',
      ]),
    );
  });

  it('has on request every command but those that Slack reserves, with what to type, and keeps its limits', () => {
    const options = { hasAllCommands: true };
    const { features, settings, oauth_config: oauth } = slackManifest(commandDefinitions, options);
    const names = features.slash_commands.map(({ command }) => command);
    expect(names).toEqual(expect.arrayContaining(['/finclaw', '/price', '/usage', '/find']));
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

describe('the manifest for HTTP mode', () => {
  it('sends events, commands and buttons to the address of the bot', () => {
    const address = 'https://bot.example.com/finclaw/slack/events';
    const { features, settings } = slackManifest(commandDefinitions, {
      publicUrl: 'https://bot.example.com/finclaw/',
    });
    expect(settings).toMatchObject({
      event_subscriptions: { request_url: address },
      interactivity: { is_enabled: true, request_url: address },
      socket_mode_enabled: false,
    });
    const commands = features.slash_commands;
    expect(commands).toEqual(commands.map((command) => ({ ...command, url: address })));
    expect(slackManifest(commandDefinitions, { publicUrl: address }).settings).toEqual(settings);
    expect(JSON.stringify(slackManifest(commandDefinitions))).not.toContain('url');
  });

  it.each(['bot.example.com', 'http://bot.example.com'])(
    'is not made for %s, which Slack refuses',
    (address) => {
      const script = fileURLToPath(new URL('../../../scripts/slack-manifest.ts', import.meta.url));
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, address], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('https://bot.example.com');
    },
  );
});

it('the manifest on the command line has all commands with --all-commands', () => {
  const script = fileURLToPath(new URL('../../../scripts/slack-manifest.ts', import.meta.url));
  const commandsWith = (...args: readonly string[]): readonly string[] => {
    const { stdout } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    const { features } = JSON.parse(stdout) as ReturnType<typeof slackManifest>;
    return features.slash_commands.map(({ command }) => command);
  };
  expect(commandsWith()).not.toContain('/usage');
  expect(commandsWith('--all-commands')).toContain('/usage');
});

describe('the check of a Slack set-up', () => {
  it('says in HTTP mode where Slack must reach it, and needs no app token', async () => {
    const port = await freePort();
    const { fake } = await setUpChannel({ isStarted: false, httpPort: port });
    const { botToken, apiUrl, signingSecret } = fake;
    const lines = async () =>
      (await checkSlack({ botToken, apiUrl, signingSecret, host: '127.0.0.1', port })).map(
        ({ status, text }) => `${status}: ${text}`,
      );
    expect(await lines()).toEqual([
      expect.stringMatching(/^ok: .*bot token belongs/),
      expect.stringMatching(/^ok: .*scopes/),
      expect.stringMatching(`^ok: .*/slack/events on port ${port} `),
    ]);
  });

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
