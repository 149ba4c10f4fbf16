import { describe, expect, it } from 'vitest';
import { receiptsIn, samplesIn } from '#src/agent/content-blocks.ts';
import {
  answerIn,
  displayIn,
  factsBehind,
  mediaIn,
  samplesRepeatedIn,
  shownIn,
  withoutExamples,
} from '#src/agent/loop/answer-facts.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { factOf } from '#test/agent/memory/window/support.ts';
import { everyRow } from '#test/support/every-row.ts';
import { assistant, note, result, results, text, use, user } from './runner-support.ts';

const paused = (words: string): ConversationMessage => ({ ...assistant(text(words)), isPaused: true });

const picture = (name: string) =>
  ({ kind: 'image', mimeType: 'image/png', name, url: `file:///${name}` }) as const;

describe('the files of a turn', () => {
  it('are those that its tools made, and of many the newest four', () => {
    const drawn = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      ...result(name, 'drawn'),
      media: [picture(name)],
    }));
    expect(mediaIn([user('Draw'), results(...drawn.slice(0, 2)), assistant(text('Done'))])).toEqual([
      picture('a'),
      picture('b'),
    ]);
    expect(mediaIn([results(...drawn)]).map(({ name }) => name)).toEqual(['b', 'c', 'd', 'e']);
    expect(mediaIn([results(result('a', 'nothing'))])).toEqual([]);
  });
});

const changed = (words: string, id = words) => ({
  ...result(id, words),
  receipt: {
    effect: 'set' as const,
    text: words,
    choices: [{ label: 'Delete', command: `/alert delete ${id}` }],
  },
});
const receiptsOf = (...blocks: readonly ContentBlock[]) =>
  receiptsIn([user('Please'), results(...blocks), assistant(text('Done'))]).map((receipt) => receipt.text);

describe('the receipts of a turn', () => {
  it('are those of all its calls in order, each once', () => {
    expect(receiptsOf(result('a', 'nothing'))).toEqual([]);
    expect(receiptsOf(changed('b'), changed('a'), changed('b'))).toEqual(['b', 'a']);
    // The same call again finds its own alert.
    expect(receiptsOf(changed('Alert a is set', 'a'), changed('You have alert a already', 'a'))).toEqual([
      'Alert a is set',
    ]);
  });
});

const controlled = (id: string, entity: string, more: object = {}): ContentBlock => ({
  type: 'tool_result',
  toolUseId: id,
  content: 'found',
  isError: false,
  facts: [factOf(entity)],
  display: { choices: [{ label: entity, command: `/chart ${entity}` }] },
  ...more,
});
const labels = (...blocks: readonly ContentBlock[]): readonly string[] =>
  (displayIn([user('How is it?'), results(...blocks), assistant(text('Well.'))])?.choices ?? []).map(
    ({ label }) => label,
  );

