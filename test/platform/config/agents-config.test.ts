import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { load, problemsOf } from './support.ts';

const RESEARCH = {
  model: 'opus',
  fallbacks: ['sonnet'],
  instructions: 'Be thorough.',
  tools: { allow: ['get_*', 'group:finance'], deny: ['place_order'] },
  queueMode: 'queue',
  maxTurns: 20,
};

describe('agents', () => {
  it('have what the file gives them, and nothing more', () => {
    const agents = { main: {}, research: RESEARCH, 'no-tools_2': { tools: { allow: [] }, fallbacks: [] } };
    const config = load({ agents });
    expect(config.agents).toEqual(agents);
    expect(config.engine.agents).toEqual(agents);
    expect(Object.keys(config.agents['main'] ?? { no: 1 })).toEqual([]);
  });

  it('may check numbers otherwise than the file and the variable say for all', () => {
    const file = { grounding: { mode: 'mark' }, agents: { desk: { grounding: { mode: 'off' } } } };
    expect(load(file).engine.grounding).toEqual({ mode: 'mark' });
    expect(load(file, { FINCLAW_GROUNDING: 'repair' }).engine).toMatchObject({
      grounding: { mode: 'repair' },
      agents: { desk: { grounding: { mode: 'off' } } },
    });
  });

  it.each(['a', '0', 'a'.repeat(32), 'x-1_y', 'constructor'])('may be called %s', (id) => {
    expect(Object.keys(load({ agents: { [id]: {} } }).agents)).toEqual([id]);
  });

  everyRow(['', 'Research', 'a'.repeat(33), '-a', '_a', 'a b', 'a:b', 'a.b', '연구'])(
    'may not be called %j',
    (id) => {
      expect(problemsOf({ agents: { [id]: {} } })).toEqual([
        `agents.${id}: is no name for an agent; use up to 32 small letters, digits, "-" and "_", such as research`,
      ]);
    },
  );

  everyRow([
    [{ model: '' }, /^agents\.a\.model: must not be empty/],
    [{ model: null }, /^agents\.a\.model: .*expected string/],
    [{ fallbacks: 'sonnet' }, /^agents\.a\.fallbacks: .*expected array/],
    [{ fallbacks: [''] }, /^agents\.a\.fallbacks\.0: must not be empty/],
    [{ instructions: 'x'.repeat(4_001) }, /^agents\.a\.instructions: .*<=4000/],
    [{ tools: ['get_*'] }, /^agents\.a\.tools: .*expected object/],
    [{ tools: { allow: ['get quote'] } }, /^agents\.a\.tools\.allow\.0: may have letters, .*such as get_\*/],
    [{ tools: { deny: [''] } }, /^agents\.a\.tools\.deny\.0: must not be empty; use \* for every tool/],
    [{ tools: { deny: ['group:fin'] } }, /^agents\.a\.tools\.deny\.0: names no group: after "group:" stands/],
    [{ tools: { allows: [] } }, /^agents\.a\.tools\.allows: .*did you mean "allow"\?/],
    [{ queueMode: 'fifo' }, /^agents\.a\.queueMode: .*"steer-backlog"/],
    [{ maxTurns: 0 }, /^agents\.a\.maxTurns: .*>=1/],
    [{ maxTurns: 51 }, /^agents\.a\.maxTurns: .*<=50/],
    [{ temperature: -0.1 }, /^agents\.a\.temperature: .*>=0/],
    [{ temperature: 2.1 }, /^agents\.a\.temperature: .*<=2/],
    [{ maxConcurrentTurns: 0 }, /^agents\.a\.maxConcurrentTurns: .*>=1/],
    [{ modle: 'opus' }, /^agents\.a\.modle: there is no such setting; did you mean "model"\?/],
  ])('are refused with their place and what to write: %j', (agent, message) => {
    expect(problemsOf({ agents: { a: agent } })).toEqual([expect.stringMatching(message)]);
  });
});

describe('bindings', () => {
  it('lead people, places and kinds of chats to an agent', () => {
    const bindings = [
      { agent: 'research', peers: ['slack:U1'], channels: ['discord'], accounts: ['T1'], priority: -3 },
      { agent: 'main', chatTypes: ['direct', 'group', 'channel'] },
      { agent: 'research' },
    ];
    expect(load({ agents: { research: {} }, bindings }).bindings).toEqual([
      bindings[0],
      { ...bindings[1], priority: 0 },
      { agent: 'research', priority: 0 },
    ]);
  });

  it('lead to no agent that does not exist', () => {
    const bindings = [{ agent: 'main' }, { agent: 'reserch' }, { agent: 'toString' }];
    expect(problemsOf({ agents: { research: {}, desk: {} }, bindings })).toEqual([
      'bindings.1.agent: names no agent; those of this file are main, research, desk (found "reserch")',
      'bindings.2.agent: names no agent; those of this file are main, research, desk (found "toString")',
    ]);
    expect(problemsOf({ bindings: bindings.slice(1, 2) })).toEqual([
      'bindings.0.agent: names no agent; those of this file are main (found "reserch")',
    ]);
  });

  everyRow([
    [{}, /^bindings\.0\.agent: .*expected string/],
    [{ agent: 'main', peers: [] }, /^bindings\.0\.peers: must name at least one person; leave it out/],
    [{ agent: 'main', channels: [] }, /^bindings\.0\.channels: must name at least one channel; leave it out/],
    [{ agent: 'main', accounts: [] }, /^bindings\.0\.accounts: must name at least one account; leave it out/],
    [{ agent: 'main', chatTypes: [] }, /^bindings\.0\.chatTypes: must name at least one kind of chat/],
    [{ agent: 'main', peers: ['slack:*'] }, /^bindings\.0\.peers\.0: is not a user id; .*no wildcards/],
    [{ agent: 'main', channels: ['slack:*'] }, /^bindings\.0\.channels\.0: .*write discord for all of/],
    [
      { agent: 'main', accounts: ['slack:*'] },
      /^bindings\.0\.accounts\.0: is not an account; .*no wildcards/,
    ],
    [{ agent: 'main', peers: [''] }, /^bindings\.0\.peers\.0: must not be empty/],
    [
      { agent: 'main', chatTypes: ['dm'] },
      /^bindings\.0\.chatTypes\.0: .*"direct"\|"group"\|"channel".*"dm"/,
    ],
    [{ agent: 'main', priority: 0.5 }, /^bindings\.0\.priority: .*expected int/],
    [{ agent: 'main', peer: ['1'] }, /^bindings\.0\.peer: there is no such setting; did you mean "peers"\?/],
  ])('are refused with their place and what to write: %j', (binding, message) => {
    expect(problemsOf({ bindings: [binding] })).toEqual([expect.stringMatching(message)]);
  });
});
