import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pictureProtocolOf } from '#channels/console/send/pictures.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import { openConsole } from './support.ts';
import { openTerminal } from './terminal-support.ts';

const CHOICES: readonly Choice[] = [
  { label: 'Chart', command: '/chart AAPL' },
  { label: 'Watch it', command: '/watch add AAPL' },
];
const AN_ANSWER = { replyToMessageId: asId<MessageId>('question') };

describe('what can be picked', () => {
  it('is shown with numbers below an answer', async () => {
    const { screen, answer } = await openTerminal();
    await answer('Apple', { choices: CHOICES }, AN_ANSWER);
    expect(screen.lines.slice(-5)).toEqual(['Apple', '', '1) Chart   2) Watch it', '', '›']);
  });

  it('counts the things of a list first, and marks what is shown now', async () => {
    const { screen, answer } = await openTerminal();
    const choices: readonly Choice[] = [
      { label: 'Other', command: '/x' },
      { label: '*A*', command: '/price A', answers: 'pick', isCurrent: true },
    ];
    await answer('Which?', { choices }, AN_ANSWER);
    expect(screen.lines).toContain('1) *A* ✓   2) Other');
  });

  it('stays whole at the end of a line', async () => {
    const { screen, answer } = await openTerminal({ columns: 20 });
    await answer('Apple', { choices: CHOICES }, AN_ANSWER);
    expect(screen.lines.slice(-4)).toEqual(['1) Chart', '2) Watch it', '', '›']);
  });

  it('breaks within a choice that is wider than the screen', async () => {
    const { screen, answer } = await openTerminal({ columns: 48 });
    const label = 'Samsung Electronics Preferred Shares (005935, KOSPI)';
    await answer('Which?', { choices: [{ label, command: '/price 005935.KS' }] }, AN_ANSWER);
    expect(screen.lines.slice(-4)).toEqual([
      '1) Samsung Electronics Preferred Shares (005935,',
      'KOSPI)',
      '',
      '›',
    ]);
  });

  it('is shown once where the answer numbers it', async () => {
    const { screen, answer } = await openTerminal();
    const choices: readonly Choice[] = [
      { label: 'Apple (AAPL)', command: '/price AAPL', answers: 'pick' },
      { label: 'Applied (AMAT)', command: '/price AMAT', answers: 'pick' },
      { label: 'More ›', command: '/search app --page=2', effect: 'replaces' },
    ];
    await answer('Found:\n1. **Apple** · `AAPL`\n2. **Applied** · `AMAT`', { choices }, AN_ANSWER);
    expect(screen.lines.slice(-7)).toEqual([
      'Found:',
      '1. Apple · AAPL',
      '2. Applied · AMAT',
      '',
      '3) More ›',
      '',
      '›',
    ]);
    await answer('Found:\n1. **Apple** · `AAPL`', { choices: choices.slice(0, 1) }, AN_ANSWER);
    expect(screen.lines.slice(-4)).toEqual(['Found:', '1. Apple · AAPL', '', '›']);
    await answer('Found:\n1. **Apple**', { choices }, AN_ANSWER);
    expect(screen.lines).toContain('1) Apple (AAPL)   2) Applied (AMAT)   3) More ›');
  });

  it('is the command to type below what comes by itself, which no number picks from', async () => {
    const { screen, answer } = await openTerminal();
    await answer('🔔 Apple', { choices: CHOICES });
    expect(screen.lines.slice(-5)).toEqual([
      '🔔 Apple',
      '• Chart: /chart AAPL',
      '• Watch it: /watch add AAPL',
      '',
      '›',
    ]);
    await answer('See `/chart AAPL`', { choices: CHOICES });
    expect(screen.lines.slice(-4)).toEqual(['See /chart AAPL', '• Watch it: /watch add AAPL', '', '›']);
  });

  it('is not shown in a pipe, where the answer says what to type', async () => {
    const { channel, host, screen, answer } = openConsole({ isTTY: false });
    await channel.start(host);
    expect(channel.capabilities.numbersChoices).toBeUndefined();
    expect(channel.capabilities.showsSparklines).toBeUndefined();
    await answer('Apple', { choices: CHOICES }, AN_ANSWER);
    expect(screen.take()).toBe('Apple\n\n');
  });
});

