import { expect, it } from 'vitest'
import { addCounters } from './ended-counters'
import type { MetricValues } from './messages'

const metric = (name: string, type: string, values: MetricValues['values']): MetricValues => ({
  name,
  type,
  values,
  help: '',
  aggregator: 'sum',
})

it('counters of ended processes are added by series, and gauges are left out', () => {
  const first = [
    metric('requests', 'counter', [{ value: 2, labels: { mount: 'rest', status: '200' } }]),
    metric('seconds', 'histogram', [{ value: 1, labels: { le: 0.1 }, metricName: 'seconds_bucket' }]),
    metric('memory', 'gauge', [{ value: 9, labels: {} }]),
  ]
  const second = [
    metric('requests', 'counter', [
      { value: 3, labels: { status: '200', mount: 'rest' } },
      { value: 1, labels: { mount: 'rest', status: '404' } },
    ]),
    metric('seconds', 'histogram', [{ value: 4, labels: { le: 0.1 }, metricName: 'seconds_bucket' }]),
  ]
  expect(addCounters(addCounters([], first), second)).toEqual([
    metric('requests', 'counter', [
      { value: 5, labels: { mount: 'rest', status: '200' } },
      { value: 1, labels: { mount: 'rest', status: '404' } },
    ]),
    metric('seconds', 'histogram', [{ value: 5, labels: { le: 0.1 }, metricName: 'seconds_bucket' }]),
  ])
})
