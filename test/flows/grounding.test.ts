import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import {
  answer,
  bookedIn,
  callsTool,
  startEngineApp,
  startServers,
  status,
  until,
  untilRead,
} from '#test/support/engine-app.ts';
import { copyOf, DELETE_LAST_ENTRY, query, transcriptIn } from './gateway-support.ts';
import { readIn } from '#test/support/platforms/talk.ts';

const QUESTION = '삼성전자 어때?';
const LOOKS_UP = callsTool('삼성전자');
/** The tool said ₩102,300 and -1.25 %, and nothing of a market value or a ratio. */
const WRONG = '삼성전자(005930)는 현재 231,700원입니다. 시가총액은 약 912조 원, PER은 11.4배입니다.';
const RIGHT = '삼성전자(005930)는 현재 102,300원으로 전일보다 1.25% 하락했습니다.';
const UNCONFIRMED = '출처를 확인하지 못한 수치';

/** Less than one question costs, and more than nothing. */
const SMALL_USD = 0.0005;

/** A fact about nothing, which no tool gives. */
const NAMELESS = '{"metric":"price","value":"1","unit":"KRW"}';

/** A message of the channel, or in the thread on a message of it. */
const inChannel = (messageId: string, threadOn?: string): Partial<MsgContext> => ({
  chatType: 'channel',
  chatId: asId<ChatId>('club'),
  messageId: asId<MessageId>(messageId),
  mentionsBot: true,
  ...(threadOn === undefined ? {} : { threadId: asId<ThreadId>(threadOn) }),
});

/** An app that has asked for a correction and waits for it. */
const heldInRepair = async () => {
  const servers = await startServers();
  const first = await startEngineApp({ servers });
  first.claude.reply(LOOKS_UP, answer(WRONG), { kind: 'stall', answer: { text: '삼성전자는' } });
  await first.send('ann', QUESTION);
  await until(() => first.claude.history.length === 3);
  await untilRead();
  return { servers, dataDir: copyOf(first) };
};

const expectOneCorrection = async (
  servers: Awaited<ReturnType<typeof startServers>>,
  dataDir: string,
): Promise<void> => {
  servers.claude.reply(answer(RIGHT));
  const second = await startEngineApp({ servers, dataDir });
  await second.channel.waitForSent(1);
  await second.stop();
  expect(second.channel.texts).toEqual([expect.stringContaining(RIGHT)]);
  expect(second.channel.texts.join()).not.toContain(UNCONFIRMED);
  expect(servers.claude.history).toHaveLength(4);
  expect(transcriptIn({ dataDir }).filter((line) => line.includes('"isRepair":true'))).toHaveLength(1);
};

