import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksIn, receiptsIn, samplesIn } from '#src/agent/content-blocks.ts';
import { evidenceIn } from '#src/agent/grounding/facts/evidence.ts';
import { checkAnswer } from '#src/agent/grounding/judge/check-answer.ts';
import { markAnswer } from '#src/agent/grounding/mark/mark-answer.ts';
import { repairNote } from '#src/agent/grounding/mark/repair-note.ts';
import {
  displayIn,
  dependsOnZone,
  factsBehind,
  mediaIn,
  shownIn,
  standInOf,
} from '#src/agent/loop/answer-facts.ts';
import { factsOf, linksOf } from '#src/agent/memory/window/summary-message.ts';
import { parseRows, type TranscriptEntry } from '#src/agent/memory/transcript/transcript-entry.ts';
import { asId, type TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { assistant, call, result, results, user } from '#test/agent/providers/request.ts';
import { SESSION } from '#test/agent/support.ts';
import { everyRow } from '#test/support/every-row.ts';
import { setUpStore } from './store-support.ts';

const FACT = {
  entity: '005930.KS',
  names: ['삼성전자'],
  metric: 'price',
  value: '102300',
  unit: 'KRW',
  asOf: '2026-11-13T06:30:00Z',
  source: 'sample',
  isSample: true,
};
const MEDIA = { kind: 'image', mimeType: 'image/png', name: 'chart.png', url: 'charts/a.png' };
const LINKS = { from: 'quoted', urls: ['https://example.com/'] };
const RECEIPT = { effect: 'set', text: '알림을 설정했습니다.' };
const ANSWER = '삼성전자는 102,300원입니다.';

interface StoredRow {
  readonly turnId: TurnId;
  readonly at: string;
  readonly message: string;
}

/** The rows of one turn as another version of the program, or a person, may have written them. */
const linesOf = (
  ofMessage: Readonly<Record<string, unknown>>,
  ofResult: Readonly<Record<string, unknown>>,
  at = '2026-11-13T06:30:00Z',
): readonly StoredRow[] =>
  [
    { ...user('삼성전자 얼마야?'), ...ofMessage },
    assistant('', call('c1')),
    results({ ...result('c1', '₩102,300'), ...ofResult }),
    { ...assistant(ANSWER), ...ofMessage },
  ].map((message) => ({ at, turnId: asId<TurnId>('turn-1'), message: JSON.stringify(message) }));

const read = (rows: readonly StoredRow[]): readonly TranscriptEntry[] =>
  atOnce(parseRows(rows)).flatMap((line) => ('unreadable' in line ? [] : [line]));

const messagesOf = (rows: readonly StoredRow[]): readonly ConversationMessage[] =>
  read(rows).map(({ message }) => message);

/** Everything that the program does with what stands beside the words of a stored conversation. */
const useAll = (rows: readonly StoredRow[]): void => {
  const entries = read(rows);
  const messages = entries.map(({ message }) => message);
  expect(messages).toHaveLength(4);
  const evidence = evidenceIn(messages, new Temporal.PlainDate(2026, 11, 14));
  const checked = checkAnswer(ANSWER, evidence);
  expect(repairNote(checked) + markAnswer(ANSWER, checked, 'ko')).toContain('102,300');
  factsBehind(ANSWER, { ofThisTurn: messages, earlierSamples: samplesIn(messages) }, checked.numbers);
  messages.flatMap(linksIn).flatMap(({ urls }) => urls.map((url) => url.length));
  JSON.stringify([factsOf(entries), linksOf(entries)]);
  for (const { url, name } of mediaIn(messages))
    expect([typeof url, typeof name]).toEqual(['string', 'string']);
  for (const { label, command } of displayIn(messages)?.choices ?? [])
    expect([typeof label, typeof command]).toEqual(['string', 'string']);
  for (const { text, choices = [] } of receiptsIn(messages))
    expect([typeof text, ...choices.map(({ command }) => typeof command)]).not.toContain('undefined');
  expect(typeof shownIn(messages)).toBe('string');
  expect(typeof dependsOnZone(messages)).toBe('boolean');
  expect(typeof (standInOf(messages)?.model ?? '')).toBe('string');
  for (const { inboxIds = [], messageIds = [] } of messages)
    for (const id of [...inboxIds, ...messageIds]) expect(typeof id).toBe('string');
  for (const { at } of entries) Temporal.Instant.from(at);
};

/** In a list each, because a row of a table is a list. */
const rowsOf = (values: readonly unknown[]): readonly (readonly [unknown])[] =>
  values.map((value) => [value]);

const MALFORMED: readonly unknown[] = [null, 7, 'text', {}, [], [null], [7, 'text', {}, [null]], [[]]];

describe('a malformed field of a stored message', () => {
  everyRow(
    rowsOf([
      { ...FACT, value: 102_300 },
      { ...FACT, entity: null },
      { ...FACT, names: 'Samsung' },
      { ...FACT, names: [null] },
      { ...FACT, operands: [1] },
      { ...FACT, isSample: 'yes' },
      { ...FACT, day: 13 },
      { ...FACT, period: {} },
      { ...FACT, parameter: 14 },
      { ...FACT, label: [] },
      null,
      7,
      'text',
      {},
      [],
    ]),
  )('takes only itself away from the facts: %j', (broken) => {
    const [asked, , returned] = messagesOf(linesOf({ facts: [broken, FACT] }, { facts: [FACT, broken] }));
    expect(asked?.facts).toEqual([FACT]);
    expect(returned?.content).toMatchObject([{ content: '₩102,300', facts: [FACT] }]);
  });

  everyRow(rowsOf([...MALFORMED, { ...FACT, metric: 7 }]))(
    'leaves every reader of the conversation working: %j',
    (broken) => {
      const names = [
        'facts',
        'links',
        'inboxIds',
        'messageIds',
        'shown',
        'standIn',
        'media',
        'display',
        'receipt',
        'isNote',
        'code',
      ];
      for (const name of [...names, 'isRepair', 'isPaused', 'isSummary', 'isError', 'isUntrusted'])
        for (const value of [broken, { model: broken }])
          useAll(linesOf({ [name]: value }, { [name]: value }));
      useAll(linesOf({}, {}, typeof broken === 'string' ? broken : 'yesterday'));
    },
  );

  it('leaves every reader working, whatever it is', () => {
    const fact = fc.record(
      {
        ...Object.fromEntries(Object.keys(FACT).map((name) => [name, fc.jsonValue({ maxDepth: 2 })])),
        day: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    );
    const almost = fact.map((some) => ({ ...FACT, ...some }));
    fc.assert(
      fc.property(fc.array(fc.oneof(fact, almost, fc.jsonValue()), { maxLength: 4 }), (facts) => {
        useAll(
          linesOf({ facts }, { facts, media: facts, display: facts[0], receipt: facts[0], links: facts[0] }),
        );
      }),
    );
  });

  it('does not touch what is well-formed', () => {
    const [asked, , returned] = messagesOf(
      linesOf(
        { facts: [FACT], links: [LINKS], inboxIds: ['1'] },
        { facts: [FACT], media: [MEDIA], links: LINKS, receipt: RECEIPT },
      ),
    );
    expect(asked).toMatchObject({ facts: [FACT], links: [LINKS], inboxIds: ['1'] });
    expect(returned?.content).toMatchObject([
      { facts: [FACT], media: [MEDIA], links: LINKS, receipt: RECEIPT },
    ]);
  });

  it('is no damage: the row stays as it is', async () => {
    const { store, write, plant, rowsIn, payloads } = await setUpStore();
    await write('turn-0', user('q'), assistant('a'));
    for (const row of linesOf({ facts: [null] }, { facts: [null, FACT] })) await plant(row);
    const before = await rowsIn('current');
    await expect(store.load(SESSION, new Set())).resolves.toHaveLength(6);
    expect(await rowsIn('current')).toEqual(before);
    expect(payloads('session:repair')).toEqual([]);
  });
});
