import { mkdirSync, writeFileSync } from 'node:fs';
import { CHANNELS } from '#channels/index.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, loadConfig } from '#src/platform/config/config.ts';
import { configJsonSchema } from '#src/platform/config/config-file.ts';
import { toolsSchema } from '#src/platform/config/tools-config.ts';
import { temporaryDir } from '#test/support/database.ts';
import { everyRow } from '#test/support/every-row.ts';
import { problemsOf } from './support.ts';

const load = (file: object): Config => {
  const workingDir = temporaryDir();
  writeFileSync(join(workingDir, 'finclaw.config.json'), JSON.stringify(file));
  return loadConfig({}, workingDir, CHANNELS);
};

const errorOf = (file: object): string => {
  try {
    load(file);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', isOperational: true });
    return String(error);
  }
  throw new Error('It was accepted');
};

const ruleError = (rule: object): string =>
  errorOf({ tools: { rules: [{ pattern: 'get_*', verdict: 'allow', ...rule }] } });

describe('what may be done with tools', () => {
  it('is up to the built-in policy unless the file says otherwise', () => {
    const { tools, approvals, plugins, skillDirectories, engine } = load({});
    expect(tools).toEqual({ rules: [], groups: {}, redactPatterns: [] });
    expect(approvals).toEqual({ approvers: { users: [], roles: [] }, expiresMinutes: 10 });
    expect([plugins, skillDirectories, engine.instructions]).toEqual([[], [], undefined]);
  });

  it('is said by rules and by groups', () => {
    const rules = [
      { pattern: 'get_*', verdict: 'allow', priority: -5 },
      {
        pattern: 'group:communication',
        verdict: 'require-approval',
        reason: 'It reaches people',
        users: ['slack:U1'],
        roles: ['trader'],
        channels: ['slack'],
      },
      { pattern: '*', verdict: 'deny' },
    ];
    const groups = { finance: 'allow', web: 'deny', custom: 'require-approval' };
    expect(load({ tools: { rules, groups } }).tools).toEqual({
      rules: [rules[0], { ...rules[1], priority: 0 }, { ...rules[2], priority: 0 }],
      groups,
      redactPatterns: [],
    });
  });

  everyRow([
    ['an empty pattern', { pattern: '' }, 'tools.rules.0.pattern: must not be empty; use * for every tool'],
    ['a pattern with spaces', { pattern: 'get quote' }, 'such as get_*, set_reminder or group:finance'],
    ['a pattern of another alphabet', { pattern: '시세' }, 'tools.rules.0.pattern: may have letters'],
    ['an endless pattern', { pattern: 'a'.repeat(101) }, 'tools.rules.0.pattern'],
    ['an unknown verdict', { verdict: 'ask' }, 'tools.rules.0.verdict'],
    ['half a priority', { priority: 0.5 }, 'tools.rules.0.priority'],
    ['an empty reason', { reason: '' }, 'tools.rules.0.reason: must not be empty'],
    [
      'nobody',
      { users: [] },
      'tools.rules.0.users: must name at least one user; leave it out for every user',
    ],
    ['no role', { roles: [] }, 'tools.rules.0.roles: must name at least one role'],
    ['no channel', { channels: [] }, 'tools.rules.0.channels: must name at least one channel'],
    ['a nameless user', { users: ['me', ''] }, 'tools.rules.0.users.1: must not be empty'],
    ['a setting that does not exist', { when: 'always' }, 'tools.rules.0.when: there is no such setting'],
  ])('is refused with its place and what to write: %s', (_what, rule, message) => {
    expect(ruleError(rule)).toContain(message);
  });

  it.each(['group:fiance', 'group:', 'group:Finance', 'group:fin*', 'groups:finance', 'finance:get_*', ':'])(
    'is not said by the pattern %s, which names no group',
    (pattern) => {
      expect(ruleError({ pattern })).toContain(
        'tools.rules.0.pattern: names no group: after "group:" stands finance, system, web, data, communication, custom or *',
      );
    },
  );

  everyRow([...Object.keys(toolsSchema.unwrap().shape.groups.unwrap().shape), '*'])(
    'is said by the pattern group:%s',
    (group) => {
      const rules = [{ pattern: `group:${group}`, verdict: 'deny' }];
      expect(load({ tools: { rules } }).tools.rules).toEqual([{ ...rules[0], priority: 0 }]);
    },
  );

  it('is said for whole platforms, for chats and for kinds of chats, and the file explains which', () => {
    const rules = [{ pattern: '*', verdict: 'deny', channels: ['discord', 'discord:42', '42', 'group'] }];
    expect(load({ tools: { rules } }).tools.rules).toMatchObject(rules);
    const explained = JSON.stringify(JSON.parse(configJsonSchema(CHANNELS)));
    expect(explained).toMatch(/platforms \(`discord`\), chats \(`discord:123` or `123`\) or kinds of chat/);
    expect(explained).toContain('(`direct`, `group`, `channel`)');
  });

  it('is not said by more than a thousand rules', () => {
    const rules = Array.from({ length: 1_000 }, () => ({ pattern: '*', verdict: 'deny' }));
    expect(load({ tools: { rules } }).tools.rules).toHaveLength(1_000);
    expect(errorOf({ tools: { rules: [...rules, ...rules.slice(0, 1)] } })).toContain(
      'tools.rules: are more than 1000; put several tools into one with *',
    );
  });

  it('knows no other groups', () => {
    expect(errorOf({ tools: { groups: { finanse: 'allow' } } })).toContain(
      'tools.groups.finanse: there is no such setting; did you mean "finance"?',
    );
    expect(errorOf({ tools: { groups: { web: 'maybe' } } })).toContain('tools.groups.web');
  });
});

