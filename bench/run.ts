import { parseArgs } from 'node:util';
import { benchAlerts } from './alerts.ts';
import { benchCharts } from './charts.ts';
import { benchEndurance } from './endurance/index.ts';
import { benchFirstSign } from './first-sign.ts';
import { benchFloor } from './floor/index.ts';
import { benchGrounding } from './grounding.ts';
import { benchHeapOverMedia } from './heap-over-media.ts';
import { benchHeapOverPeople } from './heap-over-people.ts';
import { benchHeapOverSessions } from './heap-over-sessions.ts';
import { benchLoad } from './load.ts';
import { benchOperatorPage } from './operator-page.ts';
import { benchPath } from './path.ts';
import { benchPortfolio } from './portfolio.ts';
import { benchPromptCache } from './prompt-cache.ts';
import { benchRouterThroughput } from './router-throughput.ts';
import { benchSplitMessage } from './split-message.ts';
import { benchStartUp } from './start-up.ts';
import { benchSymbolSearch } from './symbol-search.ts';
import { benchToolPolicy } from './tool-policy.ts';
import { benchToolTurn } from './tool-turn.ts';
import { benchTranscriptLoad } from './transcript-load.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of grounding: shows the right answers that are sent back. */
    misses: { type: 'boolean', default: false },
    /** Of endurance: how long, how many messages a second, and which faults. */
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    /** Of first-sign, floor, load, path, operator-page and heap-over-sessions: see docs/performance.md. */
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    against: { type: 'string' },
    'cpu-prof': { type: 'boolean', default: false },
    node: { type: 'string', multiple: true, default: [] },
  },
});

const BENCHES: Readonly<Record<string, () => void | Promise<void>>> = {
  'start-up': benchStartUp,
  'prompt-cache': benchPromptCache,
  'tool-turn': benchToolTurn,
  'tool-policy': benchToolPolicy,
  'transcript-load': benchTranscriptLoad,
  'split-message': benchSplitMessage,
  grounding: () => benchGrounding({ showsMisses: values.misses }),
  'symbol-search': benchSymbolSearch,
  charts: benchCharts,
  'operator-page': () => benchOperatorPage(values.quick),
  portfolio: benchPortfolio,
  alerts: benchAlerts,
  'router-throughput': benchRouterThroughput,
  'heap-over-sessions': () => benchHeapOverSessions(values.quick),
  'heap-over-people': () => benchHeapOverPeople(values.quick, values.only?.split(',')),
  'heap-over-media': benchHeapOverMedia,
  load: () => benchLoad(values.quick),
  path: () => benchPath(values.against, values.only?.split(',')),
  'first-sign': () => benchFirstSign(values.quick, values.only?.split(',')),
  endurance: () =>
    benchEndurance({
      minutes: Number(values.minutes),
      rate: Number(values.rate),
      seed: Number(values.seed),
    }),
  floor: () =>
    benchFloor({
      isQuick: values.quick,
      isProfiled: values['cpu-prof'],
      nodeFlags: values.node,
      ...(values.only !== undefined && { only: values.only.split(',') }),
      ...(values.against !== undefined && { against: values.against }),
    }),
};

/** The named benchmarks or all, one after the other: they must not disturb each other. */
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
for (const name of names) {
  const bench = BENCHES[name];
  if (!bench) throw new Error(`No such benchmark: ${name}. There are ${Object.keys(BENCHES).join(', ')}.`);
  await bench();
}
