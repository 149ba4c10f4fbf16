import { describe, expect, it } from 'vitest';
import type { ReadAttachment } from '#src/kernel/execution.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { done, says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import { lookUp, message, setUpAdapter } from './adapter-support.ts';

/** Two of them are more than one request may carry. */
const HALF = 5_000_000;
const picture = (name: string): ReadAttachment => ({
  kind: 'image',
  name,
  mimeType: 'image/png',
  base64: name.slice(0, 1).repeat(HALF),
});
const imagesIn = (messages: readonly ConversationMessage[] = []): readonly string[] =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'image' ? [block.name] : [])));
const wordsIn = (messages: readonly ConversationMessage[] = []): string =>
  messages
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .join('\n');

describe('pictures of a long conversation', () => {
  it('go along while they are the newest: of an older one the model reads the name, and it stays stored', async () => {
    const { boot, history } = await setUpAdapter();
    const provider = new ScriptedProvider(
      [...says('A.'), done()],
      [...says('B.'), done()],
      [...says('Neither.'), done()],
    );
    const { execute } = boot(provider);
    await execute(message('1', 'What is it?', { attachments: [picture('a.png')] }));
    await execute(message('2', 'And this?', { attachments: [picture('b.png')] }));
    await execute(message('3', 'Which is nicer?'));
    expect(provider.requests.map(({ messages }) => imagesIn(messages))).toEqual([
      ['a.png'],
      ['b.png'],
      ['b.png'],
    ]);
    for (const { messages } of provider.requests.slice(1)) {
      expect(wordsIn(messages)).toContain('<attachment name="a.png">\n[an image from before]');
      expect(wordsIn(messages)).toContain('What is it?');
    }
    expect(imagesIn(await history())).toEqual(['a.png', 'b.png']);
  });

  it('stay the same over all steps of one answer, so that its cached beginning does not change', async () => {
    const { boot } = await setUpAdapter();
    const provider = new ScriptedProvider([...says('A.'), done()], lookUp, [...says('B.'), done()]);
    const { execute } = boot(provider, [testTool('lookup')]);
    await execute(message('1', 'What is it?', { attachments: [picture('a.png')] }));
    await execute(message('2', 'And this?', { attachments: [picture('b.png')] }));
    const [, first, second] = provider.requests;
    expect(imagesIn(second?.messages)).toEqual(['b.png']);
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  });
});
