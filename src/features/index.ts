/** Every feature with its queries and tools, one line each. Tables are listed in `tables.ts`. */
export { alert, alerts } from './alerts/index.ts';
export { briefings } from './briefings/index.ts';
export { calculate } from './calculate/index.ts';
export { charting } from './charting/index.ts';
export { compare } from './compare/index.ts';
export { earnings } from './earnings/index.ts';
export { fundamentals } from './fundamentals/index.ts';
export { fx } from './fx/index.ts';
export { history } from './history/index.ts';
export { hours } from './hours/index.ts';
export { indicators } from './indicators/index.ts';
export { news } from './news/index.ts';
export { coins, overview } from './overview/index.ts';
export { portfolio } from './portfolio/index.ts';
export { quotes } from './quotes/index.ts';
export { search } from './search/index.ts';
export { watchlist } from './watchlist/index.ts';
