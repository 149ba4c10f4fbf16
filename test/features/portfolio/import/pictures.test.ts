import { describe, expect, it } from 'vitest';
import { pictureOf } from '#src/features/portfolio/import/pictures/read-broker-picture.ts';
import type { PictureForm, PictureRow } from '#src/features/portfolio/import/pictures/picture-form.ts';
import { brokerScreens } from '#test/support/broker-screens.ts';

const today = Temporal.PlainDate.from('2026-11-13');
const screens = brokerScreens(today.toString());
const check = (form: PictureForm) => pictureOf(form, { today, fundsPositions: false });

describe('debug', () => {
  it.each(screens.map((s) => [s.name, s] as const))('%s', (_, { form }) => {
    const picture = check(form);
    expect([...picture.doubts], JSON.stringify(form)).toEqual([]);
    expect(new Set(picture.findings.map(({ kind }) => kind))).toEqual(new Set(['fits']));
  });
  it('plants', () => {
    let seed = 7;
    const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648), seed / 2147483648);
    const missed: string[] = [];
    let n = 0, caught = 0;
    for (const { form, name } of screens) {
      for (const [at, row] of form.rows.entries()) for (const field of ['quantity', form.kind === 'trades' ? 'price' : 'averagePrice'] as const) {
        const text = row[field] ?? '';
        for (const [pos, ch] of [...text].entries()) {
          if (!/\d/.test(ch)) continue;
          const digit = String((Number(ch) + 1 + Math.floor(random() * 9)) % 10);
          const planted = text.slice(0, pos) + digit + text.slice(pos + 1);
          const p = check({ ...form, rows: form.rows.map((r, i): PictureRow => i === at ? { ...r, [field]: planted } : r) });
          n++;
          if (p.doubts.has(at + 1)) caught++;
          else missed.push(`${name} ${row.name} ${field} ${text}→${planted}`);
        }
      }
    }
    console.log(n, caught, caught / n); console.log(missed.slice(0, 40).join('\n'));
  });
});
