import { describe, expect, it } from 'vitest'
import type { LiveMessage, Topic } from './schema'
import { createStream, type Stream } from './stream'

const topicOf = (id: number): Topic => ({ topic: 'organization', id })
const topic = topicOf(1)
const changed = (id: number): LiveMessage => ({ type: 'changed', topic: topicOf(id) })

function open() {
  const ended: Stream[] = []
  const topics = new Map([['organization:1', topic]])
  const stream = createStream({ viewer: { address: '' }, topics, endsAt: 0 }, over => ended.push(over))
  const messages = stream.messages()
  return { stream, ended, messages, next: async () => (await messages.next()).value }
}

describe('a live update stream', () => {
  it('delivers messages in order, waits for new ones, and delivers the rest before it ends', async () => {
    const { stream, ended, next } = open()
    stream.send(changed(1), '1')
    expect(await next()).toEqual({ cursor: '1', message: changed(1) })
    const coming = next()
    stream.send(changed(2), '2')
    stream.send({ type: 'ended', topic })
    expect(await coming).toEqual({ cursor: '2', message: changed(2) })
    stream.end()
    stream.send(changed(3), '3')
    expect(ended).toEqual([stream])
    expect(await next()).toEqual({ cursor: '2', message: { type: 'ended', topic } })
    expect(await next()).toBeUndefined()
    expect(ended).toHaveLength(1)
  })

  it('delivers one message per topic to a slow client, with the position of the first change, and all distinct messages', async () => {
    const { stream, next } = open()
    for (let number = 1; number <= 300; number++) {
      stream.send(changed(number % 2), String(number))
      if (number === 150) stream.send({ type: 'ended', topic: topicOf(2) })
    }
    stream.end()
    const sent = []
    for (let message = await next(); message; message = await next()) sent.push(message)
    expect(sent).toEqual([
      { cursor: '1', message: changed(1) },
      { cursor: '2', message: changed(0) },
      { cursor: '150', message: { type: 'ended', topic: topicOf(2) } },
    ])
  })

  it('ends when its client disconnects', async () => {
    const { stream, ended, messages, next } = open()
    stream.send(changed(1), '1')
    await next()
    await messages.return()
    expect(ended).toEqual([stream])
  })
})
