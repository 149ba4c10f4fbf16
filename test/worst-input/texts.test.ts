import { z } from 'zod';
import { expect, it } from 'vitest';
import { fetchUrl } from '#src/agent/tools/general/fetch-url.ts';
import { asId, type TurnId } from '#src/kernel/ids.ts';
import { defineTool, type Tool } from '#src/kernel/agent/tool.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { MAX_MESSAGE_LENGTH } from '#channels/slack/send/render.ts';
import { readTables } from '#channels/slack/send/tables.ts';
import { formatSteps } from '#src/chat/delivery/response-formatter.ts';
import { HTML, startSite, webOf } from '#test/agent/tools/general/web-support.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { recordingEvents } from '#test/support/context.ts';
import { answer, type EngineApp, startEngineApp } from '#test/support/engine-app.ts';
import { registryOf } from '#test/support/registry.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { createBlocks } from './longest-block.ts';
import { FEW_SHAPES, LONG_SHAPES, SHAPES, shareOf } from './shapes.ts';

const PATIENCE = { timeout: 300_000 };
const NEVER = new AbortController().signal;

/** What is read of a page at most. */
const MAX_PAGE_CHARS = 2_000_000;

it('no page stalls the bot, and each is read or refused in words', PATIENCE, async () => {
  let page = '';
  const site = await startSite((_request, response) => void response.writeHead(200, HTML).end(page));
  const { deps } = webOf([site.port]);
  const tool = fetchUrl({ ...deps, clock: systemClock });
  const blocks = createBlocks('page');
  const BEGINNINGS = ['', '<p><a href="https://a.example/">', '<title>'];
  for (const [index, { name, of }] of shareOf(LONG_SHAPES, 1).entries()) {
    const before = BEGINNINGS[index % BEGINNINGS.length] ?? '';
    page = before + of(MAX_PAGE_CHARS);
    await blocks.of(`${before} ${name}`, async () => {
      const { content } = await tool.invoke(
        { url: site.at('page.test'), maxChars: 50_000 },
        toolContextOf(),
        NEVER,
      );
      expect(content).not.toBe('');
    });
  }
  blocks.expectNone();
});

it('no result of a tool stalls the bot, and something of each reaches the model', PATIENCE, async () => {
  let result: unknown = '';
  const tool: Tool = defineTool({
    name: 'hostile',
    description: 'gives what it is told to',
    group: 'web',
    input: z.object({}),
    run: async () => ({ content: result as string, isError: false, isUntrusted: true }),
  });
  const registry = registryOf({ clock: systemClock, events: recordingEvents().events }, [tool]);
  const blocks = createBlocks('tool result');
  const measure = (what: string, content: unknown): Promise<void> =>
    blocks.of(what, async () => {
      result = content;
      const call = { id: 'call-1', name: 'hostile', input: {} };
      const guarded = await registry.execute(
        call,
        toolContextOf({ turnId: asId<TurnId>(crypto.randomUUID()) }),
        NEVER,
      );
      expect(guarded.content.length).toBeGreaterThan(100);
      expect(guarded.content.length).toBeLessThanOrEqual(100_000);
    });
  // What is kept of it, what is looked at, and more than that.
  for (const { name, of } of SHAPES) await measure(name, of(100_000));
  const LONG = [
    (of: (length: number) => string) => of(400_000),
    (of: (length: number) => string) => `<p>a</p>${of(1_000_000)}`,
    (of: (length: number) => string) => JSON.stringify({ accounts: [of(390_000)], note: of(1_000) }),
  ];
  for (const [index, { name, of }] of shareOf(LONG_SHAPES, 0).entries()) {
    const content = LONG[index % LONG.length]?.(of) ?? '';
    await measure(`${content.slice(0, 8)}… ${name}`, content);
  }
  await measure(
    'objects',
    Array.from({ length: 300_000 }, (_, index) => ({ index })),
  );
  await measure(
    'numbers',
    Array.from({ length: 1_000_000 }, (_, index) => index),
  );
  blocks.expectNone();
});

it('no answer of a model stalls the bot, on any platform', PATIENCE, async () => {
  /** `pipeline.maxResponseLength`. */
  const MAX_ANSWER_CHARS = 100_000;
  const platforms = {
    discord: { maxLength: 2_000, supportsMarkdown: true, supportsTables: false },
    slack: { maxLength: 11_000, supportsMarkdown: true, supportsTables: true },
    terminal: { maxLength: 100_000, supportsMarkdown: false, supportsTables: false },
  } as const;
  /** What the parser still reads as one piece; longer ones are read by lines. */
  const MAX_PARSED_CHARS = 16_000;
  const blocks = createBlocks('Markdown');
  const { discord, ...others } = platforms;
  for (const [index, { name, of }] of shareOf(LONG_SHAPES, 2).entries()) {
    const other = Object.values(others)[index % 2] ?? discord;
    for (const format of [discord, other]) {
      const text = of(MAX_ANSWER_CHARS);
      await blocks.of(`${name}, ${format.maxLength}`, () => byTime(formatSteps(text, format), NEVER));
    }
  }
  for (const { name, of } of LONG_SHAPES) {
    const lines = of(MAX_PARSED_CHARS).split('\n').slice(0, 200).join('\n');
    for (const text of new Set([of(MAX_PARSED_CHARS), lines]))
      for (const format of Object.values(platforms)) {
        const what = `${text.length} characters of ${name}, ${format.maxLength}`;
        await blocks.of(what, () => byTime(formatSteps(text, format), NEVER));
      }
    await blocks.of(`tables of Slack, ${name}`, async () => {
      expect(readTables(`| a |\n\n${of(MAX_MESSAGE_LENGTH)}`).length).toBeGreaterThan(0);
    });
  }
  blocks.expectNone();
});

