import { QUESTION, type Setting } from './setting.ts';
import { openBot, openPlatform } from './processes.ts';

const FLUSH_MS = 10;
const PER_SECOND = 50;
/** Enough that nobody asks again before the answer, even where the bot cannot keep up. */
const PLACES = 600;

/** How late FinClaw's event loop is at a steady rate, on a disk of which every flush takes 10 ms. */
export const benchEventLoop = async (setting: Setting): Promise<void> => {
  const { contestants, model, isQuick, botOptions } = setting;
  const text = QUESTION;
  for (const contestant of contestants.filter(({ kind }) => kind === 'finclaw')) {
    await using opened = new AsyncDisposableStack();
    const fake = await openPlatform({ platform: 'slack', places: PLACES, callDelayMs: 0 });
    opened.defer(fake.close);
    const bot = await openBot(contestant, fake, model, {
      ...botOptions(contestant),
      probe: { watchesLoop: true, flushMs: FLUSH_MS },
    });
    opened.defer(bot.stop);
    await fake.load({ questions: PLACES, text, atOnce: 8 });
    bot.signal('SIGUSR2');
    const questions = PER_SECOND * (isQuick ? 10 : 30);
    const before = bot.report();
    const { latenciesMs, elapsedMs } = await fake.load({ questions, text, everyMs: 1_000 / PER_SECOND });
    const { loop, flushes } = bot.report();
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    console.log(
      `event loop, ${PER_SECOND} messages a second, ${FLUSH_MS} ms a flush, ${contestant.name}: p50 ${loop?.p50Ms.toFixed(1)} ms, p99 ${loop?.p99Ms.toFixed(1)} ms, max ${loop?.maxMs.toFixed(0)} ms late; aim p99 10 ms; answered ${((1_000 * questions) / elapsedMs).toFixed(0)} a second, p50 ${sorted[Math.floor(questions / 2)]?.toFixed(0)} ms, ${((flushes - before.flushes) / questions).toFixed(2)} flushes a message`,
    );
  }
};
