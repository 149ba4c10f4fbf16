import { describe, expect, it } from 'vitest';
import {
  createGeneralTools,
  GENERAL_TOOL_NAMES,
  type GeneralToolDeps,
} from '#src/agent/tools/general/index.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const unused = () => expect.unreachable();

const deps: GeneralToolDeps = {
  clock: new ManualClock(),
  version: '1.0.0',
  timeZone: 'Asia/Seoul',
  database: 'SQLite',
  load: unused,
  models: { current: unused },
  usage: { today: unused, month: unused, limits: { perUserUsd: undefined, perDayUsd: undefined } },
  alerts: unused,
  conversation: unused,
  reminders: unused,
  notifier: { notify: unused },
  directTarget: unused,
};

describe('the general tools', () => {
  it('are these, and each tells the model what it is for', () => {
    const tools = createGeneralTools(deps);
    expect(tools.map(({ definition }) => [definition.name, definition.group])).toEqual([
      ['get_datetime', 'finance'],
      ['get_system_info', 'system'],
      ['fetch_url', 'web'],
      ['query_my_data', 'data'],
      ['notify', 'communication'],
    ]);
    for (const { definition } of tools) {
      expect(definition.description.length).toBeGreaterThan(100);
      expect(definition).toMatchObject({ isTransactional: false, requiresApproval: false });
      expect(definition.inputSchema).toMatchObject({ type: 'object' });
    }
  });

  it('have the names that others must not take, and no more', () => {
    const names = createGeneralTools(deps).map(({ definition }) => definition.name);
    expect(GENERAL_TOOL_NAMES).toEqual(names);
  });
});
