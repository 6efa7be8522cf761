import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Carrier, SendEvents } from './carrier'
import { UploadQueue } from './queue'
import { isUnderWay, type Upload } from './upload'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Sent {
  name: string
  replaces: boolean
  begun: string | undefined
  events: SendEvents
  stopped: boolean
}

function setUp({
  inUse = [] as string[],
  release = 7 as number | null,
  listed = Promise.resolve() as Promise<unknown>,
} = {}) {
  const sent: Sent[] = []
  const discarded: string[] = []
  const done: string[] = []
  const carrier: Carrier = {
    send: (_, { name, replaces, begun }, events) => {
      const one = { name, replaces, begun, events, stopped: false }
      sent.push(one)
      return { stop: () => (one.stopped = true) }
    },
    discard: async ({ file, id }) => {
      discarded.push(id ?? file?.name ?? '')
    },
  }
  const queue = new UploadQueue({
    limits: { enabled: true, max_bytes: 1000, allowed_types: ['.zip', '.txt'] },
    carrier,
    isInUse: name => inUse.includes(name),
    onDone: name => {
      done.push(name)
      return listed
    },
  })
  if (release !== null) queue.open(release)
  const row = (name: string): Upload => {
    const found = queue.uploads().find(one => one.name === name)
    if (!found) throw new Error(`no upload is named ${name}`)
    return found
  }
  const last = (): Sent => {
    const one = sent.at(-1)
    if (!one) throw new Error('nothing was sent')
    return one
  }
  return { queue, sent, discarded, done, row, last }
}

const file = (name: string, size = 100, lastModified = 1): File =>
  new File(['x'.repeat(size)], name, { lastModified })

test('three files upload concurrently, and the next one starts when one of them is done', () => {
  const { queue, sent, row, done } = setUp()
  queue.add(['a.zip', 'b.zip', 'c.zip', 'd.zip'].map(name => file(name)))
  expect(sent.map(({ name }) => name)).toEqual(['a.zip', 'b.zip', 'c.zip'])
  expect(row('d.zip').state).toBe('waiting')
  sent[0]?.events.onDone()
  expect(row('d.zip').state).toBe('sending')
  expect(done).toEqual(['a.zip'])
})

test('an attached file stays visible until the list of files contains it, and is never sent again', async () => {
  let list = (): void => undefined
  const listed = new Promise<void>(resolve => {
    list = resolve
  })
  const { queue, sent, discarded, row, last } = setUp({ listed })
  queue.add([file('a.zip')])
  last().events.onDone()
  expect(row('a.zip')).toMatchObject({ state: 'attached', sent: 100 })
  expect(isUnderWay(row('a.zip'))).toBe(false)
  queue.pause(row('a.zip').key)
  queue.resume(row('a.zip').key)
  queue.remove(row('a.zip').key)
  expect(row('a.zip').state).toBe('attached')
  list()
  await listed
  expect(queue.uploads()).toEqual([])
  expect(sent).toHaveLength(1)
  expect(discarded).toEqual([])
})

test('files wait to be uploaded until the release exists', () => {
  const { queue, sent } = setUp({ release: null })
  queue.add([file('a.zip')])
  expect(sent).toEqual([])
  queue.open(7)
  expect(sent).toHaveLength(1)
})

test('a paused upload keeps its progress, lets another upload start, and resumes on request', () => {
  const { queue, sent, row } = setUp()
  queue.add(['a.zip', 'b.zip', 'c.zip', 'd.zip'].map(name => file(name)))
  sent[0]?.events.onProgress(40)
  queue.pause(row('a.zip').key)
  expect(sent[0]?.stopped).toBe(true)
  expect(row('a.zip')).toMatchObject({ state: 'paused', sent: 40 })
  expect(row('d.zip').state).toBe('sending')
  // Late events of the stopped transfer are ignored.
  sent[0]?.events.onFailure({ problem: 'aborted', state: 'away' })
  expect(row('a.zip').state).toBe('paused')
  sent[1]?.events.onDone()
  queue.resume(row('a.zip').key)
  expect(row('a.zip').state).toBe('sending')
})

test('an upload that lost its connection is retried with exponential backoff, and immediately on request', () => {
  const { queue, sent, row, last } = setUp()
  queue.add([file('a.zip')])
  for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    last().events.onFailure({ problem: 'away', state: 'away' })
    expect(row('a.zip').state).toBe('away')
    const before = sent.length
    vi.advanceTimersByTime(wait - 1)
    expect(sent).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(sent).toHaveLength(before + 1)
  }
  last().events.onProgress(10)
  last().events.onFailure({ problem: 'away', state: 'away' })
  const before = sent.length
  vi.advanceTimersByTime(1000)
  expect(sent, 'something arrived in between').toHaveLength(before + 1)
  last().events.onFailure({ problem: 'away', state: 'away' })
  queue.retryNow()
  expect(sent).toHaveLength(before + 2)
})

test('a failed upload shows the error and is retried only on request', () => {
  const { queue, sent, row, last } = setUp()
  queue.add([file('a.zip')])
  last().events.onFailure({ problem: 'Your session has ended.', state: 'failed' })
  expect(row('a.zip')).toMatchObject({ state: 'failed', problem: 'Your session has ended.' })
  vi.advanceTimersByTime(120_000)
  expect(sent).toHaveLength(1)
  queue.resume(row('a.zip').key)
  expect(row('a.zip')).toMatchObject({ state: 'sending', problem: undefined })
})

