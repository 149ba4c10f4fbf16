import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import { type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';

const exportsIn = ({ dataDir }: EngineApp): readonly string[] => readdirSync(join(dataDir, 'exports'));
const lastFile = ({ channel }: EngineApp): string =>
  fileURLToPath(channel.sent.at(-1)?.payload.media?.[0]?.url ?? '');
const DAY_MS = 24 * 3_600_000;
/** The first look at what is too old, some time after the start. */
const FIRST_PURGE_MS = 60_000;

describe('exports', () => {
  it('are one file a person, however often they ask, with a pause between two', async () => {
    const app = await startEngineApp();
    await app.ask('ann', 'My secret is heron.');
    await app.ask('ann', '/privacy export');
    expect(readFileSync(lastFile(app), 'utf8')).toContain('heron');
    await app.ask('ann', 'And egret.');
    const wait = 'in 10 minutes';
    expect(await app.ask('ann', '/privacy export')).toEqual([
      commandTexts('en').cooldown({ name: 'privacy export', wait }),
    ]);
    expect(await app.ask('ann', '/개인정보 내보내기', { locale: 'ko' })).toEqual([
      commandTexts('ko').cooldown({ name: 'privacy export', wait: '10분 후' }),
    ]);
    expect(await app.ask('ann', '/privacy')).toEqual([expect.stringContaining(privacyTexts('en').title())]);
    await app.ask('bob', '/privacy export');
    expect(exportsIn(app)).toHaveLength(2);
    await app.clock.advance(10 * 60_000);
    await app.ask('ann', '/privacy export');
    expect(readFileSync(lastFile(app), 'utf8')).toContain('egret');
    for (let time = 0; time < 3; time += 1) {
      await app.ask('ann', '/export');
      await app.clock.advance(10_000);
    }
    expect(readFileSync(lastFile(app), 'utf8')).toContain('heron');
    expect(exportsIn(app)).toHaveLength(3);
  });

  it('go after two days, but not before they were sent, also over a restart', async () => {
    const app = await startEngineApp();
    await app.ask('ann', 'My secret is heron.');
    await app.ask('ann', '/export');
    const sent = lastFile(app);
    app.channel.hangSends();
    await app.send('ann', '/privacy export');
    await until(() => app.channel.attempts.length > app.channel.sent.length);
    const unsent = exportsIn(app).find((name) => name.startsWith('data-')) ?? '';
    const old = new Date(app.clock.now().epochMilliseconds - 3 * DAY_MS);
    for (const name of exportsIn(app)) utimesSync(join(app.dataDir, 'exports', name), old, old);
    await app.clock.advance(FIRST_PURGE_MS);
    await until(() => !existsSync(sent));
    expect(exportsIn(app)).toEqual([unsent]);
    await app.stop();

    const next = await startEngineApp({ dataDir: app.dataDir, servers: app });
    await next.channel.waitForSent(1);
    expect(lastFile(next)).toBe(join(app.dataDir, 'exports', unsent));
    expect(readFileSync(lastFile(next), 'utf8')).toContain('heron');
  });
});
