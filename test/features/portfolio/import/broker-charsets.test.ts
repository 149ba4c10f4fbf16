import { expect, it } from 'vitest';
import { BROKER_CHARSETS } from '#src/features/portfolio/import/files/read-source.ts';
import { decodeText } from '#src/platform/text/decode-text.ts';
import { everyRow } from '#test/support/every-row.ts';

const decode = (bytes: Uint8Array) => decodeText(bytes, false, BROKER_CHARSETS);

everyRow([
  ['Japanese', '96f192e893fa2c96c195bf96bc0a', '約定日,銘柄名\n'],
  ['Korean', 'b0c5b7a1c0cfc0da2cbbefbcbac0fcc0da0a', '거래일자,삼성전자\n'],
  ['one Korean syllable among figures', '312cc0cf2c320a', '1,일,2\n'],
  ['German', '57e46872756e673b5374fc636b3bdc62657277656973756e670a', 'Währung;Stück;Überweisung\n'],
  ['French', '4f70e9726174696f6e3b5175616e746974e90a', 'Opération;Quantité\n'],
  ['Swedish', '56e4726465706170706572204bf670740a', 'Värdepapper Köpt\n'],
])('the file of a broker in %s is read in its own letters', (_, hex, text) => {
  expect(decode(Buffer.from(hex, 'hex'))).toBe(text);
});

it('letters of no language are not guessed at', () => {
  expect(decode(Buffer.from([0x61, 0xff, 0xfe, 0xfd, 0x62]))).toBeUndefined();
});