test('a rejected upload is not retried until a different file with the same name is selected', () => {
  const { queue, sent, discarded, row, last } = setUp()
  queue.add([file('a.zip')])
  last().events.onFailure({ problem: 'A forbidden type.', state: 'refused' })
  vi.advanceTimersByTime(120_000)
  queue.retryNow()
  expect(row('a.zip')).toMatchObject({ state: 'refused', problem: 'A forbidden type.' })
  expect(sent).toHaveLength(1)
  queue.add([file('a.zip', 200, 2)])
  expect(discarded).toEqual(['a.zip'])
  expect(sent).toHaveLength(2)
  expect(queue.uploads()).toMatchObject([{ name: 'a.zip', size: 200, state: 'sending', problem: undefined }])
})

test('a file that violates the upload limits is rejected before it is sent', () => {
  const { queue, sent, row } = setUp()
  queue.add([file('big.zip', 1001), file('a.exe'), file(`${'ü'.repeat(126)}.zip`)])
  expect(sent).toEqual([])
  expect(row('big.zip')).toMatchObject({
    state: 'refused',
    problem: 'This file is 1001 bytes; the limit is 1000 bytes.',
  })
  expect(row('a.exe').problem).toBe('This file type isn’t allowed. Allowed types: .zip, .txt.')
  expect(row(`${'ü'.repeat(126)}.zip`).problem).toContain('255 bytes')
})

test('a file whose name is in use waits for a decision, and then replaces the other file or gets a free name', () => {
  const { queue, sent, row, last } = setUp({ inUse: ['a.tar.zip', 'a.tar-2.zip', 'b.zip'] })
  queue.add([file('a.tar.zip'), file('b.zip')])
  expect(row('a.tar.zip').state).toBe('asking')
  expect(sent).toEqual([])
  queue.settle(row('a.tar.zip').key, 'keepBoth')
  expect(last()).toMatchObject({ name: 'a-2.tar.zip', replaces: false })
  queue.settle(row('b.zip').key, 'replace')
  expect(last()).toMatchObject({ name: 'b.zip', replaces: true })
})

test('a file can replace a running upload with the same name', () => {
  const { queue, discarded, sent, last } = setUp()
  queue.add([file('a.zip')])
  queue.add([file('a.zip', 200)])
  const [, second] = queue.uploads()
  expect(second?.state).toBe('asking')
  queue.settle(second?.key ?? '', 'replace')
  expect(sent[0]?.stopped).toBe(true)
  expect(discarded).toEqual(['a.zip'])
  expect(queue.uploads()).toMatchObject([{ name: 'a.zip', size: 200, state: 'sending' }])
  expect(last().replaces).toBe(true)
})

const before = { id: 'u1', name: 'a.zip', size: 100, received: 60, replaces: false }

test('an interrupted upload resumes when the same file is selected again, but not with a different file', () => {
  const { queue, sent, row } = setUp()
  queue.remember([before])
  expect(row('a.zip')).toMatchObject({ state: 'interrupted', sent: 60 })
  queue.remember([
    { ...before, received: 70 },
    { ...before, id: 'u2', name: 'begun on this page.zip' },
  ])
  expect(queue.uploads()).toHaveLength(1)
  expect(row('a.zip').sent).toBe(70)
  queue.add([file('a.zip', 99)])
  expect(queue.uploads().map(({ state }) => state)).toEqual(['interrupted', 'asking'])
  queue.add([file('a.zip', 100)])
  expect(queue.uploads().map(({ state }) => state)).toEqual(['sending', 'asking'])
  expect(sent).toMatchObject([{ begun: 'u1' }])
})

test('an interrupted upload keeps its name and still replaces the existing file when a file with another name is selected for it', () => {
  const { queue, row, last } = setUp({ inUse: ['a-2.zip'] })
  queue.remember([{ ...before, name: 'a-2.zip', replaces: true }])
  queue.add([file('a.zip')], row('a-2.zip').key)
  expect(queue.uploads()).toHaveLength(1)
  expect(last()).toMatchObject({ name: 'a-2.zip', replaces: true, begun: 'u1' })
})

test('an interrupted upload waits for a decision if the release has a file with the same name when it resumes', () => {
  const { queue, row } = setUp({ inUse: ['a.zip'] })
  queue.remember([before])
  queue.add([file('a.zip')])
  expect(row('a.zip').state).toBe('asking')
})

test('an interrupted upload disappears when it is removed or finished elsewhere', () => {
  const { queue, discarded, row } = setUp()
  queue.remember([before, { ...before, id: 'u2', name: 'b.zip' }])
  queue.remove(row('a.zip').key)
  expect(discarded).toEqual(['u1'])
  queue.remember([])
  expect(queue.uploads()).toEqual([])
})

test('a stopped queue continues its uploads when it is started again', () => {
  const { queue, sent, row } = setUp()
  queue.add([file('a.zip')])
  queue.stop()
  expect(sent[0]?.stopped).toBe(true)
  queue.retryNow()
  expect(sent).toHaveLength(2)
  expect(row('a.zip').state).toBe('sending')
})

test('an upload reports its average speed over the last few seconds', () => {
  const { queue, row, last } = setUp()
  queue.add([file('a.zip', 1000)])
  last().events.onProgress(0)
  for (const sent of [100, 200, 300]) {
    vi.advanceTimersByTime(1000)
    last().events.onProgress(sent)
  }
  vi.advanceTimersByTime(300)
  expect(row('a.zip').bytesPerSecond).toBe(100)
})