describe('an answer with numbers that no tool gave', () => {
  it('is corrected by one request, which is booked, and later turns, exports and /status tell of it rightly', async () => {
    const app = await startEngineApp();
    app.claude.reply(LOOKS_UP, answer(WRONG), answer(RIGHT), answer('네, 그렇습니다.'));
    const [said = ''] = await app.ask('ann', QUESTION);
    expect(said).toContain(RIGHT);
    expect(said).not.toContain(UNCONFIRMED);
    expect(readIn(app.claude.history[2]?.body)).toMatch(/231,700원: get_quote says .* price 102300 KRW/);
    await app.ask('ann', '정말?');
    // The request only grew: what was cached stays cached.
    const [before, after] = app.claude.history.slice(2).map(({ body }) => body.messages);
    expect(JSON.stringify(after)).toContain('231,700');
    expect(after?.slice(0, (before?.length ?? 0) - 1).map(({ role }) => role)).toEqual(
      before?.slice(0, -1).map(({ role }) => role),
    );
    const [exported] = await app
      .ask('ann', '/export')
      .then(() => app.channel.sent.at(-1)?.payload.media ?? []);
    const markdown = readFileSync(new URL(exported?.url ?? ''), 'utf8');
    expect(markdown).toContain(RIGHT);
    expect(markdown).not.toMatch(/231,700|not sent yet/);
    expect((await app.ask('boss', '/status', { locale: 'en' })).join()).toMatch(
      /Numbers in answers.* — \d+ checked · .* · \d asked about · [34] corrected · 0 marked\n.*Answers sent back to the model.* — 1 of 2/,
    );
    const misses = app.log.filter((line) => line.includes('answer:miss'));
    expect(misses.length).toBeGreaterThanOrEqual(4);
    // A time may have such digits by chance.
    const told = misses.map((line) => line.replace(/"time":"[^"]*"/, '')).join();
    expect(told).not.toMatch(/231|912|11\.4/);
    await app.stop();
    expect(bookedIn(app.dataDir)).toHaveLength(4);
  });

  it('has them marked where the model insists, in the export too, and no word of it changed', async () => {
    const app = await startEngineApp();
    app.claude.reply(LOOKS_UP, answer(WRONG), answer(WRONG));
    const [said = ''] = await app.ask('ann', QUESTION);
    expect(said.replaceAll('⚠️', '')).toContain(WRONG);
    expect(said).toMatch(/현재 231,700원⚠️입니다.*912조 원⚠️/);
    expect(said).toMatch(new RegExp(`⚠️ ${UNCONFIRMED}: .*231,700원.*912조`));
    expect(app.claude.history).toHaveLength(3);
    await app.ask('ann', '/export');
    const [exported] = app.channel.sent.at(-1)?.payload.media ?? [];
    expect(readFileSync(new URL(exported?.url ?? ''), 'utf8')).toContain('231,700원⚠️');
  });

  it('has them marked at once in mode mark, and keeps them in mode off, also for one agent', async () => {
    const servers = await startServers();
    const marking = await startEngineApp({ servers, config: { grounding: { mode: 'mark' } } });
    marking.claude.reply(LOOKS_UP, answer(WRONG));
    expect((await marking.ask('ann', QUESTION)).join()).toContain('231,700원⚠️');
    const off = await startEngineApp({
      servers,
      env: { FINCLAW_GROUNDING: 'mark' },
      config: { agents: { main: { grounding: { mode: 'off' } } } },
    });
    off.claude.reply(LOOKS_UP, answer(WRONG));
    expect((await off.ask('ann', QUESTION)).join()).toContain(WRONG);
    expect(servers.claude.history).toHaveLength(4);
  });

  it('is delivered marked where the correction fails with every provider', async () => {
    const app = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
    app.claude.reply(LOOKS_UP, answer(WRONG), status(400));
    app.claude.otherwise(answer('Still here.'));
    expect((await app.ask('ann', QUESTION)).join()).toContain('231,700원⚠️');
    expect(await app.ask('ann', 'Are you there?')).toEqual(['Still here.']);
    expect(app.claude.history.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
  });
});

describe('an answer whose correction is not to be had', () => {
  it('is delivered marked where it has spent the budget', async () => {
    const config = { budgets: { perUserUsd: SMALL_USD } };
    const app = await startEngineApp({ config });
    app.claude.reply(answer(WRONG));
    expect((await app.ask('ann', QUESTION)).join()).toMatch(new RegExp(`⚠️ ${UNCONFIRMED}: .*231,700`));
    expect([app.claude.history.length, app.gpt.history.length]).toEqual([1, 0]);
    await app.stop();
    expect(bookedIn(app.dataDir)).toHaveLength(1);
  });
});

describe('a stored conversation with facts that are none', () => {
  it('goes on, and its other facts still tell wrong numbers, in the next answer and in /why', async () => {
    const first = await startEngineApp();
    first.claude.reply(LOOKS_UP, answer(RIGHT), answer(WRONG), answer(RIGHT));
    await first.ask('ann', QUESTION);
    await first.stop();
    query(
      first.dataDir,
      `update transcript_entries set message = replace(message, '"facts":[', ?)`,
      `"facts":[null,7,${NAMELESS},`,
    );
    const app = await startEngineApp({ servers: first, dataDir: first.dataDir });
    expect(await app.ask('ann', '정말?')).toEqual([expect.stringContaining(RIGHT)]);
    expect(readIn(app.claude.history[3]?.body)).toMatch(/231,700원: get_quote says .* price 102300 KRW/);
    expect((await app.ask('ann', '/why')).join()).toMatch(/102,300원\*\* — Samsung .* price · `get_quote`/);
    expect(app.log.filter((line) => line.includes('were not checked'))).toEqual([]);
  });
});

describe('a thread on a corrected answer', () => {
  it('quotes what was delivered, marks with it, and nothing of the first answers', async () => {
    const app = await startEngineApp();
    app.claude.reply(LOOKS_UP, answer(WRONG), answer(RIGHT), LOOKS_UP, answer(WRONG), answer(WRONG));
    await app.ask('ann', QUESTION, inChannel('m1'));
    await app.ask('ann', QUESTION, inChannel('m2'));
    await app.ask('ben', '왜?', inChannel('m3', 'm1'));
    const read = readIn(app.claude.history.at(-1)?.body);
    expect(read).toContain(RIGHT);
    expect(read).toContain('현재 231,700원⚠️');
    expect(read).not.toMatch(/현재 231,700원(?!⚠️)|not sent yet/);
  });
});

describe('a process that is killed', () => {
  it('while the model corrects its answer leaves the correction to the next one', async () => {
    const { servers, dataDir } = await heldInRepair();
    await expectOneCorrection(servers, dataDir);
  });

  it('between the answer and the note on it leaves both to the next one', async () => {
    const { servers, dataDir } = await heldInRepair();
    expect(transcriptIn({ dataDir })).toHaveLength(5);
    query(dataDir, DELETE_LAST_ENTRY);
    await expectOneCorrection(servers, dataDir);
  });
});
