import { describe, expect, it } from 'vitest'
import { createRequestReader } from './request-reader'

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
const first = `${packet('command=ls-refs\n')}0001${packet('peel\n')}0000`
const second = `${packet('command=fetch')}0000`

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size), 'latin1')
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk.toString('latin1')
  return text
}

async function requestsIn(text: string, size: number): Promise<string[]> {
  const reader = createRequestReader(pieces(text, size), 1000)
  const requests: string[] = []
  while (await reader.begins()) requests.push(await textOf(reader.request()))
  return requests
}

describe('requests over one connection', () => {
  it.each([1, 3, 4, 7, 1000])('are read one by one in chunks of %i bytes', async size => {
    expect(await requestsIn(`${first}${second}0000`, size)).toEqual([first, second])
  })

  it('end with the connection, even in the middle of a request', async () => {
    expect(await requestsIn(first.slice(0, -6), 5)).toEqual([first.slice(0, -6)])
    expect(await requestsIn('', 5)).toEqual([])
    expect(await requestsIn('00', 5)).toEqual([])
  })

  it('are refused if they are malformed', async () => {
    await expect(requestsIn('hello, git', 100)).rejects.toThrow('Git could not read the request')
  })

  it('time out if the client sends nothing', async () => {
    async function* silent(): AsyncGenerator<Buffer> {
      await new Promise(() => undefined)
      yield Buffer.alloc(0)
    }
    await expect(createRequestReader(silent(), 20).begins()).rejects.toMatchObject({ status: 408 })
  })

  it('are followed by everything that a push sends', async () => {
    const reader = createRequestReader(pieces(`${first}PACK and more`, 3), 1000)
    expect(await reader.begins()).toBe(true)
    expect(await textOf(reader.rest())).toBe(`${first}PACK and more`)
  })
})
