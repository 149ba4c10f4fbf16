import * as fc from 'fast-check';

/** Documents of every kind of Markdown that a model writes, for properties that hold for all of them. */

const link = fc.constantFrom(
  '[공시 원문](https://example.com/filings/2026?id=7&lang=ko)',
  '[the **filing**](https://example.com/a_b/c "A title")',
  '![chart](https://example.com/chart.png)',
  '<https://example.com/auto/link>',
  'https://example.com/bare/address_with_underscores',
  '`const price = quote.last`',
  '``a ` b``',
);
const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('삼성전자', '시세는', '어제보다', '올랐습니다.', '가', '배당금') },
  {
    weight: 6,
    arbitrary: fc.constantFrom('Apple', 'rose', '3.2%', 'a', '-', 'up.', 'Why?', '(AAPL)', '#1', '1.'),
  },
  { weight: 2, arbitrary: fc.constantFrom('**bold words**', '_soft_', '~~old~~', '*', '<15', '>20', '\\*') },
  { weight: 2, arbitrary: fc.constantFrom('👍🏽', '👨‍👩‍👧‍👦', '🇰🇷🇺🇸', '📈', '𝒳', '각', 'e\u0301') },
  { weight: 1, arbitrary: fc.constantFrom('שלום', 'السوق', '株価は上昇。', '市場！') },
  { weight: 2, arbitrary: link },
);
const words = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((found) => found.join(' ').replace(/^[-#>*\d]/, 'x'));
const unbroken = fc
  .array(fc.constantFrom('가나다', 'abc', '👨‍👩‍👧‍👦', '🇰🇷', '각', '漢字', '𝒳', '0'), {
    minLength: 20,
    maxLength: 300,
  })
  .map((found) => found.join(''));

const textLine = fc.oneof(
  { weight: 8, arbitrary: words(12) },
  { weight: 2, arbitrary: words(200) },
  { weight: 1, arbitrary: unbroken },
);
const paragraph = fc.array(textLine, { minLength: 1, maxLength: 4 });

const codeLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('const a = 1;', '  return `x`;', '\tif (a) {', '}', '', '# comment', '- x'),
  },
  { weight: 1, arbitrary: fc.constantFrom('``', '    ```', '``` not an end', '| a | b |', '> quoted') },
  { weight: 1, arbitrary: fc.oneof(words(150), unbroken) },
);
const fence = fc
  .tuple(
    fc.constantFrom('```', '~~~', '`````', '~~~~'),
    fc.constantFrom('', 'ts', 'python', 'c++', 'ts title="x"'),
    fc.array(codeLine, { minLength: 1, maxLength: 40 }),
    fc.boolean(),
  )
  .map(([marker, info, code, hasInner]) => [
    marker + info,
    'code:',
    ...(hasInner && marker.length > 3 ? ['```js', ...code, '```'] : code),
    marker,
  ]);

const cell = fc.constantFrom('삼성전자', '71,900', '+1.2%', 'Apple', '`x`', '[n](https://example.com/n)', '');
/** Every head is another one, so that a repeated head can be told from a new table. */
const table = fc
  .tuple(fc.nat(), fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 }))
  .map(([id, rows]) => [
    `| 종목 ${id} | price |`,
    '|---|---:|',
    ...rows.map(([left, right]) => `| ${left} | ${right} |`),
  ]);

const heading = words(5).map((text) => [`## ${text}`]);

const leaf = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  { weight: 3, arbitrary: fence },
  { weight: 2, arbitrary: table },
  { weight: 1, arbitrary: heading },
);
const joined = (blocks: readonly (readonly string[])[]): readonly string[] =>
  blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));

const itemOf = (marker: string, blocks: readonly (readonly string[])[]): readonly string[] =>
  joined(blocks).map((line, index) => {
    if (index === 0) return `${marker} ${line}`;
    return line === '' ? '' : ' '.repeat(marker.length + 1) + line;
  });
const listOf = (inner: fc.Arbitrary<readonly string[]>): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(
      fc.constantFrom('-', '*', '1.'),
      fc.array(fc.tuple(paragraph, fc.array(inner, { maxLength: 2 })), { minLength: 1, maxLength: 5 }),
    )
    .map(([marker, items]) => items.flatMap(([first, rest]) => itemOf(marker, [first, ...rest])));
const quoteOf = (inner: fc.Arbitrary<readonly string[]>): fc.Arbitrary<readonly string[]> =>
  fc
    .array(inner, { minLength: 1, maxLength: 3 })
    .map((blocks) => joined(blocks).map((line) => (line === '' ? '>' : `> ${line}`)));

const block = fc.oneof(
  { weight: 8, arbitrary: leaf },
  { weight: 2, arbitrary: listOf(leaf) },
  { weight: 1, arbitrary: listOf(listOf(leaf)) },
  { weight: 2, arbitrary: quoteOf(leaf) },
  { weight: 1, arbitrary: quoteOf(listOf(leaf)) },
);

export const documents = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((blocks) => joined(blocks).join('\n'));

export const limits = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 200, max: 500 }) },
  { weight: 2, arbitrary: fc.integer({ min: 500, max: 4_000 }) },
);
