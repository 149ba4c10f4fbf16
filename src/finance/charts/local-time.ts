export const DAY_MS = 86_400_000;

/**
 * From moments to what clocks on the wall of a zone show, counted as milliseconds too: a day is then a division. To
 * ask for the zone of every bar takes milliseconds in all; its offset holds until the clocks are changed next.
 */
export const localTime = (timeZone: string): ((epochMs: number) => number) => {
  let [fromMs, untilMs, offsetMs] = [0, 0, 0];
  return (epochMs) => {
    if (epochMs < fromMs || epochMs >= untilMs) {
      const local = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
      fromMs = epochMs;
      untilMs = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
      offsetMs = local.offsetNanoseconds / 1_000_000;
    }
    return epochMs + offsetMs;
  };
};

/** Days since the epoch, by the calendar of the zone. */
export const localDay = (timeZone: string): ((epochMs: number) => number) => {
  const timeOf = localTime(timeZone);
  return (epochMs) => Math.floor(timeOf(epochMs) / DAY_MS);
};

/** `2026-11-13`. */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
