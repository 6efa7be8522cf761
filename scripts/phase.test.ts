import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { phase } from './phase.mjs'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  ['resolved', async () => undefined],
  ['rejected', () => Promise.reject(new Error('failed'))],
])(
  'phase prints its name immediately, dots while a promise is pending, and the duration once the promise has %s',
  async (_, end) => {
    let text = ''
    const work = () => new Promise(resolve => setTimeout(resolve, 7000)).then(end)
    const done = Promise.allSettled([phase('Compiling', work, { write: part => (text += part) })])
    expect(text).toBe('Compiling .')
    await vi.advanceTimersByTimeAsync(6500)
    expect(text).toBe('Compiling ...')
    await vi.advanceTimersByTimeAsync(500)
    await done
    expect(text).toBe('Compiling ... 7.0 s\n')
    expect(vi.getTimerCount()).toBe(0)
  },
)