describe('what is shown below the answer of a turn', () => {
  it('is that of the only instrument that its tools told about', () => {
    const news = controlled('n', 'AAPL', { display: undefined });
    const sum = controlled('s', 'calculation', { display: undefined });
    expect(labels(controlled('a', 'AAPL'))).toEqual(['AAPL']);
    expect(labels(controlled('a', 'AAPL'), controlled('b', 'AAPL'), news, sum)).toEqual(['AAPL']);
    expect(labels(controlled('a', 'AAPL'), controlled('b', 'TSLA'))).toEqual([]);
    const other = controlled('o', 'TSLA', { display: undefined });
    expect(labels(controlled('a', 'AAPL'), other)).toEqual([]);
    expect(labels(news)).toEqual([]);
  });

  it('is what tells about all of it, what a name may mean, and nothing from before the last words', () => {
    const both = { facts: [factOf('AAPL'), factOf('TSLA')] };
    expect(labels(controlled('a', 'TSLA'), controlled('b', 'both', both))).toEqual(['both']);
    expect(labels(controlled('b', 'both', both), controlled('a', 'TSLA'))).toEqual([]);
    const unclear = controlled('u', 'unclear', { isError: true, facts: [] });
    expect(labels(controlled('a', 'AAPL'), unclear)).toEqual(['unclear']);
    expect(labels(unclear, controlled('a', 'AAPL'))).toEqual(['AAPL']);
    const steered = [
      user('Apple?'),
      results(controlled('a', 'AAPL')),
      user('No, Tesla'),
      results(controlled('b', 'TSLA')),
    ];
    expect(displayIn(steered)?.choices).toEqual([{ label: 'TSLA', command: '/chart TSLA' }]);
    expect(displayIn(steered.slice(0, 3))).toBeUndefined();
  });

  it('is that of the only chart, whatever else was looked up', () => {
    const chart = (id: string, entity: string) => controlled(id, entity, { media: [picture(id)] });
    expect(labels(controlled('a', 'TSLA'), chart('b', 'AAPL'))).toEqual(['AAPL']);
    expect(labels(chart('a', 'AAPL'), chart('b', 'AAPL'))).toEqual([]);
    const worth = controlled('w', 'portfolio', { display: undefined, media: [picture('w')] });
    expect(labels(worth, controlled('a', 'AAPL'))).toEqual([]);
  });
});

describe('the answer in a turn', () => {
  it('is the last thing that the assistant said, not what it said beside its calls', () => {
    const messages = [
      user('How is Apple?'),
      assistant(text('I will look.'), use('c1', 'get_quote')),
      results(result('c1', 'AAPL 259.58')),
      assistant(text('It rose.')),
    ];
    expect(answerIn(messages)).toBe('It rose.');
  });

  it('is the corrected one, or the first where no correction came, and people saw it marked', () => {
    const first = [user('How is Apple?'), paused('It is '), assistant(text('201.'))];
    const asking: ConversationMessage = { ...user('<context>…</context>'), isRepair: true };
    const corrected = [...first, asking, assistant(text('It is 102.'))];
    expect([answerIn(corrected), shownIn(corrected)]).toEqual(['It is 102.', 'It is 102.']);
    const kept = [...first, asking, { ...note('[No correction.]'), shown: 'It is ~~201~~ 102.' }];
    expect([answerIn(kept), shownIn(kept)]).toEqual(['It is 201.', 'It is ~~201~~ 102.']);
    const stopped = [...first, asking, note('[No answer: the user stopped it.]')];
    expect([answerIn(stopped), shownIn(stopped)]).toEqual(['', '']);
  });

  it('is there as well when the person spoke last', () => {
    expect(answerIn([user('one'), assistant(text('First.')), user('two')])).toBe('First.');
  });

  it('sets the blocks of one message apart', () => {
    const thought = { type: 'thinking', model: 'm', text: 'hm', opaque: null } as const;
    expect(answerIn([assistant(text('Apple rose.'), thought, text('Tesla fell.'))])).toBe(
      'Apple rose.\n\nTesla fell.',
    );
  });

  it('is put together from the parts after which the provider had paused, without a seam', () => {
    const messages = [user('Tell me all'), paused('It ro'), paused('se by 3'), assistant(text(' percent.'))];
    expect(answerIn(messages)).toBe('It rose by 3 percent.');
  });

  it('begins with its own first part: what was answered before is not in it', () => {
    const messages = [assistant(text('Before.')), user('And now?'), paused('Now '), assistant(text('this.'))];
    expect(answerIn(messages)).toBe('Now this.');
    expect(answerIn([assistant(text('Before.')), assistant(text('Now.'))])).toBe('Now.');
  });

  it('has no word of the program in it, but what was really said before one', () => {
    expect(answerIn([user('Go'), note('[No answer: it failed.]')])).toBe('');
    expect(answerIn([user('Go'), paused('It rose'), note('[Ended here: it failed.]')])).toBe('It rose');
  });

  it.each([
    ['nothing was said', []],
    ['only the person spoke', [user('Hello?')]],
    ['the assistant only called a tool', [user('Go'), assistant(use('c1', 'get_quote'))]],
  ])('is empty where %s', (_case, messages) => {
    expect(answerIn(messages)).toBe('');
  });
});

