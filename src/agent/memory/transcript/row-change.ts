import type { RowChange, RowPlace, TranscriptRow } from '#src/agent/store/transcript-rows.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

const keyOf = ({ turnId, at }: Pick<TranscriptRow, 'turnId' | 'at'>): string => `${turnId} ${at}`;

const isBehind = (place: RowPlace, other: RowPlace): boolean =>
  place.position === other.position ? place.version > other.version : place.position > other.position;

/** Before every entry: the clock of no machine shows 1970. */
const START: RowPlace = { position: 0, version: 0 };

/**
 * How the current rows become these entries. A row whose entry is unchanged and in order stays. Other entries get the
 * place behind the entry before them; a changed entry takes the place of its old form.
 */
export const changeRows = (
  current: readonly TranscriptRow[],
  nextVersion: number,
  entries: readonly TranscriptEntry[],
): RowChange => {
  const left = Map.groupBy(current, keyOf);
  const added: TranscriptRow[] = [];
  const kept = new Set<TranscriptRow>();
  let version = nextVersion;
  let last = START;
  for (const { turnId, at, message } of entries) {
    const text = JSON.stringify(message);
    const forms = left.get(keyOf({ turnId, at })) ?? [];
    const same = forms.find((row) => row.message === text && !kept.has(row));
    if (same && isBehind(same, last)) {
      kept.add(same);
      last = same;
      continue;
    }
    const old = forms.find((row) => !kept.has(row) && row.position >= last.position);
    const row = { position: old?.position ?? last.position, version, turnId, at, message: text };
    version += 1;
    added.push(row);
    last = row;
  }
  return { retired: current.filter((row) => !kept.has(row)), added };
};
