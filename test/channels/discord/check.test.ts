import { describe, expect, it } from 'vitest';
import { checkDiscord, inviteUrl } from '#channels/discord/check.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';

describe('the check of the Discord settings', () => {
  it('says who the token belongs to, what is switched off, and how to add the bot', async () => {
    const fake = await startFakeDiscord({ grantedIntents: [], botName: 'finclaw' });
    const settings = { token: fake.token, apiUrl: `${fake.apiUrl}/` };
    const findings = await checkDiscord(settings);
    expect(findings[0]).toEqual({ status: 'ok', text: 'Discord: the token is that of finclaw' });
    expect(findings[1]).toMatchObject({
      status: 'note',
      text: expect.stringContaining('Privileged Gateway Intents'),
    });
    expect(findings.at(-1)?.text).toContain(inviteUrl(fake.applicationId));
    const [wrong] = await checkDiscord({ ...settings, token: 'wrong' });
    expect(wrong).toMatchObject({ status: 'bad', text: expect.stringContaining('Reset Token') });
    await fake.close();
    const [down] = await checkDiscord(settings);
    // Not what `fetch` says around it.
    expect(down).toMatchObject({
      status: 'bad',
      text: expect.stringMatching(/^Discord cannot be reached: (?!fetch failed)/),
    });
  });

  it('gives a link with exactly the permissions that the bot uses', () => {
    const url = new URL(inviteUrl('1'));
    expect(url.searchParams.get('scope')).toBe('bot applications.commands');
    expect(url.searchParams.get('permissions')).toBe(String(274_878_024_768n));
  });
});
