/** `average` has all moving averages. */
export const INDICATOR_GROUPS = ['average', 'rsi', 'macd', 'bollinger', 'atr', 'year', 'volume'] as const;
export type IndicatorGroup = (typeof INDICATOR_GROUPS)[number];
