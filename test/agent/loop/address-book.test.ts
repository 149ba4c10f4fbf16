import { describe, expect, it } from 'vitest';
import { linksOf, summaryMessage } from '#src/agent/memory/window/summary-message.ts';
import { createAddressBook } from '#src/agent/loop/address-book.ts';
import { userTurn } from '#src/agent/loop/turn-message.ts';
import { asId, type MessageId, type UserId } from '#src/kernel/ids.ts';
import type { Links } from '#src/kernel/agent/links.ts';
import type { EarlierMessage } from '#src/kernel/chat/message.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { message } from './adapter-support.ts';

const ANN = asId<UserId>('ann');
const BOB = asId<UserId>('bob');
const SITE = 'https://site.example';

const said = (by: UserId, ...urls: readonly string[]): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'text', text: 'x' }],
  links: [{ from: 'person', by, urls }],
});

const found = (links: Links): ConversationMessage => ({
  role: 'tool',
  content: [{ type: 'tool_result', toolUseId: 'a', content: 'x', isError: false, links }],
});

const called = (...urls: readonly string[]): ConversationMessage => ({
  role: 'assistant',
  content: urls.map((url, index) => ({
    type: 'tool_use',
    id: `call-${index}`,
    name: 'call_tool',
    input: { name: 'fetch_url', input: { url } },
  })),
});

const origins = (
  messages: readonly ConversationMessage[],
  urls: readonly string[],
  ofThisTurn: readonly ConversationMessage[] = [],
): readonly string[] => {
  const book = createAddressBook({ messages: [...messages, ...ofThisTurn], ofThisTurn }, ANN);
  return urls.map((url) => book.originOf(url));
};

