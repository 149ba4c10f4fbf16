import { expect, it, onTestFinished } from 'vitest';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { freePort } from '#test/support/database.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { eventually, startTalk } from '#test/support/platforms/talk.ts';

const TOKEN = 'correct horse battery staple, and 3 more words';
/** What Slack says of a message that it would refuse everywhere. */
const OF_THE_MESSAGE = [
  'msg_too_long',
  'no_text',
  'invalid_arguments',
  'too_many_attachments',
  'metadata_too_large',
] as const;
const SENTENCE = failureTexts('en').deliveryFailed({ errorId: '' }).split(' (error', 1)[0] ?? '';

it('a person is told of a post that Slack refuses, and operators see them by code with the error id of the log', async () => {
  const platform = await openSlack();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = { FINCLAW_HTTP_PORT: String(port), FINCLAW_OPERATOR_TOKEN: TOKEN };
  const talk = await startTalk({ ...slackKit, open: async () => platform }, { env });
  onTestFinished(talk.close);
  const { fake } = platform;
  const ann = platform.addPerson('ann');
  const chat = platform.direct(ann).id;
  const told = (): number => fake.botMessagesIn(chat).filter(({ text }) => text.includes(SENTENCE)).length;
  for (const [index, error] of [...OF_THE_MESSAGE, 'no_text'].entries()) {
    fake.fail('chat.postMessage', { kind: 'error', error }, { channel: chat });
    fake.sayDirect(ann.id, '/ping');
    await eventually(
      () => told() === index + 1,
      () => [error, fake.botMessagesIn(chat)],
    );
  }

  const login = await fetch(`${origin}/operator/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ secret: TOKEN }),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const page = await (await fetch(`${origin}/operator/dead-letters`, { headers: { cookie } })).text();
  const rows = page.split('<tr>').filter((row) => row.includes('slack'));
  expect(rows.map((row) => /<code>(\w+)<[^]*?>(\d+)<\/td>/.exec(row)?.slice(1))).toEqual([
    ['no_text', '2'],
    ...OF_THE_MESSAGE.filter((code) => code !== 'no_text')
      .toReversed()
      .map((code) => [code, '1']),
  ]);
  for (const row of rows) {
    const errorId = /<code>([^<]+)<\/code><\/td>\s*<\/tr>/.exec(row)?.[1] ?? 'none';
    expect(talk.log.filter((line) => line.includes(errorId) && line.includes('refused a post'))).toHaveLength(
      1,
    );
  }
});
