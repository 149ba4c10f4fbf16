import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { anyText } from '#test/support/any-text.ts';

const SIGNS = ' aZ09.,%&–—‘’“”…•₩€©®éñŁ가힣삼일一鿿ㄱ　。！｡🇰🇷👍🏽👨‍👩‍👧e\u0301\u00ad\u200d\ufe0f#️⃣';

it('a text has the same width with and without the emoji tables', () => {
  const pieces = fc.constantFrom(...new Intl.Segmenter().segment(SIGNS)).map(({ segment }) => segment);
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    anyText({ maxLength: 12 }),
  );
  fc.assert(fc.property(texts, (text) => displayWidth(text) === stringWidth(text)));
});

it.each([
  ['Apple', 5],
  ['삼성전자', 8],
  ['₩72,300 – 삼성', 14],
  ['👍', 2],
])('%s takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});