describe('an address', () => {
  it('is chosen where it is the one that the person wrote, and never with something added to it', () => {
    const messages = [said(ANN, `${SITE}/a?x=1`, 'https://xn--bcher-kva.example/')];
    const same = [
      `${SITE}/a?x=1`,
      `${SITE}/a/?x=1#note`,
      `${SITE}/a`,
      'https://bücher.example',
      'HTTPS://SITE.example:443/a',
    ];
    expect(origins(messages, same)).toEqual(same.map(() => 'chosen'));
    const other = [
      `${SITE}/a?x=2`,
      `${SITE}/a?x=1&d=AAPL`,
      `${SITE}/a/AAPL`,
      `${SITE}/`,
      'https://aapl.site.example/a',
      `${SITE}:8443/a`,
      'http://site.example/a',
      'https://site.example@evil.example/a',
      'https://user:pass@site.example/a',
      'site.example',
    ];
    expect(origins(messages, other)).toEqual(other.map(() => 'unknown'));
  });

  it('without a scheme is one address of the ten that a person can name at once', () => {
    const names = Array.from({ length: 10 }, (_, index) => `site${index}.example/a`);
    const named = userTurn(message('1', `Compare ${names.join(', ')}`, { senderId: ANN }));
    for (const name of names)
      expect(origins([named], [`https://${name}`, `http://${name}`])).toEqual(['chosen', 'chosen']);
  });

  it('of a headline, or that was read before, is chosen; what stands in a page that a page led to is unknown', () => {
    const messages = [
      found({ from: 'headlines', urls: [`${SITE}/news`] }),
      found({ from: 'page', page: `${SITE}/read?x=1`, urls: [`${SITE}/deep`] }),
    ];
    expect(origins(messages, [`${SITE}/news`, `${SITE}/read?x=1`, `${SITE}/read`, `${SITE}/deep`])).toEqual([
      'chosen',
      'chosen',
      'unknown',
      'unknown',
    ]);
  });

  it('counts as a link where somebody else wrote it or in a file, and as offered in a long list or in a page that the person named', () => {
    const pasted = Array.from({ length: 11 }, (_, index) => `${SITE}/pasted/${index}`);
    const messages = [said(BOB, `${SITE}/bob`), said(ANN, ...pasted), said(ANN, `${SITE}/start`)];
    const page = found({ from: 'page', page: `${SITE}/start`, urls: [`${SITE}/part`] });
    const file = userTurn(
      message('1', 'Look', {
        attachments: [{ kind: 'text', name: 'a.txt', text: `see ${SITE}/file` }],
        forwarded: [{ text: `and ${SITE}/forwarded`, isFromOthers: true }],
      }),
    );
    for (const [path, origin] of [
      ['/bob', 'linked'],
      ['/pasted/3', 'offered'],
      ['/part', 'offered'],
      ['/file', 'linked'],
      ['/forwarded', 'linked'],
    ] as const)
      expect(origins([...messages, page, file], [SITE + path]), path).toEqual([origin]);
  });

  it('is unknown where the bot itself may have written it, in whatever comes back, and where it is part of a name', () => {
    const at = Temporal.Instant.from('2026-11-13T05:00:00Z');
    const earlier = (path: string, more: Partial<EarlierMessage> = {}): EarlierMessage => ({
      messageId: asId<MessageId>(path),
      authorName: 'somebody',
      isOurs: false,
      text: `see ${SITE}${path}`,
      at,
      ...more,
    });
    const ours = [
      earlier('/replied', { isOurs: true }),
      earlier('/aside', { isOurs: true, isAside: true }),
      earlier('/passed-on', { isForward: true }),
      earlier('/by', { authorName: `${SITE}/author` }),
    ];
    const name = `${SITE}/name`;
    const turn = userTurn(
      message('1', 'ok and then?', {
        chatType: 'channel',
        senderName: `${SITE}/sender`,
        replyToMessageId: asId<MessageId>('/replied'),
        earlier: ours,
        forwarded: [{ text: `and ${SITE}/forwarded`, authorName: `${SITE}/forwarder` }],
        attachments: [
          { kind: 'text', name, text: `see ${SITE}/export`, isMaybeOurs: true },
          { kind: 'text', name, text: 'nothing' },
          { kind: 'unreadable', name, reason: 'it is empty' },
        ],
        newsContext: [
          { title: `${SITE}/title`, url: `${SITE}/n`, publisher: `${SITE}/p`, publishedAt: at, symbols: [] },
        ],
      }),
    );
    expect(turn.links).toEqual([{ from: 'quoted', urls: [`${SITE}/by`] }]);
  });

  it('is asked about where a message brought hundreds before it', () => {
    const lines = Array.from({ length: 600 }, (_, index) => `${SITE}/${index}`);
    const attachments = [
      lines.slice(0, 150),
      lines.slice(150, 300),
      lines.slice(300, 450),
      lines.slice(450),
    ].map((part, index) => ({ kind: 'text', name: `${index}.txt`, text: part.join('\n') }) as const);
    const brought = [userTurn(message('1', 'Look', { attachments }))];
    expect(origins(brought, [`${SITE}/380`])).toEqual(['offered']);
    expect(origins(brought, [`${SITE}/420`])).toEqual(['unknown']);
  });

  it('is one link too many behind the third that was called in the turn, also after a restart', () => {
    const links = ['/1', '/2', '/3', '/4'].map((path) => SITE + path);
    const page = found({ from: 'page', page: `${SITE}/start`, urls: links });
    const before = [said(ANN, `${SITE}/start`), page];
    expect(origins(before, links)).toEqual(['offered', 'offered', 'offered', 'too-many']);
    expect(origins(before, links.toReversed(), [called(...links)])).toEqual([
      'too-many',
      'offered',
      'offered',
      'offered',
    ]);
    // What was read stays readable; it counts all the same.
    const read = links.slice(0, 3).map((url) => found({ from: 'page', page: url, urls: [] }));
    expect(origins(before, [SITE + '/4', SITE + '/1'], [called(...links.slice(0, 3)), ...read])).toEqual([
      'too-many',
      'chosen',
    ]);
  });

  it('is known after the words that it stood in were summarised', () => {
    const gone = [
      said(ANN, `${SITE}/start`),
      found({ from: 'page', page: `${SITE}/start`, urls: [`${SITE}/part`] }),
    ].map((each) => ({ message: each }));
    const summary = summaryMessage({ lines: [], steps: '', facts: [], links: linksOf(gone) });
    expect(origins([summary], [`${SITE}/start`, `${SITE}/part`, `${SITE}/else`])).toEqual([
      'chosen',
      'offered',
      'unknown',
    ]);
  });
});
