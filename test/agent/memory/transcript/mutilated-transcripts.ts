import * as fc from 'fast-check';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import type { TranscriptLine } from '#src/agent/memory/transcript/transcript-entry.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { entriesOf } from './support.ts';

/** One step of the model: so many calls, whose results come in one message or in two, and perhaps new words. */
const step = fc.record({
  calls: fc.integer({ min: 1, max: 3 }),
  isSplit: fc.boolean(),
  isSteered: fc.boolean(),
});
const shape = fc.record({
  questions: fc.integer({ min: 1, max: 2 }),
  steps: fc.array(step, { maxLength: 3 }),
  pauses: fc.integer({ min: 0, max: 2 }),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

/** Every text and every id is there once, so that one can tell what became of it. */
const turnOf = ({ questions, steps, pauses }: Shape, turn: number): readonly ConversationMessage[] => [
  ...Array.from({ length: questions }, (_, index) => user(`question ${turn}.${index}`)),
  ...steps.flatMap(({ calls, isSplit, isSteered }, at) => {
    const ids = Array.from({ length: calls }, (_, index) => `call_${turn}_${at}_${index}`);
    const answers = ids.map((id) => result(id, `result of ${id}`));
    return [
      assistant(`thought ${turn}.${at}`, ...ids.map((id) => call(id))),
      ...(isSplit && calls > 1
        ? [results(...answers.slice(0, 1)), results(...answers.slice(1))]
        : [results(...answers)]),
      ...(isSteered ? [user(`steering ${turn}.${at}`)] : []),
    ];
  }),
  ...Array.from({ length: pauses }, (_, index) => ({
    ...assistant(`part ${turn}.${index}`),
    isPaused: true,
  })),
  assistant(`answer ${turn}`),
];

/** What several runs leave behind that nothing went wrong with. */
export const wholeTranscript: fc.Arbitrary<readonly TranscriptEntry[]> = fc
  .array(shape, { minLength: 1, maxLength: 3 })
  .map((shapes) =>
    shapes.flatMap((each, turn) => entriesOf(turn, turnOf(each, turn), `2026-11-13T0${turn}:00:00Z`)),
  );

const mutilation = fc.record({
  kind: fc.constantFrom(
    'drop',
    'duplicate',
    'swap',
    'spoil',
    'cut',
    'drop block',
    'double block',
    'swap blocks',
    'empty',
  ),
  first: fc.nat(),
  second: fc.nat(),
  block: fc.nat(),
});
type Mutilation = typeof mutilation extends fc.Arbitrary<infer T> ? T : never;

const emptied = (block: ContentBlock): ContentBlock =>
  block.type === 'tool_result' ? { ...block, content: '' } : block;

const withContent = (
  line: TranscriptLine,
  change: (content: ContentBlock[]) => ContentBlock[],
): TranscriptLine =>
  'unreadable' in line
    ? line
    : { ...line, message: { ...line.message, content: change([...line.message.content]) } };

const blockOf = (line: TranscriptLine, block: number): ContentBlock | undefined =>
  'unreadable' in line ? undefined : line.message.content[block % Math.max(1, line.message.content.length)];

const replace =
  (old: ContentBlock | undefined, ...by: readonly (ContentBlock | undefined)[]) =>
  (content: ContentBlock[]): ContentBlock[] =>
    content.flatMap((each) => (each === old ? by.flatMap((block) => (block ? [block] : [])) : [each]));

const mutilate = (
  before: readonly TranscriptLine[],
  { kind, first, second, block }: Mutilation,
): readonly TranscriptLine[] => {
  const lines = [...before];
  const at = first % Math.max(1, lines.length);
  const to = second % Math.max(1, lines.length);
  const [one, other] = [lines[at], lines[to]];
  if (!one || !other) return lines;
  const [mine, theirs] = [blockOf(one, block), blockOf(other, block)];
  switch (kind) {
    case 'drop':
      return lines.toSpliced(at, 1);
    case 'duplicate':
      return lines.toSpliced(to, 0, structuredClone(one));
    case 'swap':
      return lines.with(at, other).with(to, one);
    case 'spoil':
      return lines.with(at, { unreadable: true });
    case 'cut':
      return [...lines.slice(0, at), { unreadable: true }];
    case 'drop block':
      return lines.with(at, withContent(one, replace(mine)));
    case 'double block':
      return lines.with(at, withContent(one, replace(mine, mine, mine)));
    case 'swap blocks':
      return at === to
        ? lines
        : lines
            .with(at, withContent(one, replace(mine, theirs)))
            .with(to, withContent(other, replace(theirs, mine)));
    case 'empty':
      break;
  }
  return lines.with(
    at,
    withContent(one, (content) => content.map(emptied)),
  );
};

export const mutilatedTranscript: fc.Arbitrary<readonly TranscriptLine[]> = fc
  .tuple(wholeTranscript, fc.array(mutilation, { minLength: 1, maxLength: 5 }))
  .map(([whole, blows]) => blows.reduce<readonly TranscriptLine[]>(mutilate, whole));
