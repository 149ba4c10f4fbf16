import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortened } from '#src/core/text.ts';
import {
  withoutLinks,
  withPointedAddresses,
  withVisibleLinks,
  withVisibleLinksSoFar,
} from '#src/core/visible-links.ts';

const EVIL = 'https://evil.example/x?d=1';

describe('a link', () => {
  it.each([
    [`[Your bank](${EVIL})`, `Your bank (<${EVIL}>)`],
    [`**[Your bank](<${EVIL}> "bank.example")**`, `**Your bank (<${EVIL}>)**`],
    [`see [a [b] c](${EVIL}) and [d](${EVIL}).`, `see a [b] c (<${EVIL}>) and d (<${EVIL}>).`],
    [`[![chart](${EVIL})](https://b.example)`, `chart (<${EVIL}>) (<https://b.example>)`],
    [`![](${EVIL})`, `<${EVIL}>`],
    [`![the chart](${EVIL})`, `the chart (<${EVIL}>)`],
    [`[${EVIL}](${EVIL})`, `<${EVIL}>`],
    ['[evil.example](https://evil.example/)', '<https://evil.example/>'],
    ['[https://bank.example](https://evil.example)', 'https://bank.example (<https://evil.example>)'],
    ['[x](https://bank.example@evil.example/)', 'x (<https://evil.example/>)'],
    ['[x](https://аpple.example/a)', 'x (<https://xn--pple-43d.example/a>)'],
    ['[x](https://a.example/b_(c))', 'x (<https://a.example/b_(c)>)'],
    ['[call](tel:123) [x](javascript:alert)', 'call (tel:123) x (javascript:alert)'],
    ['[a][1]\n\n[1]: https://evil.example', '[a][1]\n\n1: https://evil.example'],
    [`<${EVIL}|Your bank>`, `Your bank (<${EVIL}>)`],
    [`\`[Your bank](${EVIL})\``, `\`Your bank (<${EVIL}>)\``],
    ['[a][1]\n\n- [1]:\nhttps://evil.example', '[a][1]\n\n- 1:\nhttps://evil.example'],
    [`[Your bank](\t${EVIL})`, `Your bank (<${EVIL}>)`],
    [`[Your bank](${EVIL}/a(b(c)d)e)`, `[Your bank] (${EVIL}/a(b(c)d)e)`],
    ['[Your bank](https&#58;//evil.example)', '[Your bank] (https&#58;//evil.example)'],
    [String.raw`[Your bank](https\://evil.example)`, String.raw`[Your bank] (https\://evil.example)`],
    ['safe\u202e\u2066\u200b\u200f text\u{e0041}', 'safe text'],
  ])('that hides where it leads shows it: %j', (markdown, visible) => {
    expect(withVisibleLinks(markdown)).toBe(visible);
  });

  it.each([
    'PER [1](see below) and arr[0](x)',
    'plain https://a.example/b and <https://c.example>',
    '- [ ] task\n- [x] done (really)',
    '👩‍👩‍👧 가족',
    String.raw`\[no](link`,
    '[단독]: 삼성전자',
  ])('that hides nothing stays as it is: %j', (markdown) => {
    expect(withVisibleLinks(markdown)).toBe(markdown);
  });

  it('is written the same the second time, whatever stands around it', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '|',
      'a',
      ' ',
      '\n',
      '\\',
      '`',
      EVIL,
      'x:',
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const once = withVisibleLinks(parts.join(''));
        expect(withVisibleLinks(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('that is not whole yet is held back while the text grows, so that nothing shown is taken back', () => {
    const whole = `See [Your bank](${EVIL}) and ![p](${EVIL}), then <${EVIL}> [end] of it.`;
    let shown = '';
    for (let length = 1; length <= whole.length; length += 1) {
      const next = withVisibleLinksSoFar(whole.slice(0, length));
      expect(next.startsWith(shown)).toBe(true);
      shown = next;
    }
    expect(shown).toBe(withVisibleLinks(whole));
  });

  it('stands in angle brackets once, without the punctuation behind it', () => {
    expect(withPointedAddresses(`a ${EVIL}, <${EVIL}> (https://b.example/c) d`)).toBe(
      `a <${EVIL}>, <${EVIL}> (<https://b.example/c>) d`,
    );
    expect(withoutLinks(`a <${EVIL}> b ${EVIL}`)).toBe('a evil.example/x?d=1 b evil.example/x?d=1');
  });
});

describe('a name in a sentence of ours', () => {
  it('is never a link or other markup', () => {
    for (const name of [
      '[main](https://evil.example)',
      'https://evil.example',
      '**main**',
      '<@U1>',
      '\u202eniam',
    ])
      expect(withPointedAddresses(withVisibleLinks(shortened(name)))).toBe(shortened(name));
    expect(shortened('[main](https://evil.example)')).not.toMatch(/[[\]<>]|:\/\//);
  });
});
