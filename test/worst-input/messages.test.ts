import { expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import {
  allOptions,
  type CommandDefinition,
  MAX_COMMAND_CHARS,
} from '#src/kernel/chat/command-definition.ts';
import { actor } from '#test/support/messages.ts';
import { createBlocks } from './longest-block.ts';
import { MAX_MESSAGE_CHARS, startOfflineApp } from './offline-app.ts';
import { FEW_SHAPES, SHAPES, shareOf } from './shapes.ts';

const PATIENCE = { timeout: 300_000 };

/** A message of these alone says nothing, on any platform. */
const isBlank = (text: string): boolean => text.replaceAll(/[\s\p{Cc}]/gu, '') === '';

/** The longest message that the offline reader compares with examples. */
const LIKENED_CHARS = 200;
/** Each part is a wish of its own. */
const WISHES = ['zorp and ', 'wish, ', '뭐 좀 해주고 ', '테슬라 뭐시기 그리고 '];

it('no message stalls the bot, and each is answered', PATIENCE, async () => {
  const { ask } = await startOfflineApp();
  const blocks = createBlocks('message');
  for (const wish of WISHES)
    await blocks.of(`many wishes: ${wish}`, () => ask(wish.repeat(LIKENED_CHARS).slice(0, LIKENED_CHARS)));
  for (const { name, of } of SHAPES) {
    const text = of(MAX_MESSAGE_CHARS);
    // So long that the offline reader still compares it with its examples.
    await blocks.of(`${name}, as a wish`, () => ask(of(LIKENED_CHARS)));
    if (isBlank(text)) expect(await ask(text)).toContain('no text');
    else await blocks.of(name, () => ask(text));
  }
  expect(await ask('a'.repeat(MAX_MESSAGE_CHARS + 1))).toContain('20,001');
  blocks.expectNone();
});

/** What may stand before the words of a person: each action, each choice of an option, and the name of each that has one. */
const beginningsOf = (definition: CommandDefinition): ReadonlySet<string> => {
  const options = allOptions(definition);
  return new Set([
    ...(definition.subcommands ?? []).flatMap(({ name, typed = name }) =>
      typed === '' ? [] : [`${typed} `],
    ),
    ...options.flatMap(({ choices = [] }) => choices.map(({ value }) => `${value} `)),
    ...options.flatMap(({ name, type, isNamed }) => (isNamed && type !== 'flag' ? [`--${name}=`] : [])),
  ]);
};

it('no argument of any command stalls the bot, and each is answered', PATIENCE, async () => {
  const { ask } = await startOfflineApp();
  const blocks = createBlocks('command');
  for (const [place, definition] of commandDefinitions.entries()) {
    const { name, takesLines, maxChars } = definition;
    const send = async (beginning: string, shape: (typeof SHAPES)[number]): Promise<void> => {
      const begun = `/${name} ${beginning}`;
      const isOfLines = takesLines?.words.includes(beginning.trim()) === true;
      const longest = (isOfLines ? takesLines?.maxChars : maxChars) ?? MAX_COMMAND_CHARS;
      const begunWith = (size: number): string => {
        const words = shape.of(size - begun.length);
        return begun + (isOfLines ? words : words.replaceAll(/[\r\n]/g, ' '));
      };
      await blocks.of(`${begun}${shape.name}`, () => ask(begunWith(longest)));
      // Refused before its words are read, and that has to be quick as well.
      if (beginning === '')
        await blocks.of(`${begun}${shape.name}, too long`, () => ask(begunWith(MAX_MESSAGE_CHARS)));
    };
    for (const shape of shareOf(FEW_SHAPES, place)) await send('', shape);
    // Each beginning with one of them, so that many of them meet every command that has many.
    for (const [index, beginning] of [...beginningsOf(definition)].entries()) {
      const shape = FEW_SHAPES[(place + index) % FEW_SHAPES.length];
      if (shape) await send(beginning, shape);
    }
  }
  blocks.expectNone();
});

it('no name of a person, of a file or of a button stalls the bot', PATIENCE, async () => {
  const { ask, channel } = await startOfflineApp();
  const blocks = createBlocks('name');
  // Longer than any platform lets them be: a proxy or another client may.
  const LENGTH = 4_000;
  const sender = actor('ann', { channelId: channel.id, locale: 'ko' });
  for (const { name, of } of shareOf(SHAPES, 0)) {
    const text = of(LENGTH);
    await blocks.of(`display name of ${name}`, () =>
      ask('hello there', { senderName: text, groupSubject: text, threadTitle: text }),
    );
    await blocks.of(`file name of ${name}`, () =>
      ask('what is in it?', {
        media: [{ kind: 'file', mimeType: 'text/plain', name: text, url: 'nowhere' }],
      }),
    );
    await blocks.of(`typed so far: ${name}`, async () => {
      for (const source of ['symbol', 'model', 'command'] as const)
        await channel.host.suggest(source, text, sender, 25);
    });
    await blocks.of(`form of ${name}`, async () => {
      channel.host.forms.open(`/keys add ${text.replaceAll('\n', ' ')}`, sender);
      const said = await channel.host.forms.submit(`keys:${text}`, { key: text, name: text }, sender);
      expect(said).not.toBe('');
    });
  }
  blocks.expectNone();
});