const asked = async (app: EngineApp, person: string, ...replies: readonly FakeReply[]): Promise<void> => {
  app.claude.reply(...replies);
  expect((await app.ask(person, `Please, ${person}`)).join('')).not.toBe('');
};

it('no answer stalls the bot on its whole way from the provider', PATIENCE, async () => {
  const app = await startEngineApp();
  await asked(app, 'ann', answer('Hello | there'));
  const blocks = createBlocks('answer');
  let people = 0;
  for (const { name, of } of FEW_SHAPES) {
    const text = `<<ATTACH_QUOTE>>${of(120_000)}`;
    await blocks.of(name, () => {
      people += 1;
      return asked(app, `person-${people}`, { kind: 'answer', text, pieceChars: 2_000 });
    });
  }
  blocks.expectNone();
});

/** As large as the text of a file is read, with other numbers in each. */
const fileOfNumbers = (index: number): Uint8Array => {
  const words: string[] = [];
  for (let number = 0, length = 0; length < 60_000; number += 1) {
    const word = `${(index + 1) * 1_000 + number}.${(number * 7) % 100}`;
    words.push(word);
    length += word.length + 1;
  }
  return new TextEncoder().encode(words.join(' '));
};

/** The person may dictate them: each number of the answer is looked for among those of the files. */
const ANSWERS_OF_NUMBERS: readonly (readonly [string, string])[] = [
  ['amounts', Array.from({ length: 499 }, (_, index) => `- $${(index * 977.13 + 5).toFixed(2)}`).join('\n')],
  [
    'summands',
    `The sum is ${Array.from({ length: 400 }, (_, index) => `$${index + 0.37}`).join(' + ')} = $80,000.`,
  ],
];

it('no long answer stalls the bot beside large files', PATIENCE, async () => {
  const names = Array.from({ length: 8 }, (_, index) => `${index}.txt`);
  const files = Object.fromEntries(names.map((name, index) => [name, fileOfNumbers(index)]));
  const app = await startEngineApp({ channel: { files } });
  await asked(app, 'ann', answer('Hello there'));
  const media = names.map((name) => ({ kind: 'file', mimeType: 'text/plain', name, url: name }) as const);
  const blocks = createBlocks('answer beside files');
  let people = 0;
  for (const [name, text] of ANSWERS_OF_NUMBERS)
    await blocks.of(name, async () => {
      people += 1;
      // An answer that is sent back for a number comes again.
      app.claude.otherwise(answer(text));
      expect((await app.ask(`reader-${people}`, 'List them in dollars', { media })).join('')).not.toBe('');
    });
  expect(JSON.stringify(app.claude.history.at(-1)?.body)).toContain('8003.21');
  blocks.expectNone();
});

interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The largest input that the schema of a tool lets through, all of one shape. */
const largest = (schema: Schema, of: (length: number) => string, isFull: boolean): unknown => {
  const { type, enum: values, anyOf, items = {}, properties = {}, required = [] } = schema;
  if (values) return values[0];
  if (anyOf?.[0]) return largest(anyOf[0], of, isFull);
  if (type === 'string') return of(Math.min(schema.maxLength ?? 20_000, 20_000));
  if (type === 'array') {
    const count = Math.min(schema.maxItems ?? 50, 50);
    return Array.from({ length: count }, (_, index) =>
      largest(items, (length) => of(length + index).slice(index), isFull),
    );
  }
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => isFull || required.includes(name))
        .map(([name, each]) => [name, largest(each, of, isFull)]),
    );
  if (type === 'boolean') return true;
  return schema.minimum ?? 1;
};

it('no input that a model gives to any tool stalls the bot', PATIENCE, async () => {
  const app = await startEngineApp();
  await asked(app, 'boss', answer('Hello'));
  const tools = app.claude.history.at(-1)?.body.tools ?? [];
  expect(tools.length).toBeGreaterThan(20);
  const blocks = createBlocks('tool input');
  let turns = 0;
  for (const [index, tool] of tools.entries())
    for (const offset of [0, 1]) {
      const shape = FEW_SHAPES[(index + offset * 3) % FEW_SHAPES.length];
      const { name, input_schema: schema } = tool as { name: string; input_schema: Schema };
      if (!shape) continue;
      const input = largest(schema, shape.of, offset % 2 === 0);
      await blocks.of(`${name} ${shape.name}`, () => {
        turns += 1;
        const call: FakeReply = { kind: 'answer', toolCalls: [{ name, input }], pieceChars: 2_000 };
        return asked(app, `person-${turns}`, call, answer('Done'));
      });
    }
  blocks.expectNone();
});
