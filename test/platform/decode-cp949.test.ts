import { describe, expect, it } from 'vitest';
import { decodeCp949 } from '#src/platform/text/decode-text.ts';
import { everyRow } from '#test/support/every-row.ts';

const decode = (hex: string, isCut = false): string | undefined =>
  decodeCp949(Buffer.from(hex, 'hex'), isCut);

describe('decodeCp949', () => {
  everyRow([
    ['EUC-KR', 'bbefbcbac0fcc0da2c31300a', '삼성전자,10\n'],
    ['the first of the added syllables', '8141', '갂'],
    ['the last of the added syllables', 'c652', '힣'],
    ['an added one in the middle', '8c63', '똠'],
    ['an added one beside those of EUC-KR', 'a1a0', '줎'],
    ['the last of EUC-KR', 'c8fe', '힝'],
    ['signs of later years', 'a2e6a2e7', '€®'],
    ['Chinese characters', 'd1d1', '金'],
  ])('reads %s', (_, hex, text) => {
    expect(decode(hex)).toBe(text);
  });

  it.each([
    ['half a character', 'bbefbc'],
    ['a code that every user of Windows defines for himself', 'c9a1'],
    ['a pair that nothing stands for', 'c653'],
    ['a byte that begins nothing', '80a1'],
    ['the other byte that begins nothing', 'ffa1'],
    ['Western letters', '636166e920'],
  ])('does not guess at %s', (_, hex) => {
    expect(decode(hex)).toBeUndefined();
  });

  it('reads a long text whole, though slices of it end inside a character', () => {
    const bytes = Buffer.concat([Buffer.from('a'), Buffer.from('bbef'.repeat(100_000), 'hex')]);
    expect(decodeCp949(bytes)).toBe(`a${'삼'.repeat(100_000)}`);
  });

  it('leaves half a character out where the text was cut there', () => {
    expect(decode('bbefbc', true)).toBe('삼');
    expect(decode('bbefbcba', true)).toBe('삼성');
  });
});
