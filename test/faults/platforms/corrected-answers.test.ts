import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LiveMode } from '#src/kernel/chat/live-answer.ts';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer } from '#test/support/engine-app.ts';
import { eventually } from '#test/support/platforms/talk.ts';
import { linesIn, startDyingBots } from './dying-bots.ts';

const LOOKS_UP: FakeReply = {
  kind: 'answer',
  toolCalls: [{ name: 'get_quote', input: { symbols: ['삼성전자'] } }],
};
/** The tool said ₩102,300 and -1.25 %. */
const WRONG = '삼성전자(005930)는 현재 201,300원입니다.';
/** With the price that the tool found: the sample goes on by the clock. */
const rightWith = (price: string): string => `삼성전자(005930)는 현재 ${price}원입니다.`;

/** The next process loads meanwhile, and takes half of the machine. */
const WAIT_MS = 20_000;

/** The entries of the stored conversation: question, call, result, then these. */
const [ANSWER, NOTE, CORRECTION] = [4, 5, 6];

interface Case {
  readonly name: string;
  readonly mode: LiveMode;
  /** The last entry that each process stores; undefined: it is killed while the model corrects the answer. */
  readonly lastLines: readonly (number | undefined)[];
  readonly requests: number;
}

const CASES: readonly Case[] = [
  {
    name: 'after an answer that people read already, then while the model corrects it',
    mode: 'stream',
    lastLines: [ANSWER, undefined],
    requests: 4,
  },
  {
    name: 'after the answer, then after the note on it',
    mode: 'off',
    lastLines: [ANSWER, NOTE],
    requests: 3,
  },
  {
    name: 'while the model corrects the answer, then after the correction',
    mode: 'stream',
    lastLines: [undefined, CORRECTION],
    requests: 4,
  },
  {
    name: 'after the note, then after the correction',
    mode: 'off',
    lastLines: [NOTE, CORRECTION],
    requests: 3,
  },
];
/** A process takes a second to load: every run of the tests can afford one case. */
const USUAL = process.env['FINCLAW_FAULTS'] === 'all' ? CASES : CASES.slice(0, 1);

const isCorrection = ({ messages }: AnthropicBody): boolean => JSON.stringify(messages).includes('201,300');

const priceIn = ({ messages }: AnthropicBody): string =>
  /₩([\d,]+)/u.exec(JSON.stringify(messages))?.[1] ?? '';

const isLookedUp = ({ messages }: AnthropicBody): boolean =>
  blocksOf(messages.at(-1)?.content ?? '').some(({ type }) => type === 'tool_result');

const notesIn = (dataDir: string): number =>
  linesIn(dataDir).filter((line) => line.includes('"isRepair":true')).length;

describe('kill -9 around the correction of an answer: one note, and one right answer', () => {
  it.for(USUAL)('$name', { timeout: 120_000 }, async ({ mode, lastLines, requests }) => {
    const { dataDir, claude, discord, load } = await startDyingBots();
    writeFileSync(join(dataDir, 'finclaw.config.json'), JSON.stringify({ live: { mode }, welcome: false }));
    const kim = discord.addUser({ name: 'kim', locale: 'ko' });
    const kims = discord.directChannel(kim).id;
    const said = (): readonly string[] =>
      discord
        .messagesIn(kims)
        .filter(({ author }) => author.isBot)
        .map(({ content }) => content);
    const patiently = (look: () => boolean): Promise<boolean> =>
      eventually(look, () => [said(), claude.history.map(({ outcome }) => outcome)], WAIT_MS);
    const untilRead = async (): Promise<void> => {
      if (mode === 'stream') await patiently(() => said().some((text) => text.includes('201,300원')));
    };
    let right = 'no price was looked up';
    claude.otherwise((body): FakeReply => {
      if (isCorrection(body)) {
        const isFirst = claude.history.every(({ outcome }) => outcome !== 'stall');
        return isFirst && lastLines.includes(undefined)
          ? { kind: 'stall', answer: { text: '삼성전자는' } }
          : answer(right);
      }
      if (!isLookedUp(body)) return LOOKS_UP;
      right = rightWith(priceIn(body));
      const [until, then] = [untilRead(), answer(' ')];
      // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
      return { kind: 'hold', until, answer: { text: WRONG }, then };
    });

    let next = load(lastLines[0]);
    for (const [index, lastLine] of lastLines.entries()) {
      const bot = next;
      await bot.start();
      // The next one loads while this one runs.
      next = load(lastLines[index + 1]);
      if (index === 0) {
        await patiently(() => discord.gateway.isReady);
        discord.sayDirect(kim, '삼성전자 어때?');
      }
      if (lastLine === undefined) {
        await patiently(() => claude.history.at(-1)?.outcome === 'stall');
        bot.end('SIGKILL');
      }
      expect(await bot.exited).toEqual({ code: null, signal: 'SIGKILL' });
      expect(linesIn(dataDir)).toHaveLength(lastLine ?? NOTE);
    }

    await next.start();
    await patiently(() => said().some((text) => text.includes(right)));
    next.end('SIGTERM');
    expect(await next.exited).toEqual({ code: 0, signal: null });
    expect(said()).toEqual([expect.stringContaining(right)]);
    expect(said().join()).not.toMatch(/201,300|출처를 확인/);
    expect(claude.history).toHaveLength(requests);
    expect(notesIn(dataDir)).toBe(1);
    expect(linesIn(dataDir)).toHaveLength(CORRECTION);
  });
});
