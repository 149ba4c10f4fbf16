import { afterAll, beforeAll, expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import messages from '#test/fixtures/slack/messages.json' with { type: 'json' };
import { slackKit, openSlack, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { startTalk, type Talk } from '#test/support/platforms/talk.ts';

let platform: SlackPlatform;
let talk: Talk;
beforeAll(async () => {
  platform = await openSlack();
  talk = await startTalk({ ...slackKit, open: async () => platform });
});
afterAll(() => talk.close());

const shown = (what: string) => {
  const { message } = messages.find((each) => each.what.startsWith(what)) ?? {};
  return { blocks: (message?.blocks ?? []) as [], attachments: (message?.attachments ?? []) as [] };
};

it('trades pasted from a spreadsheet are read for import, however Slack brings them', async () => {
  const { fake } = platform;
  for (const what of ['cells pasted alone, as an attachment', 'cells pasted alone, as blocks']) {
    const ann = platform.addPerson('ann');
    fake.sayDirect(ann.id, '/finclaw portfolio import', shown(what));
    const { text } = await talk.sees(ann, platform.direct(ann), 'AAPL');
    expect(text).toContain('180.5');
  }
});

it('a table is part of a question', async () => {
  const { fake } = platform;
  const ann = platform.addPerson('ann');
  fake.sayDirect(ann.id, 'did I do well?', shown('cells pasted alone, as an attachment'));
  await talk.sees(ann, platform.direct(ann), '2026-03-02');
});

it('a direct message of which nothing can be read is not asked about, and the person is told', async () => {
  const { fake } = platform;
  const ann = platform.addPerson('ann');
  const asked = talk.claude.history.length;
  fake.sayDirect(ann.id, '', shown('a placeholder alone'));
  await talk.sees(ann, platform.direct(ann), channelTexts('en').nothingToRead());
  expect(talk.claude.history).toHaveLength(asked);
});