describe('a picture', () => {
  const bytes = Buffer.alloc(5_000, 7);
  const picture = () => {
    const folder = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'chart.png');
    writeFileSync(path, bytes);
    const url = pathToFileURL(path).href;
    return { path, media: [{ kind: 'image', mimeType: 'image/png', name: 'chart.png', url } as const] };
  };

  it('is drawn by kitty, in pieces that it takes', async () => {
    const { media, path } = picture();
    const { screen, answer } = await openTerminal({ pictures: 'kitty', columns: 60 });
    await answer('Here.', { media });
    const written = screen.take();
    const pieces = [...written.matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g)];
    expect(pieces.map(([, keys]) => keys)).toEqual(['a=T,f=100,q=2,c=60,m=1', 'm=0']);
    expect(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64')).toEqual(bytes);
    expect(written.replaceAll('\n', '')).toContain(path);
  });

  it('is drawn with characters where the terminal shows no pictures, and by itself where it does', async () => {
    const { media } = picture();
    const lines = [{ name: 'Apple', values: [1, 2] }];
    const plotted = media.map((each) => ({
      ...each,
      plot: { lines, high: '$2', low: '$1', dates: 'today' },
    }));
    for (const [pictures, isDrawn] of [
      [undefined, true],
      ['kitty', false],
    ] as const) {
      const { screen, answer } = await openTerminal({ ...(pictures && { pictures }), columns: 60 });
      await answer('Here.', { media: plotted });
      expect(screen.lines.some((line) => /^\$2 │ +[⠀-⣿]+$/.test(line))).toBe(isDrawn);
    }
  });

  it('is drawn by iTerm2', async () => {
    const { media } = picture();
    const { screen, answer } = await openTerminal({ pictures: 'iterm' });
    await answer('Here.', { media });
    const data = bytes.toString('base64');
    const keys = 'inline=1;size=5000;width=80;preserveAspectRatio=1';
    expect(screen.take()).toContain(`\u001b]1337;File=${keys}:${data}\u0007\n`);
  });

  it.each([
    ['the terminal draws none', {}],
    ['nobody looks at a terminal', { isTTY: false, pictures: 'kitty' }],
  ] as const)('is a path where %s', async (_why, options) => {
    const { media, path } = picture();
    const { screen, answer } = await openTerminal(options);
    await answer('Here.', { media });
    const written = screen.take();
    expect(written).toContain(`📎 chart.png: ${path}`);
    expect(written).not.toMatch(/\u001b[_\]]/);
  });

  it('is a path where it cannot be read, or lies elsewhere', async () => {
    const { screen, answer } = await openTerminal({ pictures: 'kitty' });
    const media = ['file:///nowhere/a.png', 'https://example.com/b.png'].map(
      (url) => ({ kind: 'image', mimeType: 'image/png', name: 'x.png', url }) as const,
    );
    await answer('Here.', { media });
    expect(screen.lines).toContain('📎 x.png: /nowhere/a.png');
    expect(screen.lines).toContain('📎 x.png: https://example.com/b.png');
    expect(screen.take()).not.toContain('\u001b_G');
  });

  it.each([
    [{ TERM: 'xterm-kitty' }, 'kitty'],
    [{ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, 'kitty'],
    [{ TERM: 'xterm-ghostty' }, 'kitty'],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'iterm'],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'iterm'],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, undefined],
    [{ TERM: 'foot' }, undefined],
    [{ TERM: 'dumb' }, undefined],
    [{ TERM: 'xterm-256color', STY: '1.tty' }, undefined],
    [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' }, undefined],
    [{ TERM: 'xterm-kitty', TMUX: 'tmux-1,42,0' }, undefined],
    [{}, undefined],
  ])('is known to the terminal of %o: %s', (env, protocol) => {
    expect(pictureProtocolOf(env)).toBe(protocol);
  });
});
