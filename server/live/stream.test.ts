import { describe, expect, it } from 'vitest'
import type { LiveMessage, Topic } from './schema'
import { createStream, type Stream } from './stream'

const topic: Topic = { topic: 'organization', id: 1 }
const changed = (kind: string): LiveMessage => ({ type: 'changed', topic, kind })

function open() {
  const ended: Stream[] = []
  const topics = new Map([['organization:1', topic]])
  const stream = createStream({ viewer: { address: '' }, topics, endsAt: 0 }, over => ended.push(over))
  const messages = stream.messages()
  return { stream, ended, messages, next: async () => (await messages.next()).value }
}

describe('a stream', () => {
  it('tells in order, waits for what comes, and ends with what is left', async () => {
    const { stream, ended, next } = open()
    stream.tell(changed('a'), '1')
    expect(await next()).toEqual({ place: '1', message: changed('a') })
    const coming = next()
    stream.tell(changed('b'), '2')
    stream.tell({ type: 'ended', topic })
    expect(await coming).toEqual({ place: '2', message: changed('b') })
    stream.end()
    stream.tell(changed('too late'), '3')
    expect(ended).toEqual([stream])
    expect(await next()).toEqual({ place: '2', message: { type: 'ended', topic } })
    expect(await next()).toBeUndefined()
    expect(ended).toHaveLength(1)
  })

  it('tells once what is told again before a slow client took it', async () => {
    const { stream, next } = open()
    for (const kind of ['a', 'b', 'a', 'b']) stream.tell(changed(kind), '1')
    stream.end()
    expect([await next(), await next(), await next()]).toMatchObject([
      { message: changed('a') },
      { message: changed('b') },
      undefined,
    ])
  })

  it('has a client that is too slow fetch everything anew, and keeps no more than a hundred messages for it', async () => {
    const { stream, next } = open()
    const other: Topic = { topic: 'organization', id: 2 }
    stream.tell({ type: 'ended', topic: other }, '0')
    for (let number = 1; number <= 150; number++) stream.tell(changed(`kind ${number}`), String(number))
    stream.end()
    const told = []
    for (let message = await next(); message; message = await next()) told.push(message)
    expect(told.length).toBeLessThan(100)
    expect(told.slice(0, 2)).toEqual([
      { place: '0', message: { type: 'ended', topic: other } },
      { place: '100', message: { type: 'resync', topics: [topic] } },
    ])
    expect(told.at(-1)).toEqual({ place: '150', message: changed('kind 150') })
  })

  it('is over when its client goes', async () => {
    const { stream, ended, messages, next } = open()
    stream.tell(changed('a'), '1')
    await next()
    await messages.return()
    expect(ended).toEqual([stream])
  })
})
