import { readFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { budgetWarnings, describeBudgets } from '#src/platform/config/budgets.ts';
import type { Config } from '#src/platform/config/config.ts';
import { createHideSecrets } from '#src/platform/config/hide-secrets.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { note, ok } from './check.ts';

const hasPlatform = ({ platforms }: Pick<Config, 'platforms'>): boolean => Object.keys(platforms).length > 0;

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal|Greenwich|GMT[+-]?0)$/;

/** Servers and containers are set to UTC, where hardly anybody lives. */
export const checkTimeZone = ({ timeZone, isZoneConfigured }: Config): readonly Finding[] =>
  !isZoneConfigured && UTC.test(timeZone)
    ? [
        note(
          `The time zone is ${timeZone}, that of this machine: briefings and days of people whose own zone is not known go by it`,
          'Set timeZone in finclaw.config.json, such as "Asia/Seoul".',
        ),
      ]
    : [];

/** The owner of a Discord application is an administrator; Slack tells the bot of nobody. */
const OWNER_KNOWN = 'discord';

const ADD_ADMIN =
  'Add yourself to finclaw.config.json: "admins": { "users": ["slack:U0123"] }, with the id from your profile in Slack → Copy member ID.';

export const checkAdministrators = (config: Config): readonly Finding[] => {
  const { admins, platforms, gates, approvals, tools } = config;
  if (!hasPlatform(config)) return [];
  const named = admins.users.length + admins.roles.length;
  if (named > 0) return [ok(`Administrators: ${named} in admins of finclaw.config.json`)];
  const without = Object.keys(platforms).filter((id) => id !== OWNER_KNOWN);
  if (without.length === 0) return [ok('Administrators: the owner of the Discord application')];
  const { users, roles } = approvals.approvers;
  return [
    note(
      `Administrators: nobody on ${without.join(', ')}; /status, /keys and /config answer nobody there`,
      ADD_ADMIN,
    ),
    ...(gates.direct.policy === 'pairing'
      ? [
          note(
            'gates.direct.policy is pairing, but there is no administrator who could confirm a code',
            ADD_ADMIN,
          ),
        ]
      : []),
    ...(users.length + roles.length > 0 || tools.rules.some(({ verdict }) => verdict === 'require-approval')
      ? [
          note(
            'Approvals are configured, but there is no administrator who could see their rules (/debug policy)',
            ADD_ADMIN,
          ),
        ]
      : []),
  ];
};

/** On a platform strangers can spend money, so there are limits by default; in the terminal there are none. */
export const checkBudgets = (config: Config): readonly Finding[] => {
  const { engine, market } = config;
  if (hasPlatform(config)) {
    const warnings = budgetWarnings(engine).map((text) => note(text));
    return [warnings.length > 0 ? note(describeBudgets(engine)) : ok(describeBudgets(engine)), ...warnings];
  }
  return market.hasLiveSetup && engine.perDayUsd === undefined
    ? [
        note(
          'A model key is set without a budget: nothing limits what the models cost in a day',
          'Set FINCLAW_DAILY_BUDGET_USD, such as 5.',
        ),
      ]
    : [];
};

export const checkResultGuard = ({ tools }: Config): readonly Finding[] =>
  tools.redactPatterns.length > 0
    ? [ok(`Result guard: ${tools.redactPatterns.length} own pattern(s) in tools.redactPatterns work`)]
    : [];

const hideKeys = createHideSecrets([]);

/** The last of the files is finclaw.config.json, which people share and put under version control. */
export const checkPlainSecrets = ({ settingsFiles, secrets }: Config): readonly Finding[] => {
  const path = settingsFiles.at(-1);
  let text: string;
  try {
    text = readFileSync(path ?? '', 'utf8');
  } catch {
    return [];
  }
  const holds =
    hideKeys(text) !== text || secrets.some((secret) => secret.length >= 8 && text.includes(secret));
  return holds
    ? [
        note(
          `${path} holds a key or token in plain text`,
          'Move it to .env (ANTHROPIC_API_KEY, OPENAI_API_KEY), and make a new one if the file was shared.',
        ),
      ]
    : [];
};

export const checkChannels = (config: Config): readonly Finding[] => {
  if (hasPlatform(config)) return [];
  const ways = CHANNELS.flatMap(({ turnedOnBy }) => turnedOnBy ?? []);
  return [note(`Channels: the terminal (set ${ways.join(', or ')})`)];
};
