import { describe, expect, it } from 'vitest';
import { bodyOf, forwardsIn, textOf } from '#channels/slack/receive/message-words.ts';
import { readMessageFields } from '#channels/slack/wire.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import messages from '#test/fixtures/slack/messages.json' with { type: 'json' };
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { NEVER, setUpChannel, threadTarget } from '../fixture.ts';

interface Row {
  readonly what: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly says: string;
  readonly forwards?: readonly string[];
}
const ROWS: readonly Row[] = messages;
const isSilent = ({ says, forwards = [] }: Row): boolean => says === '' && forwards.length === 0;
const optionsOf = ({ message }: Row) => ({
  blocks: (message['blocks'] ?? []) as [],
  attachments: (message['attachments'] ?? []) as [],
});

const sheet = (price: string) => [
  {
    fallback: '[no preview available]',
    blocks: [{ type: 'table', rows: [[{ type: 'raw_text', text: price }]] }],
  },
];

describe('what a message on Slack says:', () => {
  everyRow(ROWS)('$what', ({ message, says, forwards = [] }) => {
    const read = readMessageFields(message);
    expect(bodyOf(read)).toBe(says);
    expect(forwardsIn(read).flatMap(({ texts }) => texts.map(({ text }) => text))).toEqual(forwards);
  });

  it('is read once where the bot wrote it, because its text has all that its blocks have', () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'AAPL' }]] };
    const own = readMessageFields({ user: 'U0BOT', text: 'AAPL is at $300', blocks: [table] });
    expect(textOf(own, { userId: 'U0BOT', botId: undefined })).toBe('AAPL is at $300');
  });

  it('is asked about by its menu, or the person is told that there is nothing to read', async () => {
    const { fake, host } = await setUpChannel();
    for (const row of ROWS) {
      const text = String(row.message['text']);
      const said = fake.say(fake.general.id, fake.alice.id, text, { ...optionsOf(row), events: 'none' });
      const handle = fake.shortcut(fake.alice.id, 'finclaw_menu_explain', said);
      const before = host.received.length;
      await fake.until(() => handle.answers.length === 1 || host.received.length > before, {
        what: row.what,
      });
      expect([row.what, handle.answers.map(({ rendered }) => rendered)]).toEqual([
        row.what,
        isSilent(row) ? [channelTexts('en').nothingToRead()] : [],
      ]);
      const [about] = host.received[before]?.forwarded ?? [];
      for (const line of [row.says, ...(row.forwards ?? [])].join('\n').split('\n'))
        expect(about?.text ?? '').toContain(line.trim());
    }
  });

  it('is received as a direct message, and stands in the thread and among the earlier messages', async () => {
    const { fake, host, channel } = await setUpChannel();
    const bob = fake.addUser({ name: 'bob' });
    const readable = ROWS.filter((row) => row.says !== '' && row.message['bot_id'] === undefined);
    for (const row of readable) fake.sayDirect(bob.id, String(row.message['text']), optionsOf(row));
    await fake.until(() => host.received.length === readable.length);
    expect(host.bodies).toEqual(readable.map(({ says }) => says));
    for (const row of readable) {
      const root = fake.say(fake.general.id, bob.id, String(row.message['text']), optionsOf(row));
      const asked = fake.say(fake.general.id, fake.alice.id, 'and?', { mention: true, threadTs: root.ts });
      await fake.until(() => host.received.some(({ id }) => (id as string) === asked.ts));
      const target = threadTarget(fake.general.id, fake.alice.id, root.ts);
      const first = await channel.readRoot?.(target, NEVER);
      const [earlier] =
        (await channel.readHistory?.({ target, before: asked.ts as never, limit: 5 }, NEVER)) ?? [];
      for (const line of row.says.replaceAll(/<@\w+>/g, '@someone').split('\n')) {
        expect(first?.text).toContain(line);
        expect(earlier?.text).toContain(line);
      }
    }
  });

  it('is changed when its table is, and not when a link gets a preview', async () => {
    const { fake, host } = await setUpChannel();
    const said = fake.say(fake.general.id, fake.alice.id, 'keep', { attachments: sheet('180') });
    fake.unfurl(said, [...sheet('180'), { from_url: 'https://example.com', title: 'A page' }]);
    fake.unfurl(said, sheet('190'));
    await fake.until(() => host.changes.length === 1 && fake.pending.length === 0);
    expect(host.changes).toMatchObject([{ kind: 'edited', body: 'keep\n190' }]);
  });

  it('is read in time in proportion to its length, also where its blocks nearly repeat each other', () => {
    const [blockCount, half] = [50, 1_490];
    const blocks = Array.from({ length: blockCount }, (_, index) => {
      const text = `${'a'.repeat(half)}b${index}${'a'.repeat(half)}`;
      return { type: 'section', text: { type: 'mrkdwn', text } };
    });
    const startedAtMs = cpuMs();
    const body = bodyOf(readMessageFields({ text: '', blocks }));
    expect(cpuMs() - startedAtMs).toBeLessThan(1_000);
    expect(body.split('\n')).toHaveLength(blockCount);
  });
});
