import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { Services } from '@/server/services'
import { authorizedKeysMount } from './handler'

it.each(['/%00.keys', '/%zz.keys', '/a%0ab.keys', '/-/user-keys/%00'])(
  '%s is not the path of a person’s keys, and is refused without a query',
  async path => {
    const handle = authorizedKeysMount.createHandler({} as Services)
    const body = async () => new Uint8Array()
    const call = {
      method: 'GET',
      path,
      query: '',
      headers: new Headers(),
      body,
      stream: () => Readable.from([]),
    }
    const answer = await handle(call, { remoteAddress: '', requestId: 'r' })
    expect(answer).toMatchObject({ status: 404, body: 'not found\n' })
  },
)
