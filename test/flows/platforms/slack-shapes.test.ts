import { describe, expect, it, onTestFinished } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { MessageRef } from '#test/fakes/slack/api.ts';
import messages from '#test/fixtures/slack/messages.json' with { type: 'json' };
import { answer } from '#test/support/engine-app.ts';
import { openSlack, slackKit } from '#test/support/platforms/slack.ts';
import { startTalk } from '#test/support/platforms/talk.ts';

interface Shape {
  readonly what: string;
  readonly message: Readonly<Record<string, unknown>>;
  readonly says: string;
  readonly forwards?: readonly string[];
}
const SHAPES: readonly Shape[] = messages;

const optionsOf = ({ message }: Shape) => ({
  blocks: (message['blocks'] ?? []) as [],
  attachments: (message['attachments'] ?? []) as [],
});
const textOf = ({ message: { text } }: Shape): string => (typeof text === 'string' ? text : '');

/** Earlier messages are quoted in one line each. */
const inOneLine = (json: string): string => json.replaceAll(/(?:\\[nt]|\s)+/gu, ' ');

/** The words of a message, which stand in a request as they are: all but links and ids, which become names. */
const linesOf = ({ says, forwards = [] }: Shape): readonly string[] =>
  [says, ...forwards]
    .flatMap((text) => text.split(/\n|<[^>]+>/u))
    .filter((line) => line.trim() !== '')
    .map((line) => inOneLine(JSON.stringify(line.trim()).slice(1, -1)));
const isSilent = ({ says, forwards = [] }: Shape): boolean => says === '' && forwards.length === 0;

/** As Slack copies a message that a person forwards. Its attachments are not part of it. */
const forwardOf = (row: Shape, author: string) => ({
  is_share: true,
  is_msg_unfurl: true,
  author_id: author,
  fallback: `[November 19th, 2026 3:14 AM] bob: ${textOf(row)}`,
  text: textOf(row),
  message_blocks: [{ message: { blocks: optionsOf(row).blocks } }],
});

const setUp = async () => {
  const platform = await openSlack();
  const talk = await startTalk({ ...slackKit, open: async () => platform });
  onTestFinished(talk.close);
  const { fake } = platform;
  const { claude } = talk;
  const person = platform.addPerson('ann');
  const bob = fake.addUser({ name: 'bob' });
  const room = fake.addChannel({ name: 'stocks', members: [person.id, bob.id, fake.bot.userId] });
  /** What the model was asked when the person did this; the answer arrives. */
  const askedBy = async (act: () => unknown, chat: string): Promise<string> => {
    // No number: it would be checked.
    const text = `Well${'l'.repeat(claude.history.length)}.`;
    claude.reply(answer(text));
    act();
    const isShown = () => fake.botMessagesIn(chat).some(({ rendered }) => rendered.includes(text));
    await fake.until(isShown, { what: text, timeoutMs: 30_000 });
    return inOneLine(JSON.stringify(claude.history.at(-1)?.body));
  };
  return { fake, claude, person, bob, room, askedBy };
};

describe('the shapes of messages that Slack documents, in the whole bot:', () => {
  it('bring their words to the model, wherever a person asks about them', { timeout: 200_000 }, async () => {
    const { fake, person, bob, room, askedBy } = await setUp();
    const direct = fake.directOf(person.id).id;
    for (const row of SHAPES.filter((each) => linesOf(each).length > 0)) {
      const written = (): MessageRef =>
        fake.say(room.id, bob.id, textOf(row), { ...optionsOf(row), events: 'none' });
      const below = ({ ts }: MessageRef) =>
        fake.say(room.id, person.id, 'and why?', { mention: true, threadTs: ts });
      const isCopied = optionsOf(row).attachments.length === 0 && (row.forwards ?? []).length === 0;
      // With a mention, Slack repeats all of a rich text as text.
      const isMentionable =
        textOf(row) !== '' ||
        !optionsOf(row).blocks.some(({ type }: { type?: string }) => type === 'rich_text');
      const ways: Readonly<Record<string, () => Promise<string>>> = {
        ...(isMentionable && {
          mention: () => {
            const how = { ...optionsOf(row), mention: true };
            return askedBy(() => fake.say(room.id, person.id, textOf(row), how), room.id);
          },
        }),
        'direct message': () => askedBy(() => fake.sayDirect(person.id, textOf(row), optionsOf(row)), direct),
        thread: () => askedBy(() => below(written()), room.id),
        menu: () => askedBy(() => fake.shortcut(person.id, 'finclaw_menu_explain', written()), room.id),
        ...(isCopied && {
          forward: () =>
            askedBy(
              () => fake.sayDirect(person.id, 'and this?', { attachments: [forwardOf(row, bob.id)] }),
              direct,
            ),
        }),
      };
      for (const [how, ask] of Object.entries(ways)) {
        const request = await ask();
        for (const line of linesOf(row))
          expect([how, row.what, request]).toEqual([how, row.what, expect.stringContaining(line)]);
      }
    }
  });

  it('are told where nothing can be read, and the model is not asked', async () => {
    const { fake, claude, person, bob, room } = await setUp();
    const nothing = channelTexts('en').nothingToRead();
    for (const row of SHAPES.filter(isSilent)) {
      const before = claude.history.length;
      const written = fake.say(room.id, bob.id, textOf(row), { ...optionsOf(row), events: 'none' });
      const { answers } = fake.shortcut(person.id, 'finclaw_menu_explain', written);
      await fake.until(() => answers.length > 0, { what: row.what, timeoutMs: 30_000 });
      expect(answers.map(({ rendered }) => rendered)).toEqual([nothing]);
      expect([row.what, claude.history.length]).toEqual([row.what, before]);
    }
  });
});
