/** The bundle exports the same names as the package but has no types. */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts';
}
