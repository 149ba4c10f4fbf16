import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calendarFile, type CalendarFile } from '#src/markets/calendar/calendar-data.ts';
import { checkCalendar } from '#src/markets/calendar/check-calendar.ts';
import { everyRow } from '#test/support/every-row.ts';

const TODAY = Temporal.PlainDate.from('2026-11-15');

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends object ? Mutable<T[Key]> : T[Key] };

const changed = (change: (krx: Mutable<CalendarFile['exchanges'][string]>) => void): unknown => {
  const file = structuredClone(calendarFile());
  const krx = file.exchanges.XKRX;
  if (!krx) throw new Error('no XKRX');
  change(krx);
  return file;
};

const NAME = { ko: '이름', en: 'name' };

describe('the check of the calendar file', () => {
  it('accepts the bundled file and summarizes it', () => {
    expect(checkCalendar(calendarFile(), TODAY)).toMatchObject({
      status: 'ok',
      exchanges: [
        { code: 'XKRX', market: 'KRX', holidays: 52, specialDays: 5, lastDate: '2027-12-31', daysLeft: 411 },
        { code: 'NXT', market: 'NXT', holidays: 52, specialDays: 4, lastDate: '2027-12-31', daysLeft: 411 },
        { code: 'XNYS', market: 'NYSE', holidays: 31, specialDays: 6, lastDate: '2027-12-31', daysLeft: 411 },
        { code: 'XTKS', market: 'TSE', holidays: 36, specialDays: 0 },
        { code: 'XHKG', market: 'HKEX', holidays: 27, specialDays: 6 },
        { code: 'XLON', market: 'LSE', holidays: 16, specialDays: 4 },
      ],
    });
  });

  everyRow<[string, unknown, string, RegExp]>([
    ['no object', [], '', /expected object/],
    [
      'a date that is none',
      changed((k) => (k.special['2026-02-30'] = { open: '10:00', close: '15:30', name: NAME })),
      'exchanges.XKRX.special.2026-02-30',
      /real date/,
    ],
    [
      'a time that is none',
      changed((k) => (k.regular = ['9:00', '15:30'])),
      'exchanges.XKRX.regular.0',
      /must be a time/,
    ],
    [
      'a name in one language',
      changed((k) => (k.holidays['2026'] = { ...k.holidays['2026'], '2026-01-05': { ko: '쉼' } as never })),
      'exchanges.XKRX.holidays.2026.2026-01-05.en',
      /expected string/,
    ],
    [
      'a key that nobody reads',
      changed((k) => Object.assign(k, { tz: 'Asia/Seoul' })),
      'exchanges.XKRX',
      /tz/,
    ],
    [
      'a zone that does not exist',
      changed((k) => (k.timeZone = 'Asia/Soul')),
      'exchanges.XKRX.timeZone',
      /Asia\/Soul/,
    ],
    [
      'a holiday on a Saturday',
      changed((k) => (k.holidays['2026'] = { ...k.holidays['2026'], '2026-11-14': NAME })),
      'exchanges.XKRX.holidays.2026.2026-11-14',
      /weekend/,
    ],
    [
      'a holiday under another year',
      changed((k) => (k.holidays['2026'] = { ...k.holidays['2026'], '2025-11-14': NAME })),
      'exchanges.XKRX.holidays.2026.2025-11-14',
      /not in 2026/,
    ],
    [
      'a year that was cut short',
      changed((k) => (k.holidays['2027'] = { '2027-01-01': NAME, '2027-10-11': NAME })),
      'exchanges.XKRX.holidays.2027',
      /not complete/,
    ],
    [
      'a year that is left out',
      changed((k) => delete k.holidays['2026']),
      'exchanges.XKRX.holidays.2027',
      /missing/,
    ],
    [
      'a day both holiday and special',
      changed((k) => (k.special['2026-12-25'] = { open: '10:00', close: '15:30', name: NAME })),
      'exchanges.XKRX.special.2026-12-25',
      /holiday too/,
    ],
    [
      'special hours the wrong way round',
      changed((k) => (k.special['2026-11-19'] = { open: '16:30', close: '10:00', name: NAME })),
      'exchanges.XKRX.special.2026-11-19',
      /not in order/,
    ],
    [
      'an after-market that begins too early',
      changed(
        (k) =>
          (k.special['2026-11-19'] = {
            open: '10:00',
            close: '16:30',
            after: ['16:00', '20:00'],
            name: NAME,
          }),
      ),
      'exchanges.XKRX.special.2026-11-19',
      /not in order/,
    ],
    [
      'a special day in an unknown year',
      changed((k) => (k.special['2029-01-02'] = { open: '10:00', close: '15:30', name: NAME })),
      'exchanges.XKRX.special.2029-01-02',
      /holidays are missing/,
    ],
    ['a market that is there twice', changed((k) => (k.market = 'NYSE')), 'exchanges.XNYS.market', /twice/],
  ])('reports %s with its path', (_, file, path, reason) => {
    const check = checkCalendar(file, TODAY);
    if (check.status === 'ok') throw new Error('nothing was found');
    expect(check.problems).toContainEqual({ path, reason: expect.stringMatching(reason) });
  });

  it('counts the remaining days', () => {
    const check = checkCalendar(calendarFile(), Temporal.PlainDate.from('2027-12-01'));
    expect(check).toMatchObject({ exchanges: Array.from({ length: 6 }, () => ({ daysLeft: 30 })) });
  });
});

it('the script exits with 1 for an invalid file and names path and reason', () => {
  const folder = mkdtempSync(join(tmpdir(), 'finclaw-calendar-'));
  try {
    const path = join(folder, 'calendar.json');
    writeFileSync(path, JSON.stringify(changed((k) => (k.timeZone = 'Asia/Soul'))));
    const { status, stderr } = spawnSync(process.execPath, ['scripts/data-calendar.ts', path], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('exchanges.XKRX.timeZone: "Asia/Soul" is no time zone');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
