// Slack's library changes how the whole process sends requests: it has to be there before the other one is used.
import '#channels/slack/adapter.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDir } from '#test/support/database.ts';
import { NEVER, only, openBot, outbound } from '#test/channels/discord/fixture.ts';

it('a file reaches Discord also where Slack was loaded before', async () => {
  await using bot = await openBot();
  const room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
  bot.fake.say(bot.fake.addUser({ name: 'kim' }), room, `${bot.fake.mention()} hello`);
  const asked = only(await bot.received(1));
  const path = join(temporaryDir(), 'chart.png');
  writeFileSync(path, 'PNG');
  const media = [
    { kind: 'image', mimeType: 'image/png', name: 'chart.png', url: pathToFileURL(path).href },
  ] as const;
  await bot.channel.send(outbound(asked, { text: 'Here it is.', media }), NEVER);
  expect(bot.fake.posted().at(-1)?.attachments).toHaveLength(1);
});
