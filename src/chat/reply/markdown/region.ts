import type { Tokens } from 'marked';
import type { OpenFence } from './fence-tracker.ts';

interface RegionBase {
  /** Indices of its first and last line. */
  readonly first: number;
  readonly last: number;
  readonly isInQuote: boolean;
  /** A block of the document itself; what lies in a list or a quote is none. */
  readonly isTopLevel: boolean;
}

/** A block without blocks inside, as lines of the source. */
export type Region = RegionBase &
  (
    | { readonly kind: 'fence'; readonly fence: OpenFence; readonly isClosed: boolean }
    | { readonly kind: 'table'; readonly prefix: string; readonly table: Tokens.Table | undefined }
    | { readonly kind: 'heading' }
    /** Code by indentation. */
    | { readonly kind: 'literal' }
    | { readonly kind: 'text' }
    /** Rules, definitions of links, HTML: lines with a meaning of their own. */
    | { readonly kind: 'other' }
  );
