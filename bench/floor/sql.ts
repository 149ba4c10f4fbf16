import { QUESTION, type Setting } from './setting.ts';
import { openBot, openPlatform } from './processes.ts';
import { PLACES } from './rounds.ts';

const SHOWN = 12;

/** How many statements and commits a message takes, one at a time and many at once. */
export const benchSql = async (setting: Setting): Promise<void> => {
  const { contestants, model, botOptions } = setting;
  const text = QUESTION;
  for (const contestant of contestants.filter(({ kind }) => kind === 'finclaw')) {
    await using opened = new AsyncDisposableStack();
    const fake = await openPlatform({ platform: 'slack', places: PLACES, callDelayMs: 0 });
    opened.defer(fake.close);
    const bot = await openBot(contestant, fake, model, {
      ...botOptions(contestant),
      probe: { countsSql: true },
    });
    opened.defer(bot.stop);
    await fake.load({ questions: PLACES, text, atOnce: 8 });
    for (const atOnce of [1, 32]) {
      const questions = atOnce === 1 ? 50 : 2 * PLACES;
      const before = bot.report();
      await fake.load({ questions, text, atOnce });
      const after = bot.report();
      const each = (a: number, b = 0): string => ((a - b) / questions).toFixed(2);
      console.log(
        `SQL of a Slack mention, ${atOnce} at once, ${contestant.name}: ${each(after.statements, before.statements)} statements, ${each(after.commits, before.commits)} commits, ${each(after.flushes, before.flushes)} flushes; aim 15 statements`,
      );
      if (atOnce === 1) continue;
      const counts = Object.entries(after.bySql)
        .map(([sql, count]) => ({ sql, count: count - (before.bySql[sql] ?? 0) }))
        .toSorted((a, b) => b.count - a.count);
      for (const { sql, count } of counts.slice(0, SHOWN))
        console.log(`  ${each(count)} × ${sql.replaceAll(/\s+/g, ' ').slice(0, 140)}`);
    }
  }
};
