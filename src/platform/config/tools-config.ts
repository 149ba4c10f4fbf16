import { z } from 'zod';
import { errorMessage } from '#src/kernel/errors.ts';
import { compileBoundedPattern, PATTERN_RULES } from '../text/bounded-pattern.ts';
import { nonEmpty } from '#src/kernel/operations/setting-schemas.ts';
import { chatId, names, roleId, toolPattern, userId } from './values.ts';

const verdict = z.enum(['allow', 'deny', 'require-approval']);

const MAX_RULES = 1_000;

const rule = z.strictObject({
  pattern: toolPattern.describe(
    'Tool name, where `*` matches any characters, or `group:` and the name of a group.',
  ),
  verdict: verdict.describe('Decision for a call that matches the rule.'),
  reason: nonEmpty
    .max(500)
    .optional()
    .describe('Shown to the model, in the approval question and by `/debug policy`.'),
  priority: z.number().int().default(0).describe('Of the rules that match, the highest priority decides.'),
  users: names('user', userId).describe('Limits the rule to these user ids: `discord:123` or `123`.'),
  roles: names('role', roleId).describe(
    'Limits the rule to members of these roles: ids, or `serverId:Name` on Discord.',
  ),
  channels: names('channel', chatId).describe(
    'Limits the rule to platforms (`discord`), chats (`discord:123` or `123`) or kinds of chat (`direct`, `group`, `channel`).',
  ),
});

const MAX_PATTERNS = 20;
const MAX_PATTERN_CHARS = 200;

/** The reason why a pattern cannot be used; undefined if it can. */
const patternProblem = (source: string): string | undefined => {
  try {
    compileBoundedPattern(source);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
};

const redactPattern = z
  .string()
  .max(MAX_PATTERN_CHARS)
  .superRefine((source, context) => {
    const message = patternProblem(source);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const MASK_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} _-]{0,28}[\p{L}\p{N}])?$/u;

const namedPattern = z.strictObject({
  name: z
    .string()
    .regex(MASK_NAME, 'is no name for a mask; use up to 30 letters, digits, blanks, "-" and "_"')
    .describe('Name shown in the mask: `[redacted: staff number]`.'),
  pattern: redactPattern.describe('Pattern of the text to mask.'),
});

const ofGroup = (what: string) => verdict.optional().describe(what);

/** `tools`: which tool calls are allowed, refused or need approval. */
export const toolsSchema = z
  .strictObject({
    rules: z
      .array(rule)
      .max(MAX_RULES, `are more than ${MAX_RULES}; put several tools into one with *`)
      .default([])
      .describe(
        'Rules for tools or groups. They override `groups`; no rule overrides the safety rules of finance tools.',
      ),
    groups: z
      .strictObject({
        finance: ofGroup('Tools for markets and holdings.'),
        system: ofGroup('Tools about the bot itself.'),
        web: ofGroup('Tools that read web pages.'),
        data: ofGroup('Tools that read stored data.'),
        communication: ofGroup('Tools that send messages.'),
        custom: ofGroup('Plugin tools of no other group.'),
      })
      .prefault({})
      .describe(
        'Decision per group for calls that match no rule. Without an entry, the built-in default applies.',
      ),
    redactPatterns: z
      .array(z.union([redactPattern, namedPattern], 'must be a pattern, or an object with name and pattern'))
      .max(MAX_PATTERNS, `are more than ${MAX_PATTERNS}`)
      .default([])
      .describe(
        `Patterns that are masked in every tool result, in addition to keys, card numbers and account numbers. ${PATTERN_RULES}`,
      ),
  })
  .prefault({})
  .describe('Which tool calls are allowed, refused or need approval, and what is masked in their results.');

/** `approvals`: who approves tool calls, and for how long they wait. */
export const approvalsSchema = z
  .strictObject({
    approvers: z
      .strictObject({
        users: z.array(userId).default([]).describe('User ids: `discord:123` or `123`.'),
        roles: z.array(roleId).default([]).describe('Role ids, or `serverId:Name` on Discord.'),
      })
      .prefault({})
      .describe('Who may approve or refuse, in addition to the person who asked.'),
    expiresMinutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(10)
      .describe('Time after which an undecided call counts as refused.'),
  })
  .prefault({})
  .describe('Approval of tool calls.');

/** `plugins`: modules that add commands, models, tools and hooks. */
export const pluginsSchema = z
  .array(nonEmpty)
  .default([])
  .describe(
    'Modules that add commands, models, tools and hooks, loaded in this order. Paths are relative to the configuration file.',
  );

/** `skills`: instructions for kinds of questions. */
export const skillsSchema = z
  .strictObject({
    directories: z
      .array(nonEmpty)
      .default([])
      .describe(
        'Further directories with skills, in addition to the built-in ones and `skills` in the data directory. Paths are relative to the configuration file.',
      ),
  })
  .prefault({})
  .describe('Skills: instructions for kinds of questions, in folders with a `SKILL.md`.');
