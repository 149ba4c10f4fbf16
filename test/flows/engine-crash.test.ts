import { describe, expect, it } from 'vitest';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import {
  answer,
  bookedIn,
  callsTool,
  countInLog,
  type EngineApp,
  requestsTo,
  startEngineApp,
  startServers,
  until,
  untilRead,
} from '#test/support/engine-app.ts';
import { copyOf, DELETE_LAST_ENTRY, query, transcriptIn } from './gateway-support.ts';

const SAMPLE = marketNoteTexts('en').sampleMark();
const QUESTION = 'How is Apple doing?';
const SONNET_ANSWER = '1111 claude-sonnet-5-5 answer';
const runs = ({ log }: EngineApp): number => countInLog(log, 'tool:execute:start');

/** An app whose model called a tool, read the result, and says nothing any more. */
const heldInTheMiddle = async () => {
  const servers = await startServers();
  const first = await startEngineApp({ servers });
  first.claude.reply(callsTool('AAPL'), { kind: 'stall', answer: { text: 'Apple stands at' } });
  await first.send('ann', QUESTION);
  await until(() => first.claude.history.length === 2);
  await untilRead();
  return { servers, first };
};

describe('a turn in the middle of its steps', () => {
  it('that a stop did not wait for goes on at the next start: no tool runs again, one answer arrives', async () => {
    const { servers, first } = await heldInTheMiddle();
    await first.stop();
    expect(first.channel.texts).toEqual([]);
    servers.claude.reply(answer('Apple, as asked.'));
    const second = await startEngineApp({ servers, dataDir: first.dataDir });
    await second.channel.waitForSent(1);
    await second.stop();
    expect(second.channel.texts).toEqual([`Apple, as asked.\n\n${SAMPLE}`]);
    expect([runs(first), runs(second)]).toEqual([1, 0]);
    expect(requestsTo(servers.claude)).toEqual([
      SONNET_ANSWER,
      '1111 claude-sonnet-5-5 stall',
      SONNET_ANSWER,
    ]);
    // Of the words of before nothing is left that the model would take for its own.
    expect(JSON.stringify(servers.claude.history[2]?.body)).not.toContain('Apple stands at');
    expect(bookedIn(first.dataDir)).toHaveLength(3);

    const third = await startEngineApp({ servers, dataDir: first.dataDir });
    expect(await third.ask('ann', 'And what did I ask?')).toEqual(['ok']);
    expect(third.channel.sent).toHaveLength(1);
    expect(requestsTo(servers.claude).at(-1)).toBe(SONNET_ANSWER);
  });

  it('that a kill ended goes on from what was on disk', async () => {
    const { servers, first } = await heldInTheMiddle();
    servers.claude.reply(answer('Apple, as asked.'));
    const second = await startEngineApp({ servers, dataDir: copyOf(first) });
    await second.channel.waitForSent(1);
    await second.stop();
    expect(second.channel.texts).toEqual([`Apple, as asked.\n\n${SAMPLE}`]);
    expect(runs(second)).toBe(0);
    expect(requestsTo(servers.claude).at(-1)).toBe(SONNET_ANSWER);
  });

  it('is taken over by another provider where the first one is gone with the restart', async () => {
    const { servers, first } = await heldInTheMiddle();
    await first.stop();
    servers.gpt.reply(answer('Apple, as asked.'));
    const env = { ANTHROPIC_API_KEY: '', FINCLAW_MODEL: 'gpt' };
    const second = await startEngineApp({ servers, dataDir: first.dataDir, env });
    await second.channel.waitForSent(1);
    expect(second.channel.texts).toEqual([`Apple, as asked.\n\n${SAMPLE}`]);
    expect(runs(second)).toBe(0);
    expect(requestsTo(servers.gpt)).toEqual(['3333 gpt-6.1-sol answer']);
  });

  it('whose tool had no stored result yet runs that tool once more', async () => {
    const { servers, first } = await heldInTheMiddle();
    const dataDir = copyOf(first);
    expect(transcriptIn({ dataDir })).toHaveLength(3);
    query(dataDir, DELETE_LAST_ENTRY);
    servers.claude.reply(answer('Apple, as asked.'));
    const second = await startEngineApp({ servers, dataDir });
    await second.channel.waitForSent(1);
    await second.stop();
    expect(second.channel.texts).toEqual([`Apple, as asked.\n\n${SAMPLE}`]);
    expect(runs(second)).toBe(1);
    expect(requestsTo(servers.claude).at(-1)).toBe(SONNET_ANSWER);
  });

  it('that was asked only is asked again, and its half answer is never read', async () => {
    const servers = await startServers();
    const first = await startEngineApp({ servers });
    first.claude.reply({ kind: 'stall', answer: { text: 'The first half' } });
    await first.send('ann', 'Tell me a long story.');
    await until(() => first.claude.history.length === 1);
    await first.send('ann', '그리고 하나 더 해 주세요.');
    await first.stop();
    expect(first.channel.texts).toEqual([]);
    servers.claude.reply(answer('The whole story.'), answer('하나 더.'));
    const second = await startEngineApp({ servers, dataDir: first.dataDir });
    await second.channel.waitForSent(2);
    await second.stop();
    expect(second.channel.texts).toEqual(['The whole story.', '하나 더.']);
    expect(requestsTo(servers.claude).slice(1)).toEqual([SONNET_ANSWER, SONNET_ANSWER]);
  });

  it('that a person had stopped stays stopped over a restart', async () => {
    const { servers, first } = await heldInTheMiddle();
    await first.ask('ann', '/stop');
    await first.stop();
    const second = await startEngineApp({ servers, dataDir: first.dataDir });
    expect(await second.ask('ann', 'And now, please?')).toEqual(['ok']);
    expect(second.channel.sent).toHaveLength(1);
    expect(requestsTo(servers.claude).at(-1)).toBe(SONNET_ANSWER);
  });
});
