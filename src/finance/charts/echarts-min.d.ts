/** The bundle has the names of the package, and no types of its own. */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts';
}
