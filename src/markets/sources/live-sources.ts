import type { SourceDefinition } from './source-definition.ts';
import { UPBIT } from './upbit/source.ts';
import { YAHOO } from './yahoo/source.ts';

/** Has every instrument, and decides between live and sample data. */
export const PRIMARY_SOURCE: SourceDefinition = YAHOO;

/** Asked before the primary source, in this order. Upbit has its own won prices, where Yahoo converts. */
export const PREFERRED_SOURCES: readonly SourceDefinition[] = [UPBIT];
