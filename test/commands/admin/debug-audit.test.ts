import { describe, expect, it } from 'vitest';
import { debug } from '#commands/admin/debug.ts';
import { privacyMessages } from '#src/kernel/messages/privacy.ts';
import { commandOutcomeMessages } from '#src/kernel/messages/command-outcomes.ts';
import type { AuditEntry } from '#src/kernel/operations.ts';
import { runCommand } from '../support.ts';

const ENTRY: AuditEntry = {
  at: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  action: 'privacy-delete',
  person: '0123456789abcdef',
  details: { messages: 1_234, portfolios: 1, alerts: 0 },
};

const auditOf = (entries: readonly AuditEntry[], reads: readonly AuditEntry[] = []) => {
  const limits: number[] = [];
  const command = debug({
    toolPolicies: { names: () => [], explain: () => undefined },
    usage: { requests: async () => [] },
    recentRuns: { last: () => [] },
    audit: {
      recent: async (limit) => {
        limits.push(limit);
        return entries;
      },
      recentReads: async () => reads,
    },
  });
  return { command, limits };
};

describe('/debug audit', () => {
  it('tells administrators what was done with personal data, and of nobody who it was', async () => {
    const { command, limits } = auditOf([ENTRY, { ...ENTRY, action: 'link', details: {} }]);
    const { content, ephemeral } = await runCommand(command, ['audit'], { isAdmin: true });
    expect(content)
      .toBe(`**What was done with personal data and access: the last 2 entries, the newest first**
- 2026-11-13 15:30:00 KST · deleted · \`0123456789abcdef\` · messages 1,234 · portfolios 1
- 2026-11-13 15:30:00 KST · linked · \`0123456789abcdef\``);
    expect([ephemeral, limits]).toEqual([true, [20]]);
  });

  it('lists apart which tools read personal data, so that exports and deletions are not lost among them', async () => {
    const read: AuditEntry = { ...ENTRY, action: 'tool-read', details: { get_portfolio: 1 } };
    const { content } = await runCommand(auditOf([ENTRY], [read]).command, ['audit'], { isAdmin: true });
    expect(content).toContain(`the last 1 entry, the newest first**
- 2026-11-13 15:30:00 KST · deleted`);
    expect(content).toContain(`**Tools that read personal data: the last 1 entry, one per tool and turn**
- 2026-11-13 15:30:00 KST · read by a tool · \`0123456789abcdef\` · get_portfolio 1`);
  });

  it.each(['en', 'ko'] as const)(
    'says where nothing was done, and is for administrators (%s)',
    async (locale) => {
      const { command, limits } = auditOf([]);
      const shown = await runCommand(command, ['감사'], { isAdmin: true, locale });
      expect(shown.content).toBe(privacyMessages(locale).audit.none());
      const refused = await runCommand(command, ['audit'], { userRoles: ['admin'], locale });
      expect(refused.content).toBe(commandOutcomeMessages(locale).missingRole({ name: 'debug' }));
      expect(limits).toHaveLength(1);
    },
  );
});