describe('what the results of tools must not show', () => {
  it.each(['EMP-\\d{6}', 'Case [A-Z]{1,20}', '사번\\s?\\d{1,10}', '\\bkey\\b', 'a\\.b', '[^a-z]{3}'])(
    'is a pattern: %s',
    (pattern) => {
      const redactPatterns = [pattern, { name: 'staff no 1', pattern }];
      expect(load({ tools: { redactPatterns } }).tools.redactPatterns).toEqual(redactPatterns);
    },
  );

  everyRow([
    ['EMP-(', /is not one that can be used\. A pattern is a row of characters/],
    ['(?<=x)EMP', /is not one that can be used/],
    ['(a+)+b', /is not one that can be used/],
    ['EMP-\\d+', /write \{1,10\} for \+/],
    ['a|b', /two patterns for \|/],
    ['a{1,9}b{1,9}c?', /takes too long/],
    ['a?b?c?d?e?f?g?h?i', /takes too long/],
    ['a{101}', /takes too long/],
    ['a{2,1}', /numbers out of order/],
    ['[z-a]', /out of order/],
    ['\\d{0,9}', /fits the empty text/],
    ['', /fits the empty text/],
  ])('is refused where it cannot be run safely, with the reason: %s', (pattern, problem) => {
    const problems = problemsOf({ tools: { redactPatterns: ['ok', pattern] } });
    expect(problems).toEqual([expect.stringMatching(/^tools\.redactPatterns\.1: /)]);
    expect(problems[0]).toMatch(problem);
  });
});

describe('who decides about tool calls', () => {
  it('are the approvers, within the given time', () => {
    const approvals = { approvers: { users: ['slack:U1'], roles: ['trader'] }, expiresMinutes: 1.5 };
    expect(load({ approvals }).approvals).toEqual(approvals);
  });

  it.each([0, 0.5, 1_441, '10'])('is not said by %j minutes', (expiresMinutes) => {
    expect(errorOf({ approvals: { expiresMinutes } })).toContain('approvals.expiresMinutes');
  });

  it('is nobody without a name', () => {
    expect(errorOf({ approvals: { approvers: { users: [''] } } })).toContain('approvals.approvers.users.0');
    expect(errorOf({ approvals: { approvers: { users: ['*'] } } })).toContain('there are no wildcards');
    expect(errorOf({ approvals: { approvers: { roles: ['*'] } } })).toContain('there are no wildcards');
  });
});

describe('paths of plugins and skills', () => {
  it('start at the configuration file, wherever it is and wherever the program was started', () => {
    const workingDir = temporaryDir();
    mkdirSync(join(workingDir, 'etc'));
    const file = {
      plugins: ['a.mjs', '../b.ts', '/opt/c.mjs'],
      skills: { directories: ['skills', '/srv/s'] },
    };
    writeFileSync(join(workingDir, 'etc', 'bot.json'), JSON.stringify(file));
    const { plugins, skillDirectories } = loadConfig(
      { FINCLAW_CONFIG: 'etc/bot.json' },
      workingDir,
      CHANNELS,
    );
    expect(plugins).toEqual([join(workingDir, 'etc/a.mjs'), join(workingDir, 'b.ts'), '/opt/c.mjs']);
    expect(skillDirectories).toEqual([join(workingDir, 'etc/skills'), '/srv/s']);
  });

  it('are never empty', () => {
    expect(errorOf({ plugins: [''] })).toContain('plugins.0: must not be empty');
    expect(errorOf({ skills: { directories: [''] } })).toContain('skills.directories.0: must not be empty');
  });
});

describe("the operator's own words to the model", () => {
  it('reach the engine', () => {
    expect(load({ agent: { instructions: 'Speak like a librarian.' } }).engine.instructions).toBe(
      'Speak like a librarian.',
    );
  });

  it('have an end', () => {
    expect(errorOf({ agent: { instructions: 'x'.repeat(4_001) } })).toContain('agent.instructions');
  });
});
