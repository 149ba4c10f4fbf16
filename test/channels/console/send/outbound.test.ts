import { describe, expect, it } from 'vitest';
import { print, renderForTerminal, showWaitingSign } from '#channels/console/send/outbound.ts';
import { everyRow } from '#test/support/every-row.ts';
import { Screen } from '../support.ts';

const plain = (text: string): string => renderForTerminal(text, false);
const coloured = (text: string): string => renderForTerminal(text, true);

const BOLD = ['\u001b[1m', '\u001b[22m'] as const;
const CODE = ['\u001b[36m', '\u001b[39m'] as const;
const ITALIC = ['\u001b[3m', '\u001b[23m'] as const;
const DIM = ['\u001b[2m', '\u001b[22m'] as const;
const styled = ([on, off]: readonly [string, string], text: string): string => `${on}${text}${off}`;

describe('renderForTerminal', () => {
  it.each([
    ['bold', '**굵게** and not', styled(BOLD, '굵게'), '굵게'],
    ['code', 'type `/help` now', styled(CODE, '/help'), '/help'],
    ['italic', 'so _called_ words', styled(ITALIC, 'called'), 'called'],
    ['Korean italic', '_투자 조언이 아니며._', styled(ITALIC, '투자 조언이 아니며.'), '투자 조언이 아니며.'],
  ])('shows %s as a style with colour and as plain words without', (_what, markdown, withColour, without) => {
    expect(coloured(markdown)).toContain(withColour);
    expect(plain(markdown)).toContain(without);
    expect(plain(markdown)).not.toMatch(/[*_`\u001b]/);
    expect(coloured(markdown)).not.toMatch(/[*_`]/);
  });

  it('styles several spans of one line', () => {
    expect(coloured('**a** `b` **c**')).toBe(
      `${styled(BOLD, 'a')} ${styled(CODE, 'b')} ${styled(BOLD, 'c')}`,
    );
  });

  everyRow([
    'snake_case_names',
    'a_b and c_d',
    'get_quote(symbol_name)',
    '__init__',
    'FINCLAW_DATA_DIR',
    '삼성_전자_주가',
    '3 * 4 * 5',
    '2 < 3 > 1',
    '# Title',
    '- item',
    'half a `tick',
    'half **bold',
    '2 ** 3 and 4 ** 5',
    '',
  ])('leaves %j as it is', (text) => {
    expect(plain(text)).toBe(text);
    expect(coloured(text)).toBe(text);
  });

  it.each(['_private_', '2**3**2', '**not bold**'])(
    'shows the code %j without taking its signs for styles',
    (code) => {
      expect(plain(`run \`${code}\` and \`x\``)).toBe(`run ${code} and x`);
      expect(coloured(`\`${code}\``)).toBe(styled(CODE, code));
    },
  );

  it('shows the lines of a code block as they are, without its fences', () => {
    const block = ['before', '```ts', 'const a_b_c = **1**; // `x`', '  indented', '```', '**after**'];
    expect(plain(block.join('\n'))).toBe('before\nconst a_b_c = **1**; // `x`\n  indented\nafter');
    expect(coloured(block.join('\n'))).toBe(
      [
        'before',
        styled(DIM, 'const a_b_c = **1**; // `x`'),
        styled(DIM, '  indented'),
        styled(BOLD, 'after'),
      ].join('\n'),
    );
  });

  it('knows the other fence, and an indented one', () => {
    expect(plain('~~~\n**x**\n~~~\n  ```\n_y_\n  ```\n_z_')).toBe('**x**\n_y_\nz');
  });

  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['a window title', '\u001b]0;owned\u0007x', ']0;ownedx'],
    ['an 8-bit sequence', '\u009b2Jx', '2Jx'],
    ['a backspace', 'rm\b\bls', 'rmls'],
    ['a carriage return', 'good\rbad', 'goodbad'],
    ['a form feed, a vertical tab and a delete', 'a\f\v\u007fb', 'ab'],
    ['a null', 'a\u0000b', 'ab'],
  ])('takes %s out, so that a text cannot control the terminal', (_what, text, safe) => {
    expect(plain(text)).toBe(safe);
    expect(coloured(text)).toBe(safe);
  });

  it('takes escape sequences out of code blocks too', () => {
    expect(plain('```\n\u001b[2Jx\n```')).toBe('[2Jx');
  });

  it('lets no control character through, whichever it is', () => {
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code))
      .filter((character) => !/[ -~\n\t]/.test(character))
      .join('');
    expect(controls).toHaveLength(0xa0 - 95 - 2);
    expect(plain(`a${controls}b`)).toBe('ab');
  });

  it('keeps tabs, line breaks, Korean and emoji', () => {
    const text = '삼성전자\t₩102,300 ▲\n👨‍👩‍👧‍👦 🇰🇷\n\né — …';
    expect(plain(text)).toBe(text);
  });
});

describe('print', () => {
  it('writes the text and a line end into a pipe', async () => {
    const screen = new Screen(false);
    await print(screen, '안녕');
    expect(screen.take()).toBe('안녕\n');
  });

  it('clears the line that is being typed on a terminal first', async () => {
    const screen = new Screen(true);
    await print(screen, 'answer');
    expect(screen.take()).toBe('\u001b[1G\u001b[2Kanswer\n');
  });

  it('rejects when the output takes nothing any more', async () => {
    const screen = new Screen(false);
    screen.on('error', () => undefined);
    screen.isBroken = true;
    await expect(print(screen, 'lost')).rejects.toThrow('EPIPE');
  });
});

describe('showWaitingSign', () => {
  it('shows a sign on a terminal, dim where there is colour', async () => {
    const screen = new Screen(true);
    await showWaitingSign(screen, false);
    expect(screen.take()).toBe('\r…');
    await showWaitingSign(screen, true);
    expect(screen.take()).toBe(`\r${styled(DIM, '…')}`);
  });

  it('writes nothing into a pipe', async () => {
    const screen = new Screen(false);
    await showWaitingSign(screen, true);
    expect(screen.take()).toBe('');
  });
});
