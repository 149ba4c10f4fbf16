import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Language = 'en' | 'ko';

/** The most words of a kind of answer, in each language; `each` more for every holding that it lists. */
interface Kind {
  readonly kind: string;
  readonly file: 'alerts' | 'portfolio' | 'natural';
  readonly line: RegExp;
  /** What the answer has to show to be of this kind. */
  readonly shows: RegExp;
  readonly budget: number;
  /** The record has it in one language alone. */
  readonly only?: Language;
  readonly each?: { readonly budget: number; readonly of: RegExp };
}

const KINDS: readonly Kind[] = [
  {
    kind: 'alert set',
    file: 'alerts',
    line: /^\/alert \w+ [^s]|^\/알림 (?!미루기)|tell me when|알려줘$/u,
    shows: /^🔔/u,
    budget: 20,
  },
  { kind: 'snooze', file: 'alerts', line: /snooze|미루기/u, shows: /^💤/u, budget: 12 },
  {
    kind: 'watch added',
    file: 'alerts',
    line: /^\/watch|^\/관심|watchlist|관심종목/u,
    shows: /^(?:⭐|Added|관심 종목에 추가)/u,
    budget: 10,
  },
  {
    kind: 'briefing set',
    file: 'alerts',
    line: /^\/briefing \d|^\/브리핑 (?:매일|평일)/u,
    shows: /Done|예약했|Briefing|브리핑/u,
    budget: 20,
  },
  { kind: 'briefing', file: 'alerts', line: /now|지금/u, shows: /\*\*(?:Briefing|브리핑)/u, budget: 105 },
  {
    kind: 'question before recording',
    file: 'portfolio',
    line: /bought|샀어/u,
    shows: /^❓|기록할까요|Save this/u,
    budget: 20,
  },
  {
    kind: 'record confirmed',
    file: 'portfolio',
    line: /^(?!\/portfolio transfer)/u,
    shows: /^✅/u,
    budget: 26,
  },
  { kind: 'transfer', file: 'portfolio', line: /transfer/u, shows: /^✅/u, budget: 33, only: 'en' },
  { kind: 'undo', file: 'portfolio', line: /./u, shows: /^↩️/u, budget: 25, only: 'en' },
  {
    kind: 'portfolio',
    file: 'portfolio',
    line: /^\/portfolio$|^\/포트폴리오$|^\/잔고$|my portfolio|내 포트폴리오/u,
    shows: /Total value|총 평가금액/u,
    budget: 25,
    each: { budget: 8, of: /^\| (?!Name|종목)[^|]*\(|"url"/gmu },
  },
  { kind: 'analysis', file: 'portfolio', line: /analysis|분석/u, shows: /TWR|수익/u, budget: 101 },
];

const GENERAL = [
  /^⚠️ (?:SAMPLE|샘플)/u,
  /^_(?:Answered|AI )/u,
  /^I keep our conversation|^나눈 대화는/u,
  // A question of its own below the answer, and how to answer one without buttons.
  /^\*\*\S+ (?:time|시간)\*\*/u,
  /^`\/approve /u,
  // What is odd about an entry is worth its words.
  /^> ⚠ /u,
];
const NOT_READ = /^\[(?:button|file|more|locale)\]/u;

const wordsOfCard = (json: string): string => {
  const card = JSON.parse(json) as Record<string, unknown> & { fields: { name: string; value: string }[] };
  const { title, headline, fields, footer } = card;
  return [title, headline, ...fields.flatMap(({ name, value }) => [name, value]), footer].join(' ');
};

const counted = (answer: string): number =>
  answer
    .split('\n')
    .filter((line) => !GENERAL.some((pattern) => pattern.test(line)) && !NOT_READ.test(line))
    .map((line) => (line.startsWith('[card] ') ? wordsOfCard(line.slice('[card] '.length)) : line))
    .flatMap((line) => line.split(/\s+/u))
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** By its locale; of a question without one by its words. */
const languageOf = (answer: string): Language => (/^\[locale\] ko$|할까요\?/mu.test(answer) ? 'ko' : 'en');

interface Said {
  readonly line: string;
  readonly answer: string;
  readonly language: Language;
}

const recorded = (file: string): readonly Said[] =>
  readFileSync(join(import.meta.dirname, `record/answers/${file}.txt`), 'utf8')
    .split(/^› /mu)
    .slice(1)
    .map((each) => {
      const [line = '', ...rest] = each.split(/^@ |^# /mu)[0]?.split('\n') ?? [];
      const answer = rest.join('\n').trim();
      return { line, answer, language: languageOf(answer) };
    });

describe('an answer about what is theirs is as short as a person would write it', () => {
  it.for(KINDS)('$kind', ({ file, line, shows, budget, each, only }) => {
    const answers = recorded(file).filter(
      (said) => line.test(said.line.replace('▸ ', '')) && shows.test(said.answer),
    );
    const measured = answers.map((said) => {
      const count = each ? (said.answer.match(each.of)?.length ?? 0) : 0;
      return { ...said, words: counted(said.answer), most: budget + count * (each?.budget ?? 0) };
    });
    for (const language of only ? [only] : ['en', 'ko'])
      expect(measured.map((said) => said.language)).toContain(language);
    expect(
      measured
        .filter(({ words, most }) => words > most)
        .map(({ line: asked, words, most }) => `${asked}: ${words} of ${most}`),
    ).toEqual([]);
  });
});
