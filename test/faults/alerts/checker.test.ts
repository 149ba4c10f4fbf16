import { describe, expect, it } from 'vitest';
import { type AlertFacts, checkAlerts, isAllTold, type ToldMessage } from './checker.ts';

const alertMessage = (id: string, deliveryId: string, chat = 'ann'): ToldMessage => ({
  chat,
  deliveryId,
  text: `🔔 **Bitcoin**\n\nAlert \`${id}\` · \`/alert snooze ${id} 1h\``,
});
const briefing: ToldMessage = { chat: 'dan', deliveryId: 'b0', text: '**Briefing · Mon 2026-11-16**' };

/** Two alerts that came true, one that did not, and a briefing. */
const inOrder: AlertFacts = {
  alerts: [
    { id: 'bcd234', chat: 'ann', isTold: true },
    { id: 'fgh567', chat: 'room', isTold: true },
    { id: 'jkm789', chat: 'ann', isTold: false },
  ],
  briefing: { chat: 'dan' },
  messages: [alertMessage('bcd234', 'a1'), briefing, alertMessage('fgh567', 'a2', 'room')],
  firings: [
    { id: 'a-1', alertId: 'bcd234' },
    { id: 'a-2', alertId: 'fgh567' },
  ],
  notifications: ['a-1', 'a-2', 'b-0'].map((id) => ({ id, status: 'sent' })),
};

describe('the checker of rounds of alerts', () => {
  it('finds nothing where each was told once', () => {
    expect(checkAlerts(inOrder)).toEqual([]);
    expect(isAllTold(inOrder)).toBe(true);
  });

  it.for<[string, Partial<AlertFacts>, readonly string[]]>([
    [
      'an alert that was delivered twice',
      { messages: [...inOrder.messages, alertMessage('bcd234', 'a1')] },
      ['Alert bcd234 was told 2 times instead of once', 'Notification a-1 stands there 2 times'],
    ],
    [
      'an alert that came true twice',
      {
        messages: [...inOrder.messages, alertMessage('bcd234', 'a3')],
        firings: [...inOrder.firings, { id: 'a-3', alertId: 'bcd234' }],
        notifications: [...inOrder.notifications, { id: 'a-3', status: 'sent' }],
      },
      [
        'Alert bcd234 was told 2 times instead of once',
        'Alert bcd234 is recorded as told 2 times instead of once',
      ],
    ],
    [
      'an alert that is missing',
      { messages: inOrder.messages.slice(1) },
      ['Alert bcd234 was told never instead of once', 'Notification a-1 stands there never'],
    ],
    [
      'an alert that should have stayed quiet',
      { messages: [...inOrder.messages, alertMessage('jkm789', 'a9')] },
      ['Alert jkm789 was told once instead of never', 'Nothing is known of the message "🔔 **Bitcoin**'],
    ],
    [
      'an alert that was told somewhere else',
      { messages: [alertMessage('bcd234', 'a1', 'room'), ...inOrder.messages.slice(1)] },
      ['Alert bcd234 was told in another chat'],
    ],
    [
      'a briefing that came twice',
      { messages: [...inOrder.messages, briefing] },
      ['The briefing was told 2 times instead of once', 'Notification b-0 stands there 2 times'],
    ],
    [
      'what is told and counts as still to be sent',
      {
        notifications: [...inOrder.notifications.slice(1), { id: 'a-1', status: 'sending' }],
      },
      ['Notification a-1 is sending at the end'],
    ],
    [
      'a firing without anything to send',
      { notifications: inOrder.notifications.slice(1) },
      ['Firing a-1 has no notification of its name', 'Nothing is known of the message "🔔 **Bitcoin**'],
    ],
  ])('finds %s', ([, doctored, problems]) => {
    const found = checkAlerts({ ...inOrder, ...doctored });
    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) expect(found[index]).toContain(problem);
  });

  it('waits for what is missing on the platform', () => {
    for (const missing of inOrder.messages)
      expect(isAllTold({ ...inOrder, messages: inOrder.messages.filter((each) => each !== missing) })).toBe(
        false,
      );
  });
});
