const MAX_VALUES = 100;
const MAX_CHARS = 100;
const OTHER = 'other';

/**
 * Every value of a label is a time series of its own, kept for good, here and where it is scraped. Codes and
 * names are few; should one of them ever not be, the rest is counted as `other`.
 */
export const createLabelValues = (maxValues = MAX_VALUES): ((label: string, value: string) => string) => {
  const known = new Map<string, Set<string>>();
  return (label, value) => {
    const values = known.getOrInsertComputed(label, () => new Set());
    if (values.has(value)) return value;
    if (values.size >= maxValues || value.length > MAX_CHARS) return OTHER;
    values.add(value);
    return value;
  };
};
