import { describe, expect, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Choice,
  type MediaAttachment,
  type ReplyPayload,
  replyTargetOf,
} from '#src/kernel/chat/message.ts';
import { temporaryDir } from '#test/support/database.ts';
import { NEVER, outbound, setUpChannel, type SlackSetUp } from './fixture.ts';

const REFRESH: Choice = { label: 'Refresh', command: '/price AAPL', effect: 'replaces', isCurrent: true };
const DELETE: Choice = { label: 'Delete', command: '/price delete', effect: 'ends', isDestructive: true };

const lastOf = ({ host }: SlackSetUp) => {
  const message = host.received.at(-1);
  if (!message) throw new Error('nothing was received');
  return message;
};

/** An answer with both buttons, to a mention of Alice. */
const answered = async () => {
  const setUp = await setUpChannel();
  const { fake, host, channel } = setUp;
  fake.say(fake.general.id, fake.alice.id, 'apple?', { mention: true });
  await fake.until(() => host.received.length === 1);
  const payload = { choices: [REFRESH, DELETE] };
  const { messageId } = await channel.send(
    outbound(replyTargetOf(lastOf(setUp)), '$300', { payload }),
    NEVER,
  );
  const ref = { channel: fake.general.id, ts: messageId };
  const shown = () => fake.messageAt(ref);
  const press = async (user: string, actionId: string) => {
    const before = host.received.length;
    const handle = fake.press(user, ref, actionId);
    await fake.until(() => host.received.length === before + 1);
    return { handle, message: lastOf(setUp) };
  };
  const reply = (text: string, isRefusal = false) =>
    channel.send(
      outbound(replyTargetOf(lastOf(setUp)), text, { payload: { choices: [REFRESH], ephemeral: isRefusal } }),
      NEVER,
    );
  return { ...setUp, shown, press, reply };
};

describe('buttons on Slack that act on their message', () => {
  it('replace the answer, as often as pressed', async () => {
    const { fake, shown, press, reply } = await answered();
    for (const price of ['$301', '$302']) {
      await press(fake.alice.id, 'finclaw_choice_put_0');
      await reply(price);
      expect(shown()?.rendered).toContain(price);
    }
    expect(fake.botMessagesIn(fake.general.id)).toHaveLength(1);
  });

  it('say why nothing was found beside the answer, which stays', async () => {
    const { fake, shown, press, reply } = await answered();
    const { handle } = await press(fake.alice.id, 'finclaw_choice_put_0');
    await reply('There is no price now.', true);
    expect(shown()?.rendered).toContain('$300');
    expect(handle.answers).toMatchObject([{ forWhom: { user: fake.alice.id } }]);
  });

  it('answer a stranger alone', async () => {
    const { fake, shown, press, reply } = await answered();
    const bob = fake.addUser({ name: 'bob' });
    fake.join(fake.general.id, bob.id);
    const { handle } = await press(bob.id, 'finclaw_choice_put_0');
    await reply('for you');
    expect(handle.answers).toMatchObject([{ forWhom: { user: bob.id } }]);
    expect(shown()?.rendered).toContain('$300');
    expect(JSON.stringify(shown()?.blocks)).toContain(PRESS_DELETE);
  });

  const PRESS_DELETE = 'finclaw_choice_end_1';

  it('are asked about by Slack where they delete, and do nothing for a stranger', async () => {
    const { fake, host, shown } = await answered();
    expect(JSON.stringify(shown()?.blocks)).toContain('"deny":{"type":"plain_text","text":"Keep it"');
    const bob = fake.addUser({ name: 'bob' });
    fake.join(fake.general.id, bob.id);
    const ref = { channel: fake.general.id, ts: shown()?.ts ?? '' };
    const handle = fake.press(bob.id, ref, PRESS_DELETE);
    await fake.until(() => handle.answers.length === 1);
    expect(handle.answers).toMatchObject([
      { forWhom: { user: bob.id }, rendered: expect.stringContaining('for the person who asked') },
    ]);
    expect(host.received.filter(({ isFromSelf }) => !isFromSelf)).toHaveLength(1);
    expect(JSON.stringify(shown()?.blocks)).toContain(PRESS_DELETE);
  });

  it('can be pressed again where the press could not be stored', async () => {
    const { fake, host, shown, press } = await answered();
    const { onReceive } = host;
    host.onReceive = () => Promise.reject(new Error('the disk is full'));
    const ref = { channel: fake.general.id, ts: shown()?.ts ?? '' };
    const handle = fake.press(fake.alice.id, ref, PRESS_DELETE);
    await fake.until(() => handle.answers.length === 1);
    expect(handle.answers).toMatchObject([{ rendered: expect.stringContaining('could not store') }]);
    expect(JSON.stringify(shown()?.blocks)).toContain(PRESS_DELETE);
    host.onReceive = onReceive;
    await press(fake.alice.id, PRESS_DELETE);
    await fake.until(() => !JSON.stringify(shown()?.blocks).includes(PRESS_DELETE));
  });

  it('can be pressed once where they end something', async () => {
    const { fake, shown, press, reply } = await answered();
    await press(fake.alice.id, PRESS_DELETE);
    await reply('Deleted.');
    await fake.until(() => !JSON.stringify(shown()?.blocks).includes(PRESS_DELETE));
    expect(shown()?.rendered).toContain('$300');
    expect(JSON.stringify(shown()?.blocks)).not.toContain('finclaw_choice');
  });
});

