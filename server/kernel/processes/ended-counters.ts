import type { MetricValue, MetricValues } from './messages'

/** Returns the sum of counters and histograms. Other metrics are left out. */
export function addCounters(all: readonly MetricValues[], more: readonly MetricValues[]): MetricValues[] {
  const sums = new Map<string, MetricValues>()
  const series = new Map<string, MetricValue>()
  for (const metric of [...all, ...more]) {
    if (metric.type !== 'counter' && metric.type !== 'histogram') continue
    const sum = sums.get(metric.name) ?? { ...metric, values: [] }
    sums.set(metric.name, sum)
    for (const { value, labels, metricName } of metric.values) {
      const key = JSON.stringify([metric.name, metricName, Object.entries(labels).sort()])
      const known = series.get(key)
      if (known) {
        known.value += value
        continue
      }
      const added = { value, labels, ...(metricName === undefined ? {} : { metricName }) }
      series.set(key, added)
      sum.values.push(added)
    }
  }
  return [...sums.values()]
}
