/** The CPU time of this thread: unlike time on the clock, it does not grow while other processes have the core. */
export const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
