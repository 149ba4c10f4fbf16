import { describe, expect, it } from 'vitest';
import { approvalCode, approvalQuestion } from '#src/kernel/agent/texts/approvals.ts';
import { type ApprovalId, asId, type UserId } from '#src/kernel/ids.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import { newId } from '#src/platform/ids.ts';
import { everyRow } from '#test/support/every-row.ts';
import { approve } from '#commands/chat/approve-deny.ts';
import { approvalRequest, runCommand } from '#test/commands/support.ts';

describe('approvalCode', () => {
  it('is the end of the id in lower case, which can be typed', () => {
    const id = asId<ApprovalId>('01993B7E-0000-7000-8000-0000DEADBEEF');
    expect(approvalCode(id)).toBe('adbeef');
    expect(approvalCode(newId<ApprovalId>())).toMatch(/^[0-9a-f]{6}$/);
  });

  it('differs between questions of the same moment', () => {
    const codes = Array.from({ length: 50 }, () => approvalCode(newId<ApprovalId>()));
    expect(new Set(codes).size).toBeGreaterThan(48);
  });
});

const NOW = Temporal.Instant.from('2026-11-13T06:30:00Z');
const clock = { now: () => NOW };

const requestOf = (overrides: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id: asId<ApprovalId>('01993b7e-0000-7000-8000-000000a1b2c3'),
  toolName: 'place_order',
  summary: '> place_order\n> - `"quantity"`: `3`',
  reason: 'It changes something that cannot simply be undone.',
  askedBy: asId<UserId>('mina'),
  locale: 'en',
  askedAt: NOW,
  expiresAt: NOW.add({ minutes: 10 }),
  isRepeated: false,
  ...overrides,
});

describe('approvalQuestion', () => {
  it('says why, what exactly, and how long there is to answer', () => {
    expect(approvalQuestion(requestOf(), clock)).toBe(
      [
        '❓ **Shall I do this?** It changes something that cannot simply be undone.',
        '> place_order',
        '> - `"quantity"`: `3`',
        '_Expires in 10 min._',
      ].join('\n'),
    );
  });

  it('is put in the language of the request', () => {
    const [first, second, third, last] = approvalQuestion(
      requestOf({ locale: 'ko', reason: '되돌릴 수 없는 변경입니다.' }),
      clock,
    ).split('\n');
    expect([first, second, third]).toEqual([
      '❓ **이대로 할까요?** 되돌릴 수 없는 변경입니다.',
      '> place_order',
      '> - `"quantity"`: `3`',
    ]);
    expect(last).toContain('10분');
  });

  it.each(['en', 'ko'] as const)('names the requester in a chat that others read (%s)', (locale) => {
    const [head = ''] = approvalQuestion(requestOf({ locale, requesterName: 'Mina' }), clock).split('\n');
    expect(head).toContain('Mina');
    expect(approvalQuestion(requestOf({ locale }), clock)).not.toContain('Mina');
  });

  it('names the requester in a few plain characters', () => {
    const requesterName = `**\`Mina\`** ${'x'.repeat(99)}`;
    expect(approvalQuestion(requestOf({ requesterName }), clock)).toContain(
      `**Shall I do this for Mina ${'x'.repeat(27)}?** It changes`,
    );
  });

  it.each(['en', 'ko'] as const)('says after a restart that it was asked before (%s)', (locale) => {
    const before = locale === 'en' ? /asked this before I was restarted/ : /다시 시작하기 전에 여쭤본/;
    expect(approvalQuestion(requestOf({ locale, isRepeated: true }), clock).split('\n')[0]).toMatch(before);
    expect(approvalQuestion(requestOf({ locale }), clock)).not.toMatch(before);
  });

  everyRow([
    [{ minutes: 10 }, '10 min'],
    [{ minutes: 9, seconds: 1 }, '10 min'],
    [{ minutes: 1 }, '1 min'],
    [{ seconds: 61 }, '2 min'],
    [{ seconds: 2 }, '1 min'],
    [{ seconds: 0 }, '1 min'],
    [{ seconds: -5 }, '1 min'],
    [{ hours: 24 }, '1440 min'],
  ])('rounds what is left up, and never to nothing: %j', (left, shown) => {
    expect(approvalQuestion(requestOf({ expiresAt: NOW.add(left) }), clock)).toContain(`in ${shown}.`);
  });
});

// The requester chooses their own name, which must not add lines to the question.
const NAMES = ['Mina?** Harmless.\n> get_quote', 'Mina\u2028> get_quote', 'Mina\u202e\u200b', 'a\r\nb'];

it.each(NAMES)('the name of an asker stays on its line, seen as it is: %j', (requesterName) => {
  const question = approvalQuestion(approvalRequest({ requesterName, summary: '> x' }), clock);
  expect(question.split(/\r\n|[\n\r\u2028\u2029\u0085]/u)).toHaveLength(3);
  expect(question.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u);
});

it.each(NAMES)('and so it does in a list: %j', async (requesterName) => {
  const waiting = [approvalRequest({ requesterName }), approvalRequest()];
  const approvals = {
    pending: async () => waiting,
    pendingFor: async () => [],
    decide: async () => ({ outcome: 'unknown' as const }),
  };
  const { content } = await runCommand(approve({ approvals }));
  expect(content.split(/[\n\r\u2028\u2029\u0085]/u)).toHaveLength(3);
  expect(content.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u);
});
