declare module "perf_hooks" {
  namespace perf_hooks {
    const performance: Performance & { timerify<F>(work: F): F; eventLoopUtilization(...values: any[]): any };
    const PerformanceObserver: any;
    const constants: any;
  }
  export = perf_hooks;
}