const pictureNamed = (name: string, altText: string): MediaAttachment => {
  const path = join(temporaryDir(), name);
  writeFileSync(path, name);
  return { kind: 'image', mimeType: 'image/png', name, url: pathToFileURL(path).href, altText };
};

const picturesIn = (blocks: readonly object[] = []): readonly object[] =>
  blocks.filter((block) => 'type' in block && block.type === 'image');

const ranges = (range: string): readonly Choice[] => [
  { label: '1D', command: '/price AAPL 1d', effect: 'replaces', isCurrent: range === '1d' },
  { label: '1M', command: '/price AAPL 1mo', effect: 'replaces', isCurrent: range === '1mo' },
];
const chartOf = (range: string): Partial<ReplyPayload> => ({
  choices: ranges(range),
  media: [pictureNamed(`AAPL-${range}.png`, `Apple, ${range}`)],
});

describe('a chart on Slack', () => {
  it('is a picture in its message, which a pressed range replaces', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    fake.say(fake.general.id, fake.alice.id, 'chart of apple?', { mention: true });
    await fake.until(() => host.received.length === 1);
    const first = outbound(replyTargetOf(lastOf(setUp)), 'Apple', { payload: chartOf('1mo') });
    const { messageId } = await channel.send(first, NEVER);
    const ref = { channel: fake.general.id, ts: messageId };
    const before = picturesIn(fake.messageAt(ref)?.blocks);
    expect(before).toMatchObject([{ slack_file: { id: expect.any(String) }, alt_text: 'Apple, 1mo' }]);

    fake.press(fake.alice.id, ref, 'finclaw_choice_put_0');
    await fake.until(() => lastOf(setUp).interaction?.updates === true);
    const second = outbound(replyTargetOf(lastOf(setUp)), 'Apple', { payload: chartOf('1d') });
    await channel.send(second, NEVER);
    const after = picturesIn(fake.messageAt(ref)?.blocks);
    expect(after).toMatchObject([{ alt_text: 'Apple, 1d' }]);
    expect(fake.botMessagesIn(fake.general.id)).toHaveLength(1);

    // A process that does not know whether it was sent edits the message again.
    const inDoubtSince = Temporal.Now.instant().subtract({ minutes: 1 });
    await channel.send({ ...second, inDoubtSince }, NEVER);
    await channel.send({ ...second, target: first.target, inDoubtSince }, NEVER);
    expect(fake.botMessagesIn(fake.general.id)).toHaveLength(1);
  });

  it('is a file of its own where Slack refuses the picture', async () => {
    const setUp = await setUpChannel();
    const { fake, host, channel } = setUp;
    fake.say(fake.general.id, fake.alice.id, 'chart of apple?', { mention: true });
    await fake.until(() => host.received.length === 1);
    fake.fail('files.info', { kind: 'error', error: 'file_not_found' }, { times: 100 });
    const sent = outbound(replyTargetOf(lastOf(setUp)), 'Apple', { payload: chartOf('1mo') });
    await channel.send(sent, NEVER);
    const shown = fake.botMessagesIn(fake.general.id);
    expect(shown.flatMap(({ files }) => files.map(({ name }) => name))).toEqual(['AAPL-1mo.png']);
  });
});
