import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { slackManifest } from '#channels/slack/manifest.ts';
import { commandDefinitions } from '#commands/index.ts';
import { saidIn } from '#test/support/all-messages.ts';
import { startTalk } from '#test/support/platforms/talk.ts';
import { type DiscordPlatform, discordKit } from '#test/support/platforms/discord.ts';
import { startGolden } from './bot.ts';
import { expectRecorded, withoutIds } from './record.ts';

it('the tables are the recorded ones', async () => {
  const bot = await startGolden();
  await bot.stop();
  const database = new DatabaseSync(join(bot.dataDir, 'finclaw.sqlite'), { readOnly: true });
  onTestFinished(() => database.close());
  const rows = database
    .prepare(`select sql from sqlite_master where sql is not null order by type desc, name`)
    .all() as unknown as readonly { readonly sql: string }[];
  await expectRecorded('program/sqlite', rows.map(({ sql }) => `${sql};`).join('\n'));
});

it('the commands are the recorded ones on Discord and in the manifest for Slack', async () => {
  const { platform, close } = await startTalk(discordKit);
  onTestFinished(close);
  const { fake } = platform as DiscordPlatform;
  await expectRecorded(
    'program/discord-commands',
    withoutIds(JSON.stringify(fake.commands(), null, 1), [/\b\d{17,20}\b/gu]),
  );
  await expectRecorded(
    'program/slack-manifest',
    JSON.stringify(slackManifest(commandDefinitions, {}), null, 1),
  );
});

it('the texts are the recorded ones in both languages', async () => {
  const korean = saidIn('ko');
  const texts = [...saidIn('en')]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, text]) => `${key}\n${text}\n${korean.get(key)}`);
  await expectRecorded('program/texts', texts.join('\n\n'));
});
