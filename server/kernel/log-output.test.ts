import { expect, it } from 'vitest'
import { createLogOutput } from './log-output'

it('lines are written in order and within limits if a reader stops for a while', async () => {
  let room = 0
  let text = ''
  const output = createLogOutput(bytes => {
    if (room === 0) throw Object.assign(new Error('busy'), { code: 'EAGAIN' })
    const count = Math.min(room, bytes.length, 1000)
    text += Buffer.from(bytes.subarray(0, count)).toString('latin1')
    room -= count
    return count
  })
  output.writeSoon('soon\n')
  output.write('now\n')
  for (let line = 0; line < 20_000; line++) output.writeSoon(`${String(line).padStart(99)}\n`)
  expect(text).toBe('')
  room = Infinity
  await expect.poll(() => text).toContain('dropped')
  const lines = text.trimEnd().split('\n')
  const numbers = lines.slice(2, -1).map(Number)
  expect(lines.slice(0, 2)).toEqual(['soon', 'now'])
  expect(numbers).toEqual(Array.from(numbers, (_, at) => at))
  expect(text.length).toBeLessThan(1.1 * 1024 * 1024)
  const { msg } = JSON.parse(lines.at(-1) ?? '')
  expect(msg).toBe(
    `${20_000 - numbers.length} lines were dropped, because standard output did not accept them`,
  )
  output.write('later\n')
  expect(text).toMatch(/later\n$/)
})

it('nothing is held for a reader that has ended', () => {
  let calls = 0
  const output = createLogOutput(() => {
    calls++
    throw Object.assign(new Error('ended'), { code: 'EPIPE' })
  })
  output.write('a line\n')
  output.end()
  expect(calls).toBe(1)
})

it('lines that are written together fit into one indivisible write of a pipe', () => {
  const writes: string[] = []
  const output = createLogOutput(bytes => {
    writes.push(Buffer.from(bytes).toString())
    return bytes.length
  })
  for (let line = 0; line < 100; line++) output.writeSoon(`${'é'.repeat(150)}\n`)
  output.write(`${'x'.repeat(10_000)}\n`)
  expect(writes.filter(text => Buffer.byteLength(text) > 4096)).toEqual([`${'x'.repeat(10_000)}\n`])
  expect(writes.every(text => text.endsWith('\n'))).toBe(true)
  expect(writes.length).toBeLessThan(15)
})
