import { benchAlerts } from './alerts.ts';
import { benchCharts } from './charts.ts';
import { benchGrounding } from './grounding.ts';
import { benchHeapOverSessions } from './heap-over-sessions.ts';
import { benchPortfolio } from './portfolio.ts';
import { benchPromptCache } from './prompt-cache.ts';
import { benchRouterThroughput } from './router-throughput.ts';
import { benchSplitMessage } from './split-message.ts';
import { benchStartUp } from './start-up.ts';
import { benchSymbolSearch } from './symbol-search.ts';
import { benchToolPolicy } from './tool-policy.ts';
import { benchToolTurn } from './tool-turn.ts';
import { benchTranscriptLoad } from './transcript-load.ts';

/** All benchmarks, one after the other: they must not disturb each other. */
await benchStartUp();
await benchPromptCache();
await benchToolTurn();
benchToolPolicy();
await benchTranscriptLoad();
benchSplitMessage();
await benchGrounding({ showsMisses: process.argv.includes('--misses') });
benchSymbolSearch();
await benchCharts();
await benchPortfolio();
await benchAlerts();
await benchRouterThroughput();
await benchHeapOverSessions();
