import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCalendar, ENOUGH_DAYS } from '#src/markets/calendar/check-calendar.ts';

// Checks the trading calendars that ship with the bot, or a given file. Exits with 1 where something is wrong.
const path =
  process.argv[2] ?? join(import.meta.dirname, '..', 'src', 'markets', 'data', 'trading-calendars.json');

const report = (): number => {
  const check = checkCalendar(JSON.parse(readFileSync(path, 'utf8')), Temporal.Now.plainDateISO());
  if (check.status === 'faulty') {
    for (const { path: place, reason } of check.problems) console.error(`${path}: ${place}: ${reason}`);
    return 1;
  }
  console.log(`${path}: as of ${check.asOf}`);
  for (const each of check.exchanges) {
    const { code, market, years, holidays, specialDays, unconfirmed, lastDate, daysLeft } = each;
    console.log(
      `${code} (${market}): ${years.join(', ')}: ${holidays} holidays, ${specialDays} special days, ${unconfirmed} unconfirmed spans, up to ${lastDate}`,
    );
    if (daysLeft < ENOUGH_DAYS)
      console.warn(
        `${code} (${market}): only ${Math.max(0, daysLeft)} days of data are left: add the next year`,
      );
  }
  return 0;
};

try {
  process.exitCode = report();
} catch (error) {
  // There is no such file, or it is not JSON.
  console.error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
