import { describe, expect, it } from 'vitest';
import { getDatetime } from '#src/agent/tools/general/get-datetime.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const ask = async (
  input: unknown,
  context: Partial<ToolExecutionContext> = {},
  now = '2026-11-13T06:30:15Z',
) => {
  const tool = getDatetime({ clock: new ManualClock(now) });
  const result = await tool.invoke(input, toolContextOf(context), new AbortController().signal);
  return { ...result, lines: result.content.split('\n') };
};

describe('get_datetime', () => {
  it('belongs to the markets, and anybody may call it', () => {
    const { definition } = getDatetime({ clock: new ManualClock() });
    expect(definition).toMatchObject({
      name: 'get_datetime',
      group: 'finance',
      adminsOnly: false,
      accessesSensitiveData: false,
    });
  });

  it("tells the person's own time with weekday and offset", async () => {
    const { lines, isError } = await ask({});
    expect(isError).toBe(false);
    expect(lines).toEqual([
      "Asia/Seoul (the user's time zone): 2026-11-13 (Friday) 15:30:15, UTC+09:00, ISO 2026-11-13T15:30:15+09:00",
    ]);
  });

  it('tells it in Korean, with the asked place beside it', async () => {
    const { lines } = await ask({ timeZone: '뉴욕' }, { locale: 'ko' });
    expect(lines).toEqual([
      'Asia/Seoul (사용자 시간대): 2026-11-13 (금요일) 15:30:15, UTC+09:00, ISO 2026-11-13T15:30:15+09:00',
      'America/New_York: 2026-11-13 (금요일) 01:30:15, UTC-05:00, ISO 2026-11-13T01:30:15-05:00',
    ]);
  });

  it('says a zone that is the own one only once', async () => {
    expect((await ask({ timeZone: 'Seoul' })).lines).toHaveLength(1);
  });

  it('knows summer time, and that the day may be another one', async () => {
    const { lines } = await ask({ timeZone: 'America/New_York' }, {}, '2026-07-01T02:00:00Z');
    expect(lines[1]).toBe(
      'America/New_York: 2026-06-30 (Tuesday) 22:00:00, UTC-04:00, ISO 2026-06-30T22:00:00-04:00',
    );
  });

  it.each([
    // The clocks of London go back on 25 October 2026, those of New York on 1 November.
    ['2026-10-24T15:00', 'London', '2026-10-24 (Saturday) 07:00:00, UTC+01:00'],
    ['2026-10-26T15:00', 'London', '2026-10-26 (Monday) 06:00:00, UTC+00:00'],
    ['2026-10-26T22:30+09:00', 'New York', '2026-10-26 (Monday) 09:30:00, UTC-04:00'],
    ['2026-11-02T22:30:00+09:00', 'New York', '2026-11-02 (Monday) 08:30:00, UTC-05:00'],
    ['2026-11-13T00:00:00Z', 'Tokyo', '2026-11-13 (Friday) 09:00:00, UTC+09:00'],
  ])('converts %s to %s', async (at, timeZone, expected) => {
    expect((await ask({ at, timeZone })).content).toContain(expected);
  });

  it("reads a time on another place's clock, summer time and all", async () => {
    const inJuly = await ask({ at: '2026-07-01T09:30[America/New_York]' });
    const inDecember = await ask({ at: '2026-12-01T09:30[America/New_York]' });
    expect(inJuly.content).toContain('2026-07-01 (Wednesday) 22:30:00, UTC+09:00');
    expect(inDecember.content).toContain('2026-12-01 (Tuesday) 23:30:00, UTC+09:00');
  });

  it.each([
    // Skipped at 2:00 on 8 March 2026; shown twice on 1 November.
    ['2026-03-08T02:30', '2026-03-08 (Sunday) 03:30:00, UTC-04:00'],
    ['2026-11-01T01:30', '2026-11-01 (Sunday) 01:30:00, UTC-04:00'],
    ['2026-11-01T01:30-05:00', '2026-11-01 (Sunday) 01:30:00, UTC-05:00'],
  ])('reads %s on clocks that change that night', async (at, expected) => {
    expect((await ask({ at }, { timeZone: 'America/New_York' })).content).toContain(expected);
  });

  it.each(['Atlantis', 'Asia/Nowhere'])('answers an unknown zone with examples: %s', async (timeZone) => {
    const { isError, content } = await ask({ timeZone });
    expect(isError).toBe(true);
    expect(content).toContain(`"${timeZone}" is no known time zone`);
    expect(content).toContain('"America/New_York"');
  });

  it.each([
    'tomorrow',
    '2026-11-13',
    '2026-13-01T10:00',
    '2026-02-30T10:00',
    '2026-11-13T25:00',
    '2026-11-13T10:00+99:00',
    '2026-11-13T10:00[Mars/Base]',
    '2026-11-13T10:00+05:00[America/New_York]',
    '10:00',
  ])('answers what is no date-time with examples: %s', async (at) => {
    const { isError, content } = await ask({ at });
    expect(isError).toBe(true);
    expect(content).toContain(`"${at}" is no ISO date-time`);
  });
});