const history = (earlierSamples: readonly Fact[], ...ofThisTurn: readonly ConversationMessage[]) => ({
  earlierSamples,
  ofThisTurn,
});
const withFacts = (facts: readonly Fact[]): ContentBlock => ({
  type: 'tool_result',
  toolUseId: 'c1',
  content: 'found',
  isError: false,
  facts,
});
const repeats = (answer: string, value: string): boolean =>
  factsBehind(answer, history([factOf('AAPL', { value })])).length > 0;

describe('the facts behind an answer', () => {
  it('are all of its own turn, real and made up, whatever the answer says', () => {
    const facts = [factOf('AAPL', { isSample: false }), factOf('MSFT')];
    const found = results(withFacts(facts), result('c2', 'nothing'));
    expect(factsBehind('No numbers.', history([], user('Go'), found))).toEqual(facts);
  });

  it('are made-up ones of before as well, where something was worked out from them in this turn', () => {
    const price = factOf('005930.KS', { value: '102300' });
    const calculated = assistant(use('c1', 'calculate', { expression: '102,300 * 7' }));
    const found = results(withFacts([factOf('calculation', { value: '716100', isSample: false })]));
    const behind = factsBehind('Seven are worth ₩716,100.', history([price], calculated, found));
    expect(behind).toContainEqual(price);
  });

  it("are what was calculated from made-up ones before, however often, but not the person's own sums", () => {
    const price = factOf('005930.KS', { value: '102300' });
    const sum = (value: string, ...operands: readonly string[]) =>
      results(withFacts([factOf('calculation', { value, operands, isSample: false })]));
    const before = [
      results(withFacts([price])),
      sum('716100', '102300', '7'),
      sum('1432200', '716100', '2'),
      sum('12345', '5', '2469'),
    ];
    const told = { ofThisTurn: [user('Again?')], earlierSamples: samplesIn(before) };
    const behind = (answer: string) => factsBehind(answer, told).map(({ value }) => value);
    expect(behind('It was 716,100.')).toEqual(['716100']);
    expect(behind('It was ₩1,432,200.')).toEqual(['1432200']);
    expect(behind('It was 12,345.')).toEqual([]);
    // A message that is sent later has the mark of the same turn's calculation.
    const now = { ofThisTurn: before, earlierSamples: [] };
    expect(samplesRepeatedIn('Seven are 716,100.', now).map(({ value }) => value)).toEqual(['716100']);
  });

  it('are none for the examples of what to type that the offline model gives', () => {
    const price = factOf('005930.KS', { value: '71000' });
    const told = history([price]);
    const answer = 'I do not understand. Try "bought 10 at 71,000" or `/alert 005930 71000`.';
    const start = answer.indexOf('71,000');
    const checked = [
      {
        start,
        end: start + 6,
        text: '71,000',
        verdict: 'supported',
        known: { fact: price, isUntrusted: false },
      },
    ] as never;
    expect(factsBehind(answer, told, checked)).toEqual([price]);
    expect(factsBehind(withoutExamples(answer), told, checked)).toEqual([]);
    expect(factsBehind(withoutExamples('It was 71,000.'), told)).toEqual([price]);
  });

  it.each([
    // The person's own sum, which only happens to have the same result or operand as a made-up number.
    ['100*3', '300', '300', false],
    ['300*3', '900', '300', false],
    ['sqrt(2)*100', '141.4213562', '100', false],
    // A made-up price that the person typed again.
    ['304.12*10', '3041.2', '304.12', true],
  ])('of the sum %s, which is %s, count the made-up %s: %s', (sum, value, madeUp, isBehind) => {
    const asked = { ...user(sum), inboxIds: [asId<InboxId>('i1')] };
    const calculated = assistant(use('c1', 'calculate', { expression: sum }));
    const found = results(withFacts([factOf('calculation', { value, isSample: false })]));
    const price = factOf('AAPL', { value: madeUp });
    const behind = factsBehind(`\`${sum}\` = ${value}`, history([price], asked, calculated, found));
    expect(behind.includes(price)).toBe(isBehind);
    // A model that chose the same operand itself may have it from the conversation.
    const ownChoice = factsBehind(value, history([factOf('AAPL', { value: '100' })], calculated, found));
    expect(ownChoice).toHaveLength(sum.includes('100') ? 2 : 1);
  });

  it('are of a text that is sent later only those made-up ones that it repeats', () => {
    const apple = factOf('AAPL', { value: '259.58' });
    const samsung = factOf('005930', { value: '71200' });
    const told = history(
      [apple],
      results(withFacts([samsung, factOf('MSFT', { value: '412.5', isSample: false })])),
    );
    const texts = ['Sell at $259.58', '삼성전자 7만 1,200원', 'It was 412.5', 'Call Anna'];
    expect(texts.map((later) => samplesRepeatedIn(later, told))).toEqual([[apple], [samsung], [], []]);
  });

  it('are made-up ones of before as well, as far as it repeats them', () => {
    const apple = factOf('AAPL', { value: '259.58' });
    const samsung = factOf('005930', { value: '71200' });
    const own = factOf('MSFT');
    const found = results(withFacts([own]));
    expect(factsBehind('Apple was at $259.58.', history([apple, samsung], found))).toEqual([own, apple]);
  });

  everyRow([
    ['$259.58', '259.58'],
    ['259.58달러였습니다', '259.58'],
    ['71,200원', '71200'],
    ['₩71200', '71200'],
    ['71,200.00원', '71200'],
    ['1,234,567,890주', '1234567890'],
    ['$1,234.50', '1234.5'],
    ['1,234.5', '1234.50'],
    ['71,200', '71200.00'],
    ['100', '100'],
    ['1 234 567', '1234567'],
    ['1\u00a0234\u202f567', '1234567'],
    ["1'234'567", '1234567'],
    ['between 70,100 and 71,200', '71200'],
    ['It fell by 3.25 dollars.', '-3.25'],
    ['애플은 3.25달러 하락했습니다.', '-3.25'],
    ['−3.25', '-3.25'],
    ['7만 1,200원입니다', '71200'],
    ['7만1200원', '71200'],
    ['거래량은 1,234만 5,678주', '12345678'],
    ['시가총액 1.5조', '1500000000000'],
    ['3조 2,000억 원', '3200000000000'],
  ])('%j repeats %s', (answer, value) => {
    expect(repeats(answer, value)).toBe(true);
  });

  everyRow([
    ['It rose by 3 percent.', '259.58'],
    ['$259.85', '259.58'],
    ['259', '259.58'],
    ['71,300원', '71200'],
    ['7,120', '71200'],
    ['712.00', '71200'],
    ['', '71200'],
    ['$1,259.58', '259.58'],
    ['$259.581', '259.58'],
    ['It has 2150 employees.', '150'],
    ['since 2015.04', '15.04'],
    ['7만 1,300원', '71200'],
    ['not a number', 'n/a'],
  ])('%j does not repeat %s', (answer, value) => {
    expect(repeats(answer, value)).toBe(false);
  });

  it.each(['7', '12', '1.2', '12.0', '50.00'])(
    'the short number %s tells nothing, for any answer may hold it by chance',
    (value) => {
      expect(repeats('Of 12 people 7 paid 1.2, 12.0 or 50.00 at 12:00.', value)).toBe(false);
    },
  );
});

it.each([
  ['2026-11-13 304.12달러', '304.12'],
  ['코스피 200 345.67', '345.67'],
  ['S&P 500 456.78', '456.78'],
  ['Week 45: 304 312 298', '312'],
  ['3 304.12 USD', '304.12'],
])('a number behind another one and a space is a number of its own: %j', (answer, value) => {
  expect(repeats(answer, value)).toBe(true);
});
