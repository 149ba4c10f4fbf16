import { z } from 'zod';
import { errorMessage } from '#src/core/errors.ts';
import { compileBoundedPattern, PATTERN_RULES } from '#src/infra/bounded-pattern.ts';
import { names, nonEmpty, toolPattern } from './values.ts';

const verdict = z.enum(['allow', 'deny', 'require-approval']);

const MAX_RULES = 1_000;

const rule = z.strictObject({
  pattern: toolPattern.describe(
    'Name of a tool, with `*` for any characters, or `group:` and the name of a group.',
  ),
  verdict: verdict.describe('What becomes of a call that the rule fits.'),
  reason: nonEmpty
    .max(500)
    .optional()
    .describe('Told to the model, to who is asked, and by `/debug policy`.'),
  priority: z.number().int().default(0).describe('Of the rules that fit, the one with the highest decides.'),
  users: names('user').describe('Only for these: user ids, as `channel:id` or plain ids.'),
  roles: names('role').describe(
    'Only for those with one of these platform roles: ids, or `serverId:Name` on Discord.',
  ),
  channels: names('channel').describe(
    'Only here: platforms such as `discord`, chats as `discord:id` or plain ids, or kinds of chats (`direct`, `group`, `channel`).',
  ),
});

const MAX_PATTERNS = 20;
const MAX_PATTERN_CHARS = 200;

/** Why a pattern cannot be used; undefined where it can. */
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
    .describe('Stands in the mask: `[redacted: staff number]`.'),
  pattern: redactPattern,
});

const ofGroup = (what: string) => verdict.optional().describe(what);

/** `tools`: which tool calls are made, refused, or put before a person. */
export const toolsSchema = z
  .strictObject({
    rules: z
      .array(rule)
      .max(MAX_RULES, `are more than ${MAX_RULES}; put several tools into one with *`)
      .default([])
      .describe(
        'For single tools or groups. They go before `groups`; no rule lifts the safety of finance tools.',
      ),
    groups: z
      .strictObject({
        finance: ofGroup('Markets and holdings.'),
        system: ofGroup('The bot itself.'),
        web: ofGroup('Pages and searches.'),
        data: ofGroup('What the bot has stored.'),
        communication: ofGroup('Messages to people.'),
        custom: ofGroup('Tools of plugins that belong to no other group.'),
      })
      .prefault({})
      .describe('What becomes of the calls that no rule fits, by group, instead of the built-in verdict.'),
    redactPatterns: z
      .array(z.union([redactPattern, namedPattern], 'must be a pattern, or an object with name and pattern'))
      .max(MAX_PATTERNS, `are more than ${MAX_PATTERNS}`)
      .default([])
      .describe(
        `What is masked in every tool result, beside keys, cards and accounts: a pattern, or one with a name for the mask. ${PATTERN_RULES}`,
      ),
  })
  .prefault({})
  .describe(
    'Which tool calls are made, refused, or put before a person, and what their results must not show.',
  );

/** `approvals`: who decides about the calls that are put before a person, and for how long. */
export const approvalsSchema = z
  .strictObject({
    approvers: z
      .strictObject({
        users: z.array(nonEmpty).default([]).describe('User ids, as `channel:id` or plain ids.'),
        roles: z
          .array(nonEmpty)
          .default([])
          .describe('Ids of platform roles, or `serverId:Name` on Discord.'),
      })
      .prefault({})
      .describe('Who may decide beside the person who asked.'),
    expiresMinutes: z
      .number()
      .min(1)
      .max(1_440)
      .default(10)
      .describe('After so long without a decision a call is not made.'),
  })
  .prefault({})
  .describe('Calls that wait for a person.');

/** `plugins`: modules that add commands, models, tools and hooks. */
export const pluginsSchema = z
  .array(nonEmpty)
  .default([])
  .describe(
    'Modules with further commands, models, tools and hooks, loaded in this order; paths start at this file.',
  );

/** `skills`: instructions for kinds of questions. */
export const skillsSchema = z
  .strictObject({
    directories: z
      .array(nonEmpty)
      .default([])
      .describe('Beside the built-in ones and `skills` in the data directory; paths start at this file.'),
  })
  .prefault({})
  .describe('Where instructions for kinds of questions (SKILL.md folders) are looked for.');
